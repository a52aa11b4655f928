"""Right: calls itself once per level; prints one move a line before the answer."""
import sys

sys.setrecursionlimit(20000)
NAMES = "ul u ur r dr d dl l".split()
STEPS = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]


def load(name):
    lines = open(name).read().strip().split("\n")
    pick = lambda line: tuple(map(int, line.strip()[3:-1].split(",")))
    grid = {}
    for r, line in enumerate(lines[3:]):
        for c, cell in enumerate(line.split()):
            colour, _, arrows = cell.partition(":")
            grid[r, c] = (colour, [STEPS[NAMES.index(a)] for a in arrows.strip("()").split(",") if a])
    return pick(lines[1]), pick(lines[2]), grid


def explore(level, seen, goal, grid):
    if not level:
        return None
    for (place, d), path in level.items():
        if place == goal:
            return path
    following = {}
    for (place, d), path in level.items():
        for dr, dc in grid[place][1]:
            there = (place[0] + dr * d, place[1] + dc * d)
            if there in grid:
                e = d if there == goal else d + {"r": 1, "y": -1}.get(grid[there][0], 0)
                if e >= 1 and (there, e) not in seen:
                    seen.add((there, e))
                    following[there, e] = path + [there]
    return explore(following, seen, goal, grid)


start, goal, grid = load(sys.argv[1])
path = explore({(start, 1): [start]}, {(start, 1)}, goal, grid)
if path is None:
    print("The maze has no solution.")
    exit(1)
for number in range(1, len(path)):
    print("Move", number, "goes from", path[number - 1], "to", path[number])
print("The shortest path length was", len(path) - 1, "steps.")
print("The path was", " -> ".join(str(square) for square in path) + ".")
