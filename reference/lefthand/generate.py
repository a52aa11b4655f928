"""Make left-hand mazes by dice, a shape for each sort of fault, and make them smaller; the size counts walkways."""

from __future__ import annotations

from bisect import bisect
from contextlib import suppress
from typing import TYPE_CHECKING

from grader.model.kit import PuzzleError, Shape
from reference.lefthand.maze import BLANK, END, START, Facing
from reference.lefthand.parse import neighbours, parse
from reference.lefthand.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.dice import Dice
    from reference.lefthand.maze import Maze

Place = tuple[int, int]
_FACINGS = tuple(Facing)
_SIZES = (3, 300)
_MARGINS = ((0, 0), (1, 0), (0, 1), (2, 1))
_LAYOUTS = ("ragged", "padded", "windows", "cut")
_LONG = (520, 600)
"""Squares of a dead end: more than a thousand moves."""

SHAPES = {
    "tree": Shape(
        title="A maze with dead ends",
        hint="Left if it is open, else straight on, else right, else back.",
        sizes=_SIZES,
    ),
    "ragged": Shape(
        title="Rows of different lengths, shifted",
        hint="Spaces at the beginning of a row are squares, and so are missing ones.",
        sizes=_SIZES,
    ),
    "windows": Shape(
        title="A file from Windows, without a final line end",
        hint="Lines may end in CR LF; neither belongs to the map.",
        sizes=_SIZES,
    ),
    "crossroads": Shape(
        title="A start with several ways",
        hint="The first facing is N; else turn left until a way is open: W, S, E.",
        sizes=_SIZES,
    ),
    "beside": Shape(
        title="The end beside the start", hint="E counts as a way; the walk is over as soon as the solver faces it."
    ),
    "beside-way": Shape(
        title="The end beside the start, and another way",
        hint="E counts as a way; the walk is over as soon as the solver faces it.",
    ),
    "row": Shape(title="A map of one row or one column"),
    "long": Shape(
        title="A long walk",
        hint="A function that calls itself for every step doesn't get this far.",
        limits={"cpu_s": 10, "wall_s": 20},
        sizes=_LONG,
        hunted=_LONG,
        is_long=True,
    ),
    "any": Shape(title="A maze of any kind", sizes=_SIZES, hunted=(1, 40)),
}


def vary(dice: Dice, shape: str, size: int | None = None) -> str:
    """Write a fresh map of this shape."""
    match shape:
        case "beside":
            return _text({(0, 0): START, dice.choose(_FACINGS).step: END})
        case "beside-way":
            return _beside_way(dice)
        case "crossroads":
            return _text(
                _tree(dice, size or dice.between(14, 30), stem=[facing.step for facing in dice.some(_FACINGS, 3)])
            )
        case "row":
            return _row(dice)
        case "long":
            return "#" * (size or dice.between(*_LONG)) + START + "#" * dice.between(1, 9) + END + "\n"
        case "any":
            return _text(_tree(dice, 1 + (size or dice.between(3, 40))), dice.choose(_MARGINS), dice.choose(_LAYOUTS))
        case "ragged":
            return _text(_tree(dice, size or dice.between(16, 34)), (dice.between(1, 3), dice.between(0, 1)))
        case "windows":
            return _text(_tree(dice, size or dice.between(14, 28)), layout="windows").removesuffix("\r\n")
        case _:
            return _text(_tree(dice, size or dice.between(18, 60)))


def difficulty(maze: Maze) -> dict[str, float]:
    """Measure the walk's moves, the ways per walkway and the walkways."""
    ways = [
        len(tuple(neighbours(maze, (x, y))))
        for y, row in enumerate(maze.rows)
        for x, mark in enumerate(row)
        if mark != BLANK
    ]
    moves = sum(1 for _ in walk(maze)) - 1
    return {"length": moves, "branching": round(sum(ways) / len(ways), 2), "steps": len(ways)}


