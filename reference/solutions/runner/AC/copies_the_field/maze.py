# A right solution, but slow: every point is a dictionary of texts, and the whole field is copied for each step.
import copy
import json


def move_algo(maze, runner_id, size_m, size_n):
    field = [
        [{"value": maze[i * size_n + j], "cost": 0, "visited": False, "open": False, "prev": ""} for j in range(size_n)]
        for i in range(size_m)
    ]
    head = [[i, j] for i in range(size_m) for j in range(size_n) if field[i][j]["value"] == 2 * runner_id]
    if not head:
        return -1
    head = head[-1]
    foods = [[i, j] for i in range(size_m) for j in range(size_n) if field[i][j]["value"] == -1]
    field[head[0]][head[1]]["open"] = True
    while True:
        field = copy.deepcopy(field)
        best = []
        for i in range(size_m):
            for j in range(size_n):
                if field[i][j]["open"]:
                    far = [abs(i - a) + abs(j - b) for a, b in foods] + [10 ** 9]
                    best.append((field[i][j]["cost"] + min(far), i, j))
        if not best:
            return first_free(field, head)
        i, j = min(best)[1:]
        if field[i][j]["value"] == -1:
            return first_move(field, head, [i, j])
        field[i][j]["visited"] = True
        field[i][j]["open"] = False
        for a, b in neighbours(i, j):
            if is_free(field, a, b):
                other = field[a][b]
                if not other["visited"] or field[i][j]["cost"] + 1 < other["cost"]:
                    other["open"] = True
                    other["cost"] = field[i][j]["cost"] + 1
                    other["prev"] = json.dumps([i, j])


def neighbours(i, j):
    return [[i - 1, j], [i, j + 1], [i + 1, j], [i, j - 1]]


def is_free(field, i, j):
    return 0 <= i < len(field) and 0 <= j < len(field[0]) and field[i][j]["value"] in (0, -1)


def first_free(field, head):
    for number, (i, j) in enumerate(neighbours(*head)):
        if is_free(field, i, j):
            return number
    return -1


def first_move(field, head, point):
    while True:
        before = json.loads(field[point[0]][point[1]]["prev"])
        if before == head:
            return neighbours(*head).index(point)
        point = before
