"""The loader of alice-csv: what `load_maze(filename)` must give back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grader.model.kit import Divergence
from grader.model.kit import Expect as ExpectedValue
from grader.model.result import Mismatch
from grader.model.run import Reply, RunRecord, python_text
from grader.model.verdict import Ending
from reference.alice.csv import FORM, pair
from reference.alice.kit import AliceKit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.dice import Dice
    from grader.model.kit import Shape
    from reference.alice.puzzle import Maze, Place

NAMES = ("maze_size", "initial_x", "initial_y", "maze_grid", "final_x", "final_y")
FIELDS = ("arrow_colour", "arrow_direction_code", "step_count_list", "previous_list", "step_size_list")
SOLVERS = ("reference.alice.loader:value_of", "reference.alice.csv:pair,LETTERS,LETTER_OF,DIGITS")
GRID = NAMES.index("maze_grid")
_DEPTH = 4
"""Subscripts to a field: the grid, its row, the square, the field."""
_MOST_SHOWN = 4000
"""Letters of a value that a report keeps."""


def value_of(maze: Maze) -> list[Any]:
    """Give the loader's value; codes are text, as in the file."""
    grid = [[[*pair(maze, (row, column)), [], [], []] for column in range(maze.columns)] for row in range(maze.rows)]
    return [maze.rows, *maze.start, grid, *maze.goal]


class LoaderKit(AliceKit):
    """Mazes as in alice-csv; the answer is the loader's value."""

    Expect = ExpectedValue

    def expect(self, puzzle: Maze) -> ExpectedValue:
        return ExpectedValue(value=value_of(puzzle))

    def tell(self, puzzle: Maze) -> Iterator[RunRecord]:
        """Return the value as `load_maze` does."""
        yield RunRecord(ending=Ending.EXITED, exit_status=0, replies=(Reply(value=value_of(puzzle)),))

    def read(self, record: RunRecord) -> Any:
        return record.replies[-1].value if record.replies else None

    def check(self, puzzle: Maze, claimed: Any, expect: Any) -> Mismatch | None:
        found = _divergence(expect.value, claimed, ())
        return self.explain(puzzle, found) if found else None

    def would_pass(self, puzzle: Maze, suspect: str) -> bool:
        """Know nothing: a loader is right or wrong whatever the search does."""
        del puzzle, suspect
        return True

    def shapes(self) -> dict[str, Shape]:
        from reference.alice import generate_loader  # noqa: PLC0415  # only who makes cases needs it

        return generate_loader.SHAPES

    def vary(self, dice: Dice, shape: str, size: int | None = None) -> str:
        from reference.alice import generate_loader  # noqa: PLC0415  # only who makes cases needs it

        return generate_loader.vary(dice, shape, size)

    def draw(self, puzzle: Maze, claimed: Any) -> Any:
        del claimed  # a value is no walk
        return super().draw(puzzle, None)

    def explain(self, puzzle: Maze, divergence: Divergence) -> Mismatch:
        """Put the first difference into the terms of the file."""
        where = subscripts(divergence.where)
        return Mismatch(
            kind="value",
            message=_message(puzzle, divergence, where),
            where=where,
            expected=_short(divergence.expected, _MOST_SHOWN),
            found=_short(divergence.found, _MOST_SHOWN),
        )


def subscripts(where: tuple[Any, ...]) -> str:
    """Name a place in the value, such as `maze_grid[0][1][1]`."""
    if not where or not isinstance(where[0], int) or where[0] >= len(NAMES):
        return "the value of load_maze"
    return NAMES[where[0]] + "".join(f"[{key!r}]" for key in where[1:])


