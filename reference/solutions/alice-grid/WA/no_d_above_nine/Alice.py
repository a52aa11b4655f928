"""Wrong: takes d for one digit: a state whose d is more than 9 is dropped."""

import sys
from collections import deque

WAYS = {"n": (-1, 0), "ne": (-1, 1), "e": (0, 1), "se": (1, 1), "s": (1, 0), "sw": (1, -1), "w": (0, -1), "nw": (-1, -1)}


class Maze:
    def __init__(self, filename):
        with open(filename) as f:
            lines = [line.split() for line in f.read().splitlines() if line.strip()]
        self.width, self.height = int(lines[0][0]), int(lines[0][1])
        self.colour = {}
        self.arrows = {}
        for r in range(self.height):
            for c in range(self.width):
                role, colour, directions = lines[1 + r][c].split(",")
                if role == "?":
                    self.start = (r, c)
                elif role == "!":
                    self.goal = (r, c)
                self.colour[r, c] = colour if colour or role != "!" else "goal"
                self.arrows[r, c] = [WAYS[name] for name in directions.split("_") if name]


def inside(maze, r, c):
    return 0 <= r < maze.height and 0 <= c < maze.width


def change(maze, square):
    if maze.colour[square] == "r":
        return 1
    if maze.colour[square] == "y":
        return -1
    return 0


def next_states(maze, state):
    r, c, d = state
    found = []
    for dr, dc in maze.arrows[r, c]:
        r2, c2 = r + d * dr, c + d * dc
        if not inside(maze, r2, c2):
            continue
        if (r2, c2) == maze.goal:
            found.append((r2, c2, d))
            continue
        if maze.colour[r2, c2] == "":
            continue
        d2 = d + change(maze, (r2, c2))
        if 1 <= d2 <= 9:
            found.append((r2, c2, d2))
    return found


def rebuild(parents, state):
    path = []
    while state is not None:
        path.append(state[:2])
        state = parents[state]
    path.reverse()
    return path


def solve(maze):
    start = (maze.start[0], maze.start[1], 1)
    parents = {start: None}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        if state[:2] == maze.goal:
            return rebuild(parents, state)
        for new in next_states(maze, state):
            if new not in parents:
                parents[new] = state
                queue.append(new)
    return None


def show(path):
    print("->".join("(%d,%d)" % (c, r) for r, c in path))
    print("length is", len(path) - 1)


def main():
    maze = Maze(sys.argv[1])
    path = solve(maze)
    if path is None:
        print("No solution.")
    else:
        show(path)


if __name__ == "__main__":
    main()
