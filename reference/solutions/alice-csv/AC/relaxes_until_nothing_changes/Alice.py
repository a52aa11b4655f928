"""Right, but slow: improves the distance of every state again and again until nothing changes any more."""
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
    best = {start + (1,): 0}
    before = {}
    changed = True
    while changed:
        changed = False
        for state in list(best):
            if state[:2] == goal:
                continue
            for new in moves(squares, goal, state):
                if new not in best or best[state] + 1 < best[new]:
                    best[new] = best[state] + 1
                    before[new] = state
                    changed = True
    ends = [state for state in best if state[:2] == goal]
    if not ends:
        return None
    state = min(ends, key=best.get)
    path = [state[:2]]
    while state in before:
        state = before[state]
        path.insert(0, state[:2])
    return path


def show(path):
    if path is None:
        print("No solution")
    else:
        print("->".join(str(square) for square in path))
        print(len(path) - 1)


if __name__ == "__main__":
    show(solve(*read(sys.argv[1])))
