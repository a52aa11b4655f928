"""Right, but slow: every state has copies of its whole path and of all that it has seen, and lists are searched."""
import copy
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
        print("No solution.")
    else:
        print("->".join("(%d,%d)" % (column, row) for row, column in path))
        print("length is %d" % (len(path) - 1))


if __name__ == "__main__":
    show(solve(*read(sys.argv[1])))
