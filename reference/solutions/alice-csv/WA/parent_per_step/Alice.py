"""Wrong: keeps one parent and one d per square and step; the later of two visits in one step wins."""

import sys

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
        if d2 >= 1:
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
    seen = {(maze.start, 1)}
    size_at = {(maze.start, 0): 1}
    parent_at = {}
    layer, step = [maze.start], 0
    while layer:
        after = []
        for square in layer:
            if square == maze.goal:
                path = [square]
                while step > 0:
                    square = parent_at[square, step]
                    step -= 1
                    path.append(square)
                return path[::-1]
            for r, c, d in next_states(maze, (square[0], square[1], size_at[square, step])):
                if ((r, c), d) not in seen:
                    seen.add(((r, c), d))
                    size_at[(r, c), step + 1] = d
                    parent_at[(r, c), step + 1] = square
                    after.append((r, c))
        layer, step = after, step + 1
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
