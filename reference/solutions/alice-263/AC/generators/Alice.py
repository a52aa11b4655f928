"""Right: small generator functions and frozen states; the path is printed as a list of tuples."""
import sys
from collections import namedtuple
from itertools import takewhile

State = namedtuple("State", "row column d")
VERTICAL = {"u": -1, "d": 1}
HORIZONTAL = {"l": -1, "r": 1}


class Maze:
    def __init__(self, lines):
        self.width = int(next(lines))
        self.start = self.place(next(lines))
        self.goal = self.place(next(lines))
        self.rows = [line.split() for line in lines if line.strip()]

    @staticmethod
    def place(line):
        return tuple(int(number) for number in line[line.index("(") + 1:line.index(")")].split(","))

    def colour(self, row, column):
        return self.rows[row][column][0]

    def arrows(self, row, column):
        cell = self.rows[row][column]
        if cell == "goal":
            return
        for name in cell[3:-1].split(","):
            yield sum(VERTICAL.get(letter, 0) for letter in name), sum(HORIZONTAL.get(letter, 0) for letter in name)

    def after(self, state):
        for down, right in self.arrows(state.row, state.column):
            row, column = state.row + down * state.d, state.column + right * state.d
            if not 0 <= row < len(self.rows) or not 0 <= column < self.width:
                continue
            if (row, column) == self.goal:
                yield State(row, column, state.d)
            else:
                d = state.d + {"r": 1, "y": -1, "b": 0}[self.colour(row, column)]
                if d:
                    yield State(row, column, d)


def levels(maze, parents):
    level = [State(*maze.start, 1)]
    parents[level[0]] = None
    while level:
        yield level
        fresh = []
        for state in level:
            for other in maze.after(state):
                if other not in parents:
                    parents[other] = state
                    fresh.append(other)
        level = fresh


def main():
    with open(sys.argv[1]) as file:
        maze = Maze(iter(file.readlines()))
    parents = {}
    count = sum(1 for _ in takewhile(lambda level: all(s[:2] != maze.goal for s in level), levels(maze, parents)))
    ends = [state for state in parents if state[:2] == maze.goal]
    if not ends:
        print("The maze has no solution.")
        return 1
    path, state = [], ends[0]
    while state:
        path.append(state[:2])
        state = parents[state]
    print(f"The shortest path length was {count} steps.")
    print(f"The path was {path[::-1]}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
