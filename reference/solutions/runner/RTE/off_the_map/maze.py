# Wrong: runs off the last row and column.


def move_algo(maze: list, runner_id: int, size_m: int, size_n: int):
    big = 10 ** 9
    head_x = head_y = -1
    field = []
    for x in range(size_m):
        row = []
        for y in range(size_n):
            value = maze[x * size_n + y]
            row.append(value)
            if value == runner_id * 2:
                head_x, head_y = x, y
        field.append(row)
    if head_x == -1:
        return -1

    food = []
    for x in range(size_m):
        for y in range(size_n):
            if field[x][y] == -1:
                food.append([x, y])
    h = [[big for _ in range(size_n)] for _ in range(size_m)]
    for x in range(size_m):
        for y in range(size_n):
            for one in food:
                d = abs(one[0] - x) + abs(one[1] - y)
                if d < h[x][y]:
                    h[x][y] = d

    g = [[0] * size_n for _ in range(size_m)]
    visited = [[False] * size_n for _ in range(size_m)]
    is_open = [[False] * size_n for _ in range(size_m)]
    prev = [[None] * size_n for _ in range(size_m)]
    is_open[head_x][head_y] = True
    dx = [-1, 0, 1, 0]
    dy = [0, 1, 0, -1]
    target = None

    while True:
        best = None
        for x in range(size_m):
            for y in range(size_n):
                if is_open[x][y]:
                    if best is None or g[x][y] + h[x][y] < g[best[0]][best[1]] + h[best[0]][best[1]]:
                        best = (x, y)
        if best is None:
            break
        x, y = best
        if field[x][y] == -1:
            target = best
            break
        visited[x][y] = True
        is_open[x][y] = False
        for k in range(4):
            nx = x + dx[k]
            ny = y + dy[k]
            if nx < 0 or ny < 0:
                continue
            if field[nx][ny] != 0 and field[nx][ny] != -1:
                continue
            if not visited[nx][ny] or g[x][y] + 1 < g[nx][ny]:
                is_open[nx][ny] = True
                g[nx][ny] = g[x][y] + 1
                prev[nx][ny] = k

    if target is None:
        for k in range(4):
            nx = head_x + dx[k]
            ny = head_y + dy[k]
            if 0 <= nx < size_m and 0 <= ny < size_n and field[nx][ny] in [0, -1]:
                return k
        return -1
    x, y = target
    while True:
        k = prev[x][y]
        x -= dx[k]
        y -= dy[k]
        if x == head_x and y == head_y:
            return k
