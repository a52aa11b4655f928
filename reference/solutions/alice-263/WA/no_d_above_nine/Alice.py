"""Wrong: takes d for one digit: a state whose d is more than 9 is dropped."""

import sys
from collections import deque

WAYS = {"l": (0, -1), "r": (0, 1), "u": (-1, 0), "d": (1, 0), "ul": (-1, -1), "ur": (-1, 1), "dl": (1, -1), "dr": (1, 1)}


def read_location(line):
    row, column = line.split("=")[1].strip().strip("()").split(",")
    return int(row), int(column)


class Maze:
    def __init__(self, filename):
        with open(filename) as f:
            lines = f.read().splitlines()
        self.width = int(lines[0])
        self.start = read_location(lines[1])
        self.goal = read_location(lines[2])
        rows = [line.split() for line in lines[3:] if line.strip()]
        self.height = len(rows)
        self.colour = {}
        self.arrows = {}
        for r in range(self.height):
            for c in range(self.width):
                cell = rows[r][c]
                if cell == "goal":
                    self.colour[r, c] = "goal"
                    self.arrows[r, c] = []
                else:
                    colour, directions = cell.split(":")
                    self.colour[r, c] = colour
                    self.arrows[r, c] = [WAYS[name] for name in directions.strip("()").split(",") if name]


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
    print("The shortest path length was %d steps." % (len(path) - 1))
    print("The path was %s." % " -> ".join("(%d, %d)" % square for square in path))


def main():
    maze = Maze(sys.argv[1])
    path = solve(maze)
    if path is None:
        print("The maze has no solution.")
        sys.exit(1)
    else:
        show(path)


if __name__ == "__main__":
    main()
