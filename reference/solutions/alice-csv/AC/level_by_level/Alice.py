"""Right: goes level by level with sets and finds the path backwards; count first, then one square a line."""
from sys import argv, setrecursionlimit

setrecursionlimit(100000)
dirs = [None, (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]


def load_maze(filename):
    lines = [l.rstrip() for l in open(filename)]
    n = int(lines[0])
    x, y = eval(lines[1])
    fx, fy = eval(lines[2])
    g = []
    for l in lines[3:3 + n]:
        it = iter(l.split(","))
        g.append([[a, b, [], [], []] for a, b in zip(it, it)])
    return n, x, y, g, fx, fy


def moves(maze, s):
    n, _, _, g, fx, fy = maze
    x, y, d = s
    res = set()
    for ch in g[x][y][1]:
        if ch != "0":
            a, b = x + dirs[int(ch)][0] * d, y + dirs[int(ch)][1] * d
            if a >= 0 and b >= 0 and a < n and b < n and g[a][b][0] != "N":
                e = d + {"R": 1, "Y": -1}.get(g[a][b][0], 0)
                if e > 0 or (a, b) == (fx, fy):
                    res.add((a, b, e))
    return res


def back(maze, levels, k, s):
    if k == 0:
        return [s]
    for p in levels[k - 1]:
        if s in moves(maze, p):
            return back(maze, levels, k - 1, p) + [s]


def main():
    maze = load_maze(argv[1])
    levels = [{(maze[1], maze[2], 1)}]
    seen = set(levels[0])
    while levels[-1]:
        hits = [s for s in levels[-1] if (s[0], s[1]) == (maze[4], maze[5])]
        if hits:
            path = back(maze, levels, len(levels) - 1, hits[0])
            print("Solved in", len(levels) - 1, "moves")
            for s in path:
                print((s[0], s[1]))
            return
        nxt = set()
        for s in levels[-1]:
            nxt |= moves(maze, s)
        levels.append(nxt - seen)
        seen |= nxt
    print("no solution!")


if __name__ == "__main__":
    main()
