"""The format of alice-263: width, `s=(row,column)`, `g=(row,column)`, then rows.

3
s=(2,0)
g=(0,1)
r:(r,dr,d) goal y:(dl)
b:(u) b:(u) b:(dl)
b:(u,r) b:(r) b:(u)
"""

from __future__ import annotations

import re
from typing import Any

from grader.model.kit import PuzzleError
from reference.alice import kit as alice
from reference.alice.kit import AliceKit
from reference.alice.lines import Cells, check_inside, line_at, read_arrows, read_size, split_lines
from reference.alice.puzzle import BLANK, UNSOLVABLE, Answer, Arrow, Colour, Form, Maze, Place, Square

COLOURS = {"b": Colour.BLACK, "r": Colour.RED, "y": Colour.YELLOW}
NAMES = ("ul", "u", "ur", "r", "dr", "d", "dl", "l")
ARROWS = tuple(Arrow)
GOAL = "goal"
FIRST_ROW = 4


def parse(text: str) -> Maze:
    """Read a maze; raise PuzzleError with the place of the first fault."""
    lines = split_lines(text)
    columns = read_size(line_at(lines, 1, "the width on line 1"), 1, "the width")
    rows = len(lines) - FIRST_ROW + 1
    start = _read_place(line_at(lines, 2, "the start on line 2"), 2, "start")
    goal = _read_place(line_at(lines, 3, "the goal on line 3"), 3, "goal")
    line_at(lines, FIRST_ROW, "the first row of squares")
    check_inside(start, (rows, columns), 2, "start")
    check_inside(goal, (rows, columns), 3, "goal")

    def check_goal(cell: str, place: Place) -> None:
        if cell == GOAL and place != goal:
            raise PuzzleError(f"the square {place} is the goal, but line 3 says {goal}")

    cells = Cells(columns, _read_square, check_goal)
    hint = "cells are separated by one blank and have none inside"
    read = (cells.read(lines[FIRST_ROW - 1 + row], row, FIRST_ROW + row, hint=hint) for row in range(rows))
    squares = tuple(square for squares in read for square in squares)
    return Maze(rows=rows, columns=columns, start=start, goal=goal, squares=squares)


def _read_place(text: str, line: int, what: str) -> Place:
    letter = what[0]
    match = re.fullmatch(rf"\s*{letter}\s*=\s*\(\s*([0-9]{{1,9}})\s*,\s*([0-9]{{1,9}})\s*\)\s*", text)
    if not match:
        hint = f"such as {letter}=(2,0)"
        raise PuzzleError(
            f"expected the {what} as {letter}=(row,column); found {text.strip()!r}", line=line, hint=hint
        )
    return int(match[1]), int(match[2])


def _read_square(cell: str) -> Square:
    if cell == GOAL:
        return BLANK
    match = re.fullmatch(r"([^:]*):\(([^()]*)\)", cell)
    if not match:
        hint = "a square is colour:(directions) such as b:(u,r), or the word goal"
        raise PuzzleError(f"can't read the square {cell!r}", hint=hint)
    colour, directions = match[1], match[2]
    if colour not in COLOURS:
        hint = "colours are b black, r red, y yellow"
        raise PuzzleError(f"unknown colour {colour!r}", hint=hint)
    words = directions.split(",") if directions else []
    arrows = tuple(ARROWS[position] for position in read_arrows(words, NAMES))
    return Square(colour=COLOURS[colour], arrows=arrows)


def write(maze: Maze) -> str:
    """Write a maze without blank squares."""
    lines = [str(maze.columns), "s=({},{})".format(*maze.start), "g=({},{})".format(*maze.goal)]
    lines += [" ".join(_cell(maze, (row, column)) for column in range(maze.columns)) for row in range(maze.rows)]
    return "\n".join(lines) + "\n"


def _cell(maze: Maze, place: Place) -> str:
    square = maze.at(place)
    if square.colour is Colour.NONE:
        if place != maze.goal:
            raise PuzzleError(f"this format has no blank squares, and {place} is one")
        return GOAL
    return f"{square.colour[:1]}:({','.join(NAMES[ARROWS.index(arrow)] for arrow in square.arrows)})"


def tell(answer: Answer) -> str:
    """Print the length of the path, then the path."""
    path = " -> ".join(f"({row}, {column})" for row, column in answer.path)
    told = f"The shortest path length was {answer.steps} steps.\nThe path was {path}.\n"
    return told if answer.steps != UNSOLVABLE else "The maze has no solution.\n"


SOLVERS = (*alice.SOLVERS, "reference.alice.text263:COLOURS,NAMES")
FORM = Form(
    parse=parse, write=write, tell=tell, square_only=True, has_blanks=False, has_bare=False, colours_start=True
)


def kit(**rules: Any) -> AliceKit:
    """Make the kit of alice-263."""
    return AliceKit(FORM, **rules)
