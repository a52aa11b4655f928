"""The format of alice-grid: `width height`, then one line per row.

3 3
#,r,e_se_s !,, #,y,sw
#,b,n #,b,n #,b,sw
?,b,n_e #,b,e #,b,n
"""

from __future__ import annotations

from typing import Any

from grader.model.kit import PuzzleError
from reference.alice import kit as alice
from reference.alice.kit import AliceKit
from reference.alice.lines import Cells, line_at, read_arrows, read_size, split_lines
from reference.alice.puzzle import UNSOLVABLE, Answer, Arrow, Colour, Form, Maze, Place, Square

COLOURS = {"b": Colour.BLACK, "r": Colour.RED, "y": Colour.YELLOW, "": Colour.NONE}
NAMES = ("nw", "n", "ne", "e", "se", "s", "sw", "w")
ARROWS = tuple(Arrow)
START, GOAL, OTHER = "?", "!", "#"
ROLES = {START: "start", GOAL: "goal"}


def parse(text: str) -> Maze:
    """Read a maze; raise PuzzleError with the place of the first fault."""
    lines = split_lines(text)
    columns, rows = _read_dimensions(line_at(lines, 1, "the width and height on line 1"))
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if number > 1 and line.strip()]
    if len(numbered) != rows:
        line = numbered[rows][0] if len(numbered) > rows else max(len(lines), 1)
        raise PuzzleError(f"expected {rows} rows of squares, found {len(numbered)}", line=line)
    roles = _Roles()
    cells = Cells(columns, _read_square, roles.note)
    squares = tuple(square for row, (number, line) in enumerate(numbered) for square in cells.read(line, row, number))
    places = {name: roles.place_of(role, name) for role, name in ROLES.items()}
    return Maze(rows=rows, columns=columns, start=places["start"], goal=places["goal"], squares=squares)


def _read_dimensions(text: str) -> tuple[int, int]:
    words = text.split()
    if len(words) != 2:
        raise PuzzleError(f"expected the width and the height, found {text.strip()!r}", hint="such as 3 3")
    return read_size(words[0], 1, "the width"), read_size(words[1], 1, "the height")


class _Roles:
    """Where start and goal are."""

    def __init__(self) -> None:
        self.places: dict[str, Place] = {}

    def note(self, cell: str, place: Place) -> None:
        role = cell[0]
        if role in self.places:
            raise PuzzleError(f"a second {ROLES[role]} {role!r}", hint="there is only one")
        if role != OTHER:
            self.places[role] = place

    def place_of(self, role: str, name: str) -> Place:
        if role not in self.places:
            raise PuzzleError(f"no square is the {name} {role!r}", line=2)
        return self.places[role]


def _read_square(cell: str) -> Square:
    parts = cell.split(",")
    if len(parts) != 3:
        hint = "a square is ROLE,COLOUR,DIRECTIONS such as #,b,n_e; the bare goal is !,,"
        raise PuzzleError(f"expected three parts with commas between, found {cell!r}", hint=hint)
    role, colour, directions = parts
    if role not in {START, GOAL, OTHER}:
        hint = "roles are ? start, ! goal, # other"
        raise PuzzleError(f"unknown role {role!r}", hint=hint)
    if colour not in COLOURS:
        hint = "colours are b black, r red, y yellow, or nothing"
        raise PuzzleError(f"unknown colour {colour!r}", hint=hint)
    words = directions.split("_") if directions else []
    arrows = tuple(ARROWS[position] for position in read_arrows(words, NAMES))
    if arrows and not colour and role != GOAL:
        hint = "give it a colour b, r or y, or take its arrows away"
        raise PuzzleError(f"the square {cell!r} has arrows but no colour", hint=hint)
    return Square(colour=COLOURS[colour], arrows=arrows)


def write(maze: Maze) -> str:
    """Write a maze whose start isn't its goal."""
    if maze.start == maze.goal:
        raise PuzzleError("in this format the start can't be the goal")
    lines = [f"{maze.columns} {maze.rows}"]
    lines += [" ".join(_cell(maze, (row, column)) for column in range(maze.columns)) for row in range(maze.rows)]
    return "\n".join(lines) + "\n"


def _cell(maze: Maze, place: Place) -> str:
    role = {maze.start: START, maze.goal: GOAL}.get(place, OTHER)
    square = maze.at(place)
    return f"{role},{square.colour[:1]},{'_'.join(arrow.lower() for arrow in square.arrows)}"


def tell(answer: Answer) -> str:
    """Print the path with columns first, then its length."""
    path = "->".join(f"({column},{row})" for row, column in answer.path)
    return f"{path}\nlength is {answer.steps}\n" if answer.steps != UNSOLVABLE else "No solution.\n"


SOLVERS = (*alice.SOLVERS, "reference.alice.grid:COLOURS,NAMES")
FORM = Form(parse=parse, write=write, tell=tell, column_first=True, start_may_be_goal=False, colours_start=True)


def kit(**rules: Any) -> AliceKit:
    """Make the kit of alice-grid."""
    return AliceKit(FORM, **rules)
