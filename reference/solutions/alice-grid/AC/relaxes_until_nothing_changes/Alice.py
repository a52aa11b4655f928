"""Right, but slow: improves the distance of every state again and again until nothing changes any more."""
import sys

NAMES = {"n": (-1, 0), "ne": (-1, 1), "e": (0, 1), "se": (1, 1), "s": (1, 0), "sw": (1, -1), "w": (0, -1), "nw": (-1, -1)}


def read(filename):
    words = open(filename).read().split()
    width = int(words[0])
    squares = {}
    for number, word in enumerate(words[2:]):
        role, colour, ways = word.split(",")
        here = divmod(number, width)
        if role == "?":
            start = here
        if role == "!":
            goal = here
        if colour or role == "!":
            squares[here] = ({"r": 1, "y": -1}.get(colour, 0), [NAMES[way] for way in ways.split("_") if way])
    return squares, start, goal


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
        print("No solution.")
    else:
        print("->".join("(%d,%d)" % (column, row) for row, column in path))
        print("length is %d" % (len(path) - 1))


if __name__ == "__main__":
    show(solve(*read(sys.argv[1])))
