"""Find a shortest path through an Alice maze by breadth-first search.

What Alice can do next depends on where she stands and on d. So the search walks over pairs (d, square), level by
level: level k holds every square on which a jump of d squares lands after k moves, and after no fewer. The colour of
the square says with which d she goes on.

For each d, a whole set of squares is one number with a bit per square, row after row. Jumping with all of them at
once is then a shift, and "of these, the red ones" is an `&`: a level costs a few operations on long numbers, however
many squares it has. Squares too near to the side to which a jump goes stay behind: it would end on another row.
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
        self.rows, self.columns = maze.rows, maze.columns
        self.kinds = {square: letter for letter, square in enumerate(dict.fromkeys(maze.squares))}
        # One letter per square, the same for squares that look the same: `set_of` translates a whole maze at once.
        self.text = "".join([chr(self.kinds[square]) for square in reversed(maze.squares)])
        self.goal = 1 << self.number(maze.goal)
        self.arrows = {
            arrow: self.set_of(square for square in self.kinds if arrow in square.arrows) for arrow in Arrow
        }
        self.colours = {
            colour.change: self.set_of(kind for kind in self.kinds if kind.colour is colour)
            for colour in (Colour.BLACK, Colour.RED, Colour.YELLOW)
        }
        self.rooms: Sets = {}

    def number(self, place: Place) -> int:
        """Give the number of the square's bit."""
        return place[0] * self.columns + place[1]

    def set_of(self, kinds: Iterable[Square]) -> int:
        """Make the set of all squares that look like one of these."""
        wanted = set(kinds)
        digits = self.text.translate({letter: "1" if kind in wanted else "0" for kind, letter in self.kinds.items()})
        return int(digits, base=2)

    def room(self, d: int) -> int:
        """Give the squares that have d squares to their left."""
        if d not in self.rooms:
            row = ("1" * (self.columns - d)).ljust(self.columns, "0")
            self.rooms[d] = int(row * self.rows, base=2)
        return self.rooms[d]

    def jump(self, squares: int, d: int) -> int:
        """Move the squares along all their arrows at once; the result may have bits below the grid."""
        room = self.room(d)
        sides = {-1: squares & room, 0: squares, 1: squares & room >> d}
        landed = 0
        for arrow, (rows, columns) in OFFSETS.items():
            by = d * (rows * self.columns + columns)
            leaving = sides[columns] & self.arrows[arrow]
            landed |= leaving << by if by > 0 else leaving >> -by
        return landed


class Search:
    """One search, and how it came to each pair (d, square)."""

    def __init__(self, maze: Maze, start_colour: StartColour) -> None:
        self.maze = maze
        self.bits = Bits(maze)
        self.first_d = first_step(maze, start_colour)
        self.seen: Sets = {}
        """Squares on which a jump of d squares has landed."""
        self.landed: dict[tuple[int, int], int] = {}
        """For each d, and each binary digit of a level: the squares first landed on at levels with that digit."""

    def run(self) -> Answer:
        leaving = {self.first_d: 1 << self.bits.number(self.maze.start)}
        steps = 0
        while leaving:
            steps += 1
            # A longer d always leaves the grid, a shorter one than 1 is a dead end.
            landed = {d: self.land(d, squares) for d, squares in leaving.items() if 1 <= d <= self.maze.longest_jump}
            for d, squares in landed.items():
                if squares & self.bits.goal:
                    return Answer(steps=steps, path=self.path(d, steps))
                self.note(d, squares, steps)
            leaving = self.change(landed)
        return Answer(steps=UNSOLVABLE)

    def land(self, d: int, squares: int) -> int:
        """Jump along every arrow, and give the squares on which no jump of d squares had landed before."""
        landed, seen = self.bits.jump(squares, d), self.seen.get(d, 0)
        self.seen[d] = landed | seen
        return landed ^ (landed & seen)

    def note(self, d: int, squares: int, level: int) -> None:
        """Keep the level of these squares; for going back it need not be known by which arrow one came."""
        for digit in digits(level):
            self.landed[d, digit] = self.landed.get((d, digit), 0) | squares

    def change(self, landed: Sets) -> Sets:
        """Give the squares by the d with which they are left."""
        leaving: Sets = {}
        for d, squares in landed.items():
            for change, coloured in self.bits.colours.items():
                chosen = squares & coloured
                if chosen:
                    leaving[d + change] = leaving.get(d + change, 0) | chosen
        return leaving

    def path(self, d: int, steps: int) -> tuple[Place, ...]:
        """Go back from the goal, on which a jump of d squares landed with the last step."""
        backwards = [self.maze.goal]
        for level in range(steps - 1, 0, -1):
            backwards.append(self.before(backwards[-1], d, level))
            d -= self.maze.at(backwards[-1]).colour.change
        return tuple(reversed([*backwards, self.maze.start]))

    def before(self, place: Place, d: int, level: int) -> Place:
        """Find a square landed on at this level, from which a jump of d squares leads to the place."""
        origins = (
            (arrow, (place[0] - d * rows, place[1] - d * columns)) for arrow, (rows, columns) in OFFSETS.items()
        )
        return next(
            origin
            for arrow, origin in origins
            if self.maze.holds(origin) and arrow in self.maze.at(origin).arrows and self.level(origin, d) == level
        )

    def level(self, place: Place, d: int) -> int:
        """Give the level at which the place was first landed on so that it is left with d; 0 if it never was."""
        number, jump = self.bits.number(place), d - self.maze.at(place).colour.change
        return sum((squares >> number & 1) << digit for (by, digit), squares in self.landed.items() if by == jump)


def digits(number: int) -> list[int]:
    """Give the places of the ones among its binary digits."""
    return [place for place in range(number.bit_length()) if number >> place & 1]


def solve(maze: Maze, start_colour: StartColour = StartColour.IGNORED) -> Answer:
    """Give the fewest moves and a path that makes them."""
    if maze.start == maze.goal:
        return Answer(steps=0, path=(maze.start,))
    return Search(maze, start_colour).run()
