"""Right, but slow: every state has copies of its whole path and of all that it has seen, and lists are searched."""
import copy
import sys

CODES = {"1": (-1, -1), "2": (-1, 0), "3": (-1, 1), "4": (0, 1), "5": (1, 1), "6": (1, 0), "7": (1, -1), "8": (0, -1)}


def load_maze(filename):
    text = open(filename).read().split()
    n = int(text[0])
    sx, sy = map(int, text[1].split(","))
    gx, gy = map(int, text[2].split(","))
    grid = []
    for line in text[3:3 + n]:
        parts = line.split(",")
        grid.append([[parts[k], parts[k + 1], [], [], []] for k in range(0, 2 * n, 2)])
    return n, sx, sy, grid, gx, gy


def read(filename):
    n, sx, sy, grid, gx, gy = load_maze(filename)
    squares = {}
    for i in range(n):
        for j in range(n):
            letter, code = grid[i][j][:2]
            if letter != "N" or (i, j) == (gx, gy):
                squares[i, j] = ({"R": 1, "Y": -1}.get(letter, 0), [CODES[k] for k in code if k != "0"])
    return squares, (sx, sy), (gx, gy)


def moves(squares, goal, state):
    row, column, d = state
    for down, right in squares[row, column][1]:
        there = row + d * down, column + d * right
        if there in squares:
            new = d if there == goal else d + squares[there][0]
            if new > 0:
                yield there + (new,)


def solve(squares, start, goal):
    level = [[start + (1,)]]
    seen = [start + (1,)]
    while level:
        following = []
        for path in level:
            if path[-1][:2] == goal:
                return [state[:2] for state in path]
            for new in moves(squares, goal, path[-1]):
                if new not in seen:
                    seen = seen + [new]
                    longer = copy.deepcopy(path)
                    longer.append(new)
                    following.append(longer)
        level = following
    return None


def show(path):
    if path is None:
        print("No solution")
    else:
        print("->".join(str(square) for square in path))
        print(len(path) - 1)


if __name__ == "__main__":
    show(solve(*read(sys.argv[1])))
