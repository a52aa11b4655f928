"""The format of alice-csv: `n`, start, goal, then pairs of letter and code.

4
3,0
0,3
R,46,B,4,B,68,G,0
…
"""

from __future__ import annotations

import re
from typing import Any

from grader.model.kit import PuzzleError
from reference.alice import kit as alice
from reference.alice.kit import AliceKit
from reference.alice.lines import check_inside, check_row_count, line_at, read_arrows, read_size, split_lines
from reference.alice.puzzle import UNSOLVABLE, Answer, Arrow, Colour, Form, Maze, Place, Square

LETTERS = {"R": Colour.RED, "Y": Colour.YELLOW, "B": Colour.BLACK, "G": Colour.NONE, "N": Colour.NONE}
LETTER_OF = {Colour.RED: "R", Colour.YELLOW: "Y", Colour.BLACK: "B"}
DIGITS = "12345678"
"""Clockwise from the top left, as the values of Arrow."""
ARROWS = tuple(Arrow)
FIRST_ROW = 4


def parse(text: str) -> Maze:
    """Read a maze; raise PuzzleError with the place of the first fault."""
    lines = split_lines(text)
    size = read_size(line_at(lines, 1, "the size on line 1"), 1, "the size of the maze")
    start = _read_place(line_at(lines, 2, "the start on line 2"), 2, "start", size)
    goal = _read_place(line_at(lines, 3, "the goal on line 3"), 3, "goal", size)
    check_row_count(lines, FIRST_ROW, size)
    rows = _Rows(size, goal)
    squares = tuple(square for row in range(size) for square in rows.read(lines[FIRST_ROW - 1 + row], row))
    return Maze(rows=size, columns=size, start=start, goal=goal, squares=squares)


def _read_place(text: str, line: int, what: str, size: int) -> Place:
    match = re.fullmatch(r"\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*", text)
    if not match:
        raise PuzzleError(f"expected the {what} as row,column; found {text.strip()!r}", line=line, hint="such as 3,0")
    return check_inside((int(match[1]), int(match[2])), (size, size), line, what)


class _Rows:
    """Reads rows, each kind of square only once."""

    def __init__(self, size: int, goal: Place) -> None:
        self.size = size
        self.goal = goal
        self.known: dict[tuple[str, str], Square] = {}

    def read(self, text: str, row: int) -> list[Square]:
        fields = [field.strip() for field in text.split(",")]
        if len(fields) != 2 * self.size:
            found = f"expected {self.size} pairs LETTER,CODE in this row, found {len(fields)} fields"
            raise PuzzleError(found, line=FIRST_ROW + row, hint=f"a row has {2 * self.size} fields")
        pairs = list(zip(fields[::2], fields[1::2], strict=True))
        for column, cell in enumerate(pairs):
            try:
                if cell not in self.known:
                    self.known[cell] = _read_square(cell)
                self.check_goal(cell[0], (row, column))
            except PuzzleError as fault:
                fault.line, fault.column = FIRST_ROW + row, _column_of(text, 2 * column)
                raise
        return [self.known[cell] for cell in pairs]

    def check_goal(self, letter: str, place: Place) -> None:
        if letter == "G" and place != self.goal:
            raise PuzzleError(f"the square {place} is the goal G, but line 3 says {self.goal}")
        if letter == "N" and place == self.goal:
            raise PuzzleError(f"the goal {place} is a blank square N", hint="write G,0")


def _read_square(pair: tuple[str, str]) -> Square:
    letter, code = pair
    if letter not in LETTERS:
        hint = "letters are R red, Y yellow, B black, G goal, N blank"
        raise PuzzleError(f"unknown letter {letter!r}", hint=hint)
    if not code:
        raise PuzzleError(f"the letter {letter} has no code", hint="0 stands for no arrows")
    digits = "" if code == "0" else code
    arrows = tuple(ARROWS[position] for position in read_arrows(digits, DIGITS))
    if letter == "N" and arrows:
        raise PuzzleError(f"a blank square N has the arrows {code}", hint="write N,0")
    return Square(colour=LETTERS[letter], arrows=arrows)


def _column_of(text: str, field: int) -> int:
    before = sum(len(part) + 1 for part in text.split(",")[:field])
    rest = text[before:]
    return before + len(rest) - len(rest.lstrip()) + 1


def write(maze: Maze) -> str:
    """Write a square maze."""
    if maze.rows != maze.columns:
        raise PuzzleError("this format has only square mazes")
    lines = [str(maze.rows), f"{maze.start[0]},{maze.start[1]}", f"{maze.goal[0]},{maze.goal[1]}"]
    for row in range(maze.rows):
        pairs = [pair(maze, (row, column)) for column in range(maze.columns)]
        lines.append(",".join(f"{letter},{code}" for letter, code in pairs))
    return "\n".join(lines) + "\n"


def pair(maze: Maze, place: Place) -> tuple[str, str]:
    """Give a square's letter and code."""
    square = maze.at(place)
    letter = LETTER_OF.get(square.colour, "G" if place == maze.goal else "N")
    return letter, "".join(DIGITS[ARROWS.index(arrow)] for arrow in square.arrows) or "0"


def tell(answer: Answer) -> str:
    """Print the path, then the number of moves."""
    path = "->".join(f"({row}, {column})" for row, column in answer.path)
    return f"{path}\n{answer.steps}\n" if answer.steps != UNSOLVABLE else "No solution\n"


SOLVERS = (*alice.SOLVERS, "reference.alice.csv:LETTERS,DIGITS")
FORM = Form(parse=parse, write=write, tell=tell, square_only=True)


def kit(**rules: Any) -> AliceKit:
    """Make the kit of alice-csv."""
    return AliceKit(FORM, **rules)
