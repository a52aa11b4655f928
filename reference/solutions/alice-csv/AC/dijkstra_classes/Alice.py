"""Right: classes and Dijkstra's algorithm with a heap; prints debug lines around the answer."""
import csv
import heapq
import sys
from dataclasses import dataclass, field


@dataclass(order=True)
class Entry:
    moves: int
    number: int
    state: "State" = field(compare=False)


@dataclass(frozen=True)
class State:
    row: int
    column: int
    d: int


def load_maze(filename):
    with open(filename, newline="") as handle:
        rows = [row for row in csv.reader(handle) if row]
    size = int(rows[0][0])
    start = tuple(int(value) for value in rows[1])
    goal = tuple(int(value) for value in rows[2])
    grid = tuple(
        tuple((letter, code, [], [], []) for letter, code in zip(row[0::2], row[1::2]))
        for row in rows[3:]
    )
    return (size, start[0], start[1], grid, goal[0], goal[1])


class AliceMaze:
    ARROWS = "?12345678"
    ROWS = [0, -1, -1, -1, 0, 1, 1, 1, 0]
    COLUMNS = [0, -1, 0, 1, 1, 1, 0, -1, -1]
    CHANGES = {"R": +1, "Y": -1}

    def __init__(self, loaded):
        self.size, sr, sc, self.grid, gr, gc = loaded
        self.start = State(sr, sc, 1)
        self.goal = (gr, gc)

    def is_goal(self, state):
        return (state.row, state.column) == self.goal

    def neighbours(self, state):
        for digit in self.grid[state.row][state.column][1]:
            if digit == "0":
                continue
            k = self.ARROWS.index(digit)
            row = state.row + self.ROWS[k] * state.d
            column = state.column + self.COLUMNS[k] * state.d
            if row in range(self.size) and column in range(self.size):
                letter = self.grid[row][column][0]
                d = state.d + self.CHANGES.get(letter, 0)
                if letter != "N" and (d > 0 or (row, column) == self.goal):
                    yield State(row, column, d)

    def shortest(self):
        best = {self.start: 0}
        previous = {}
        heap = [Entry(0, 0, self.start)]
        pushed = 0
        while heap:
            entry = heapq.heappop(heap)
            if self.is_goal(entry.state):
                return self.walk_back(previous, entry.state)
            for other in self.neighbours(entry.state):
                if entry.moves + 1 < best.get(other, float("inf")):
                    best[other] = entry.moves + 1
                    previous[other] = entry.state
                    pushed += 1
                    heapq.heappush(heap, Entry(entry.moves + 1, pushed, other))
        return []

    def walk_back(self, previous, state):
        path = [state]
        while path[-1] in previous:
            path.append(previous[path[-1]])
        return path[::-1]


def main(argv):
    maze = AliceMaze(load_maze(argv[1]))
    print(f"DEBUG size {maze.size}, start {(maze.start.row, maze.start.column)}, goal {maze.goal}")
    path = maze.shortest()
    if not path:
        print("No solution")
        return
    for state in path[:3]:
        print(f"DEBUG at {(state.row, state.column)} with d = {state.d}")
    print()
    print("->".join(f"({state.row}, {state.column})" for state in path))
    print(len(path) - 1)
    print("DEBUG done")


if __name__ == "__main__":
    main(sys.argv)
