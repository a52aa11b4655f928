"""Right, but slow: improves the distance of every state again and again until nothing changes any more."""
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
        print("The maze has no solution.")
        sys.exit(1)
    print("The shortest path length was %d steps." % (len(path) - 1))
    print("The path was %s." % " -> ".join(str(square) for square in path))


if __name__ == "__main__":
    show(solve(*read(sys.argv[1])))
