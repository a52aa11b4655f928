"""Says where a program was when it was stopped at a limit."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from grader.model.run import Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.judge.reasons.program import Run


def _loops(run: Run) -> Iterator[tuple[Place, ast.While | ast.For]]:
    """Give the loop around each line of the stack, the innermost first."""
    for place in run.record.stopped_at:
        source = run.program.source(place.path)
        loop = source.loop_around(place.line) if source else None
        if loop is not None:
            yield place, loop


class Stopped(NamedTuple):
    text: str
    place: Place | None = None


def where_stopped(run: Run) -> Stopped:
    """Name the innermost `while` that it was in, else the innermost `for`, else the line; else say nothing.

    Which line of the loop it was is chance: a second run would be told another one.
    """
    places = run.record.stopped_at
    for place, loop in sorted(_loops(run), key=lambda found: isinstance(found[1], ast.For)):
        begin = Place(path=place.path, line=loop.lineno)
        text = f"it was in the loop of line {begin.line} of {begin.path}{run.program.quoted(begin)}"
        return Stopped(f" When it was stopped, {text}.", begin)
    if not places:
        return Stopped("")
    at = f"line {places[0].line} of {places[0].path}{run.program.quoted(places[0])}"
    return Stopped(f" When it was stopped, it was at {at}.", places[0])