def _tree(dice: Dice, size: int, stem: list[Place] | None = None) -> dict[Place, str]:
    """Grow a maze without loops from S, after a stem of given squares; E is one of the ends."""
    grown = dict.fromkeys([(0, 0), *(stem or [])])
    order = list(grown)
    for _ in range(6 * size):
        root = order[-1] if dice.happens(0.6) else dice.choose(order)
        place = _stepped(root, dice.choose(_FACINGS))
        if place not in grown and sum(beside in grown for beside in _beside(place)) == 1:
            grown[place] = None
            order.append(place)
        if len(grown) >= size + len(stem or ()):
            break
    ends = [place for place in order[1:] if sum(beside in grown for beside in _beside(place)) == 1]
    fresh = [place for place in ends if place not in (stem or ())]
    end = dice.choose(fresh or ends) if dice.happens(0.8) else dice.choose(order[1:])
    return dict.fromkeys(order, "#") | {(0, 0): START, end: END}


def _beside_way(dice: Dice) -> str:
    """Put E beside S, and walkways beside S in some of the other directions."""
    end, *others = dice.some(_FACINGS, dice.between(2, 4))
    marks = {(0, 0): START, end.step: END}
    for facing in others:
        for steps in range(1, dice.between(2, 3)):
            marks[facing.step[0] * steps, facing.step[1] * steps] = "#"
    return _text(marks)


def _row(dice: Dice) -> str:
    """Write S and E in one line, with a dead end behind S."""
    line = END + "#" * dice.between(1, 9) + START + "#" * dice.between(0, 4)
    line = line if dice.happens(0.5) else line[::-1]
    return line + "\n" if dice.happens(0.5) else "\n".join(line) + "\n"


def _text(marks: dict[Place, str], margin: Place = (0, 0), layout: str = "ragged") -> str:
    """Write the squares with blanks before them; `padded` has blanks behind them, too, `cut` no last line end."""
    left, top = min(x for x, _ in marks) - margin[0], min(y for _, y in marks) - margin[1]
    right, bottom = max(x for x, _ in marks), max(y for _, y in marks)
    rows = ("".join(marks.get((x, y), BLANK) for x in range(left, right + 1)) for y in range(top, bottom + 1))
    newline = "\r\n" if layout == "windows" else "\n"
    text = "".join((row if layout == "padded" else row.rstrip()) + newline for row in rows)
    return text.removesuffix("\n") if layout == "cut" else text


def smaller(maze: Maze) -> Iterator[Maze]:
    """Give every maze with one row, column, walkway or empty edge less."""
    marks = {(x, y): mark for y, row in enumerate(maze.rows) for x, mark in enumerate(row) if mark != BLANK}
    margin = (min(x for x, _ in marks), min(y for _, y in marks))
    layout = "windows" if maze.newline == "\r\n" else "ragged" if maze.final_newline else "cut"
    for cut in {frozenset(cut.items()): cut for cut in _cuts(marks)}.values():
        with suppress(PuzzleError):  # what is left may be torn, or closed to a loop
            yield parse(_text(cut, margin, layout))
    for place, mark in marks.items():
        beside = [other for other in _beside(place) if other in marks]
        if len(beside) == 1:
            rest = {other: marks[other] for other in marks if other != place}
            if mark == "#":
                yield parse(_text(rest, margin, layout))
            elif marks[beside[0]] == "#":
                yield parse(_text(rest | {beside[0]: mark}, margin, layout))
    for less in {(0, margin[1]), (margin[0], 0)} - {margin}:
        yield parse(_text(marks, less, layout))
    if layout != "ragged":
        yield parse(_text(marks, margin, "ragged"))


def _cuts(marks: dict[Place, str]) -> Iterator[dict[Place, str]]:
    """Take out rows or columns that hold neither S nor E, many at first, and push the rest together."""
    kept = {place for place, mark in marks.items() if mark in (START, END)}
    for axis in (0, 1):
        lines = sorted({place[axis] for place in marks} - {place[axis] for place in kept})
        for out in _parts(lines):
            yield {
                (x - (axis == 0 and bisect(out, x)), y - (axis == 1 and bisect(out, y))): mark
                for (x, y), mark in marks.items()
                if (x, y)[axis] not in out
            }


def _parts(lines: list[int]) -> Iterator[list[int]]:
    """Give all lines, halves, quarters and so on, down to each alone."""
    size = 2 * len(lines)
    while size > 1:
        size = -(-size // 2)
        yield from (lines[begin : begin + size] for begin in range(0, len(lines), size))


def _stepped(place: Place, facing: Facing) -> Place:
    return place[0] + facing.step[0], place[1] + facing.step[1]


def _beside(place: Place) -> list[Place]:
    return [_stepped(place, facing) for facing in _FACINGS]
