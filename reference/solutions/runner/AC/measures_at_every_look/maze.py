# A right solution, but slow: measures every distance anew whenever it compares two points, and searches lists.


def distance(maze, size_m, size_n, point):
    best = float("inf")
    for row in range(size_m):
        for column in range(size_n):
            if maze[row * size_n + column] == -1:
                best = min(best, abs(row - point[0]) + abs(column - point[1]))
    return best


def can_enter(maze, size_m, size_n, point):
    row, column = point
    return row in range(size_m) and column in range(size_n) and maze[row * size_n + column] in [0, -1]


def around(point):
    return [(point[0] - 1, point[1]), (point[0], point[1] + 1), (point[0] + 1, point[1]), (point[0], point[1] - 1)]


def move_algo(maze, runner_id, size_m, size_n):
    if 2 * runner_id not in maze:
        return -1
    head = divmod(maze.index(2 * runner_id), size_n)
    waiting, visited, costs, before = [head], [], [(head, 0)], []
    while waiting:
        best = None
        for point in sorted(waiting):
            total = dict(costs)[point] + distance(maze, size_m, size_n, point)
            if best is None or total < best[0]:
                best = (total, point)
        point = best[1]
        if maze[point[0] * size_n + point[1]] == -1:
            way = [point]
            while way[0] != head:
                way = [dict(before)[way[0]]] + way
            return around(head).index(way[1])
        visited.append(point)
        waiting.remove(point)
        for other in around(point):
            if can_enter(maze, size_m, size_n, other):
                cost = dict(costs)[point] + 1
                if other not in visited or cost < dict(costs)[other]:
                    if other not in waiting:
                        waiting.append(other)
                    costs = [pair for pair in costs if pair[0] != other] + [(other, cost)]
                    before = [pair for pair in before if pair[0] != other] + [(other, point)]
    for number, other in enumerate(around(head)):
        if can_enter(maze, size_m, size_n, other):
            return number
    return -1
