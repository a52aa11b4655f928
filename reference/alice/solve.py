"""Find a shortest path through an Alice maze by breadth-first search.

What Alice can do next depends on where she stands and on d. So the search walks over pairs (d, square), level by
level: level k holds every pair that k moves can reach and no fewer can.

For each d, a whole set of squares is one number with a bit per square. Jumping with all of them at once is then a
shift, and "of these, the red ones" is an `&`: a level costs a few operations on long numbers, however many squares
it has. Every row of bits is followed by empty bits, one for each square of the longest jump. A jump to the left or
right out of the grid ends among them and is masked away, instead of coming back in on the next row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.alice.puzzle import (
    OFFSETS,
    UNSOLVABLE,
    Answer,
    Arrow,
    Colour,
    Maze,
    Place,
    Square,
    StartColour,
    first_step,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

Sets = dict[int, int]
"""For each d, a set of squares as bits."""


class Bits:
    """The maze as sets of squares."""

    def __init__(self, maze: Maze) -> None:
        self.columns = maze.columns
        self.stride = maze.columns + maze.longest_jump
        self.kinds = {square: letter for letter, square in enumerate(dict.fromkeys(maze.squares))}
        # One letter per square, the same for squares that look the same: `set_of` translates a whole maze at once.
        self.text = "".join([chr(self.kinds[square]) for square in maze.squares])
        self.goal = 1 << self.number(maze.goal)
        self.arrows = {
            arrow: self.set_of(square for square in self.kinds if arrow in square.arrows) for arrow in Arrow
        }
        self.colours = {
            colour.change: self.set_of(kind for kind in self.kinds if kind.colour is colour)
            for colour in (Colour.BLACK, Colour.RED, Colour.YELLOW)
        }

    def number(self, place: Place) -> int:
        """Give the number of the square's bit."""
        return place[0] * self.stride + place[1]

    def set_of(self, kinds: Iterable[Square]) -> int:
        """Make the set of all squares that look like one of these."""
        wanted = set(kinds)
        digits = self.text.translate({letter: "1" if kind in wanted else "0" for kind, letter in self.kinds.items()})
        gap = "0" * (self.stride - self.columns)
        rows = [digits[first : first + self.columns] for first in range(0, len(digits), self.columns)]
        return int(gap.join(rows)[::-1], base=2)

    def jump(self, squares: int, arrow: Arrow, d: int) -> int:
        """Move those squares that have the arrow; the result may have bits outside the grid."""
        rows, columns = OFFSETS[arrow]
        by = d * (rows * self.stride + columns)
        leaving = squares & self.arrows[arrow]
        return leaving << by if by > 0 else leaving >> -by


class Search:
    """One search, and how it came to each pair (d, square)."""

    def __init__(self, maze: Maze, start_colour: StartColour) -> None:
        self.maze = maze
        self.bits = Bits(maze)
        self.first_d = first_step(maze, start_colour)
        self.seen: Sets = {}
        self.arrived: dict[tuple[int, Arrow], int] = {}
        """Squares that were first reached along this arrow and left with this d."""

    def run(self) -> Answer:
        level: Sets = {}
        if 1 <= self.first_d <= self.maze.longest_jump:
            level = {self.first_d: 1 << self.bits.number(self.maze.start)}
            self.seen = dict(level)
        steps = 0
        while level:
            steps += 1
            jumps = self.jumps(level)
            for d, arrow, landed in jumps:
                if landed & self.bits.goal:
                    return Answer(steps=steps, path=self.path(d, arrow))
            level = self.land(jumps)
        return Answer(steps=UNSOLVABLE)

    def jumps(self, level: Sets) -> list[tuple[int, Arrow, int]]:
        """Jump along every arrow from every pair of the level."""
        jumps = [(d, arrow, self.bits.jump(squares, arrow, d)) for d, squares in level.items() for arrow in Arrow]
        return [(d, arrow, landed) for d, arrow, landed in jumps if landed]

    def land(self, jumps: list[tuple[int, Arrow, int]]) -> Sets:
        """Give the pairs not seen before to which the jumps lead."""
        reached: Sets = {}
        for d, arrow, landed in jumps:
            for change, coloured in self.bits.colours.items():
                new_d = d + change
                # A longer d always leaves the grid, a shorter one than 1 is a dead end.
                if not 1 <= new_d <= self.maze.longest_jump:
                    continue
                fresh = landed & coloured
                fresh ^= fresh & self.seen.get(new_d, 0)
                if fresh:
                    self.seen[new_d] = self.seen.get(new_d, 0) | fresh
                    self.arrived[new_d, arrow] = self.arrived.get((new_d, arrow), 0) | fresh
                    reached[new_d] = reached.get(new_d, 0) | fresh
        return reached

    def path(self, d: int, arrow: Arrow) -> tuple[Place, ...]:
        """Go back from the goal, which the last move reached with this d along this arrow."""
        place = _back(self.maze.goal, arrow, d)
        backwards = [self.maze.goal, place]
        while (place, d) != (self.maze.start, self.first_d):
            arrow = self.arrow_into(place, d)
            d -= self.maze.at(place).colour.change
            place = _back(place, arrow, d)
            backwards.append(place)
        return tuple(reversed(backwards))

    def arrow_into(self, place: Place, d: int) -> Arrow:
        number = self.bits.number(place)
        return next(arrow for arrow in Arrow if self.arrived.get((d, arrow), 0) >> number & 1)


def _back(place: Place, arrow: Arrow, d: int) -> Place:
    rows, columns = OFFSETS[arrow]
    return place[0] - d * rows, place[1] - d * columns


def solve(maze: Maze, start_colour: StartColour = StartColour.IGNORED) -> Answer:
    """Give the fewest moves and a path that makes them."""
    if maze.start == maze.goal:
        return Answer(steps=0, path=(maze.start,))
    return Search(maze, start_colour).run()
