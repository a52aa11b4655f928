# Wrong: takes at most a hundred points, then goes the first way that is open.


def move_algo(maze: list, runner_id: int, size_m: int, size_n: int):
    """The algorithm to decide which direction will be taken, return which step to take"""
    field = {}
    for i in range(size_m):
        for j in range(size_n):
            field[i, j] = maze[i * size_n + j]
    head = None
    foods = []
    for point, value in field.items():
        if value == 2 * runner_id:
            head = point
        elif value == -1:
            foods.append(point)
    if head is None:
        return -1
    heuristic = {}
    for i, j in field:
        heuristic[i, j] = min([abs(i - a) + abs(j - b) for a, b in foods], default=float("inf"))
    cost = dict.fromkeys(field, 0)
    visited = dict.fromkeys(field, False)
    prev = {}
    opened = {head}
    found = None
    taken = 0
    while opened and taken < 100:
        taken += 1
        p = min(opened, key=lambda q: (cost[q] + heuristic[q], q[0], q[1]))
        if field[p] == -1:
            found = p
            break
        visited[p] = True
        opened.remove(p)
        for q in neighbours(p):
            if q in field and field[q] in (0, -1):
                if not visited[q] or cost[p] + 1 < cost[q]:
                    opened.add(q)
                    cost[q] = cost[p] + 1
                    prev[q] = p
    if found is None:
        for direction, q in enumerate(neighbours(head)):
            if q in field and field[q] in (0, -1):
                return direction
        return -1
    while prev[found] != head:
        found = prev[found]
    return neighbours(head).index(found)


def neighbours(point):
    i, j = point
    return [(i - 1, j), (i, j + 1), (i + 1, j), (i, j - 1)]
