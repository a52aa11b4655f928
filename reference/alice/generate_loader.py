"""Make fresh files for the loader of alice-csv from seeded dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.model.kit import Shape
from reference.alice.csv import write
from reference.alice.generate import ARROWS, COLOURED
from reference.alice.puzzle import BLANK, Arrow, Colour, Maze, Square

if TYPE_CHECKING:
    from grader.model.dice import Dice

SHAPES = {
    "codes": Shape(
        title="Codes, blanks and squares without arrows",
        hint="A square is [arrow_colour, arrow_direction_code, [], [], []].",
        sizes=(3, 40),
        hunted=(3, 5),
    ),
    "two-digits": Shape(
        title="More than ten rows",
        hint="Numbers can have more than one digit.",
        sizes=(11, 40),
        hunted=(11, 13),
        is_long=True,
    ),
    "corners": Shape(
        title="Blank squares in the corners",
        hint='A blank square is ["N", "0", [], [], []], wherever it stands.',
        sizes=(3, 40),
    ),
}


def vary(dice: Dice, shape: str, size: int | None = None) -> str:
    """Write a file of this shape; the size counts its rows."""
    side = size or (dice.between(11, 13) if shape == "two-digits" else dice.between(3, 5))
    squares = [_square(dice) for _ in range(side * side)]
    least = 10 if shape == "two-digits" else 0
    start = (dice.between(least, side - 1), dice.pick(side))
    goal = (dice.between(least, side - 1), (start[1] + 1 + dice.pick(side - 1)) % side)
    if shape == "corners":
        for corner in (0, side - 1, side * (side - 1), side * side - 1):
            squares[corner] = BLANK
        start, goal = (1, 1), (side - 1, 1)
    squares[start[0] * side + start[1]] = Square(colour=Colour.BLACK, arrows=(Arrow.E, Arrow.N))
    squares[goal[0] * side + goal[1]] = BLANK
    return write(Maze(rows=side, columns=side, start=start, goal=goal, squares=tuple(squares)))


def _square(dice: Dice) -> Square:
    if dice.happens(0.2):
        return BLANK
    return Square(colour=dice.choose(COLOURED), arrows=tuple(dice.some(ARROWS, dice.pick(5))))
