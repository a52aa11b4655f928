# Wrong: a point pushed twice with the same sum is taken twice, without end on a map without food.
import heapq

DIRECTIONS = [(-1, 0), (0, 1), (1, 0), (0, -1)]
INFINITE = float("inf")


def distances(grid, rows, columns):
    foods = [(r, c) for r in range(rows) for c in range(columns) if grid[r][c] == -1]
    table = [[INFINITE] * columns for _ in range(rows)]
    for r in range(rows):
        for c in range(columns):
            for a, b in foods:
                table[r][c] = min(table[r][c], abs(r - a) + abs(c - b))
    return table


def move_algo(maze, runner_id, size_m, size_n):
    grid = [maze[k * size_n:(k + 1) * size_n] for k in range(size_m)]
    start = None
    for r in range(size_m):
        for c in range(size_n):
            if grid[r][c] == 2 * runner_id:
                start = (r, c)
    if start is None:
        return -1

    def can_enter(r, c):
        return 0 <= r < size_m and 0 <= c < size_n and grid[r][c] in (0, -1)

    estimate = distances(grid, size_m, size_n)
    cost = {start: 0}
    previous = {}
    closed = set()
    waiting = {start}
    heap = [(estimate[start[0]][start[1]], start)]
    goal = None
    while heap:
        f, point = heapq.heappop(heap)
        r, c = point
        if point not in waiting or f != cost[point] + estimate[r][c]:
            continue
        if grid[r][c] == -1:
            goal = point
            break
        closed.add(point)
        for dr, dc in DIRECTIONS:
            q = (r + dr, c + dc)
            if can_enter(*q) and (q not in closed or cost[point] + 1 < cost[q]):
                cost[q] = cost[point] + 1
                previous[q] = point
                waiting.add(q)
                heapq.heappush(heap, (cost[q] + estimate[q[0]][q[1]], q))
    if goal is None:
        for number, (dr, dc) in enumerate(DIRECTIONS):
            if can_enter(start[0] + dr, start[1] + dc):
                return number
        return -1
    step = goal
    while previous[step] != start:
        step = previous[step]
    return DIRECTIONS.index((step[0] - start[0], step[1] - start[1]))
