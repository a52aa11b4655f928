"""Right, but slow: every state has copies of its whole path and of all that it has seen, and lists are searched."""
import copy
import sys

NAMES = {"l": (0, -1), "r": (0, 1), "u": (-1, 0), "d": (1, 0), "ul": (-1, -1), "ur": (-1, 1), "dl": (1, -1), "dr": (1, 1)}


def read(filename):
    lines = open(filename).read().split("\n")
    start, goal = [tuple(int(v) for v in line.strip()[3:-1].split(",")) for line in lines[1:3]]
    squares = {}
    for i, line in enumerate(lines[3:]):
        for j, word in enumerate(line.split()):
            if word == "goal":
                squares[i, j] = (0, [])
            else:
                colour, ways = word.split(":")
                squares[i, j] = ({"r": 1, "y": -1}.get(colour, 0), [NAMES[way] for way in ways[1:-1].split(",") if way])
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
        print("The maze has no solution.")
        sys.exit(1)
    print("The shortest path length was %d steps." % (len(path) - 1))
    print("The path was %s." % " -> ".join(str(square) for square in path))


if __name__ == "__main__":
    show(solve(*read(sys.argv[1])))
