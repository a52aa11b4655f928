"""Wrong: takes d for one digit: a state whose d is more than 9 is dropped."""

import sys
from collections import deque

WAYS = {"1": (-1, -1), "2": (-1, 0), "3": (-1, 1), "4": (0, 1), "5": (1, 1), "6": (1, 0), "7": (1, -1), "8": (0, -1)}


def load_maze(filename):
    with open(filename) as f:
        lines = f.read().split("\n")
    maze_size = int(lines[0])
    initial_x, initial_y = [int(v) for v in lines[1].split(",")]
    final_x, final_y = [int(v) for v in lines[2].split(",")]
    maze_grid = []
    for i in range(maze_size):
        values = lines[3 + i].strip().split(",")
        row = []
        for j in range(maze_size):
            row.append([values[2 * j], values[2 * j + 1], [], [], []])
        maze_grid.append(row)
    return maze_size, initial_x, initial_y, maze_grid, final_x, final_y


class Maze:
    def __init__(self, filename):
        size, sx, sy, grid, gx, gy = load_maze(filename)
        self.height = self.width = size
        self.start = (sx, sy)
        self.goal = (gx, gy)
        self.colour = {}
        self.arrows = {}
        for r in range(size):
            for c in range(size):
                letter, code = grid[r][c][0], grid[r][c][1]
                self.colour[r, c] = letter.lower() if letter in "RYB" else ("" if letter == "N" else "goal")
                self.arrows[r, c] = [WAYS[digit] for digit in code if digit != "0"]


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
    print("->".join("(%d, %d)" % square for square in path))
    print(len(path) - 1)


def main():
    maze = Maze(sys.argv[1])
    path = solve(maze)
    if path is None:
        print("No solution")
    else:
        show(path)


if __name__ == "__main__":
    main()