def _message(maze: Maze, divergence: Divergence, where: str) -> str:
    expected, found = divergence.expected, divergence.found
    if not divergence.where:
        return f"load_maze gives {_whole(found)}; it must give a tuple of {len(NAMES)}: ({', '.join(NAMES)})"
    if isinstance(expected, int) and _is_text_of(expected, found):
        return f"{where} is the text {found!r}; it must be a number: int({found!r})"
    if divergence.where[0] != GRID:
        return f"{where} is {_short(found)}; the file says {_short(expected)}{_exchanged(maze, divergence)}"
    if len(divergence.where) == 1 and not isinstance(found, list | tuple):
        return f"value {GRID} of the tuple is {_short(found)}; it must be the grid: ({', '.join(NAMES)})"
    if len(divergence.where) < _DEPTH:
        return f"{where} {_count(found)}; {_wanted(maze, len(divergence.where))}"
    square, field = divergence.where[1:3], divergence.where[3]
    if isinstance(field, int) and 2 <= field < len(FIELDS):
        return f"{where} is {_short(found)}; {FIELDS[field]} is empty after loading"
    text = f"{where} is {_short(found)}; the file says {expected} (row {square[0]}, column {square[1]})"
    if _is_turned(maze, square, field, found):
        return f"{text}. That is at {_place(square[::-1])}: are rows and columns exchanged?"
    return text


def _is_text_of(expected: int, found: Any) -> bool:
    return isinstance(found, str) and found.strip() == str(expected)


def _whole(found: Any) -> str:
    return f"{_short(found)} ({_count(found)})" if isinstance(found, list | tuple) else _short(found)


def _count(found: Any) -> str:
    return f"has {len(found)} entries" if isinstance(found, list | tuple) else f"is {_short(found)}, not a list"


def _wanted(maze: Maze, depth: int) -> str:
    """Say what the grid, a row of it or a square must hold."""
    if depth == _DEPTH - 1:
        return f"each square has {len(FIELDS)}: {', '.join(FIELDS)}, the last three of them empty lists"
    return f"the maze has {maze.rows} rows" if depth == 1 else f"each row has {maze.columns} squares"


def _exchanged(maze: Maze, divergence: Divergence) -> str:
    """Recognise a start or goal whose two numbers are exchanged."""
    name = NAMES[divergence.where[0]]
    first, second = maze.start if name.startswith("initial") else maze.goal
    other = second if name.endswith("x") else first
    is_place = name != "maze_size" and first != second
    return ": are row (x) and column (y) exchanged?" if is_place and divergence.found == other else ""


def _place(square: tuple[Any, ...]) -> str:
    return f"({square[0]}, {square[1]})"


def _is_turned(maze: Maze, square: tuple[Any, ...], field: Any, found: Any) -> bool:
    """Tell whether an exchange of rows and columns explains this square, and that all before it were right."""
    turned: Place = (square[1], square[0])
    if field not in {0, 1} or turned == square or not maze.holds(turned) or pair(maze, turned)[field] != str(found):
        return False
    before = square[0] * maze.columns + square[1]
    places = [divmod(index, maze.columns) for index in range(before)]
    return all(pair(maze, place) == pair(maze, place[::-1]) for place in places if maze.holds(place[::-1]))


def _short(value: Any, most: int = 60) -> str:
    if isinstance(value, dict) and "$object" in value:
        return f"an object of the class {str(value['$object'])[:40]}"
    text = python_text(value)
    return text if len(text) <= most else f"{text[: most - 3]}…"


def _divergence(expected: Any, found: Any, where: tuple[int, ...]) -> Divergence | None:
    """Find the first difference; lists and tuples are alike, and so are a code '24' and 24."""
    if not isinstance(expected, (list, tuple)):
        is_code = isinstance(expected, str) and isinstance(found, int) and not isinstance(found, bool)
        alike = expected == str(found) if is_code else type(expected) is type(found) and expected == found
        return None if alike else Divergence(where=where, expected=expected, found=found)
    if not isinstance(found, (list, tuple)) or len(found) != len(expected):
        return Divergence(where=where, expected=expected, found=found)
    for number, (theirs, yours) in enumerate(zip(expected, found, strict=True)):
        inner = _divergence(theirs, yours, (*where, number))
        if inner:
            return inner
    return None


def kit(**rules: Any) -> LoaderKit:
    """Make the kit of the loader."""
    return LoaderKit(FORM, **rules)
