"""The kit's functions, bound to one written format and one set of rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from grader.model.assignment import Expect
from grader.model.run import RunRecord, Stream
from grader.model.verdict import Ending
from reference.alice import check, claim, draw, solve
from reference.alice.puzzle import UNSOLVABLE, Answer, Maze, Place, StartColour
from reference.alice.walk import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

    from grader.model.result import Mismatch
    from grader.model.scene import Scene
    from reference.alice.claim import Claim

SOLVERS = ("reference.alice.solve", "reference.alice.puzzle:Colour,OFFSETS,first_step")
"""What a mutant of the solver may be made of; each format adds its own tables."""


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """What tells one written format from the others."""

    parse: Callable[[str], Maze]
    write: Callable[[Maze], str]
    tell: Callable[[Answer], str]
    """Writes the answer as a program for this format prints it."""
    column_first: bool = False
    """Places are written (column,row)."""
    square_only: bool = False
    has_blanks: bool = True
    start_may_be_goal: bool = True
    has_bare: bool = True
    """A square may have a colour and no arrows."""
    colours_start: bool = False
    """The programs of this format agree about the start's colour, so puzzles may hang on it."""

    def show(self, place: Place) -> str:
        """Write a place as this format does."""
        return f"({place[1]},{place[0]})" if self.column_first else f"({place[0]}, {place[1]})"


class AliceKit:
    """One format of the Alice maze, as grader.model.kit asks."""

    def __init__(self, form: Form, *, start_colour: str = StartColour.IGNORED) -> None:
        self.form = form
        self.start_colour = StartColour(start_colour)

    def parse(self, text: str) -> Maze:
        return self.form.parse(text)

    def write(self, puzzle: Maze) -> str:
        return self.form.write(puzzle)

    def solve(self, puzzle: Maze) -> Answer:
        return solve.solve(puzzle, self.start_colour)

    def expect(self, puzzle: Maze) -> Expect:
        return Expect(steps=self.solve(puzzle).steps)

    def tell(self, puzzle: Maze) -> Iterator[RunRecord]:
        """Print the solver's path as a program of this format does."""
        text = self.form.tell(self.solve(puzzle))
        yield RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(text.encode()))

    def read(self, record: RunRecord) -> Claim | None:
        return claim.read(record, column_first=self.form.column_first)

    def check(self, puzzle: Maze, claimed: Claim | None, expect: Expect) -> Mismatch | None:
        steps = self.solve(puzzle).steps if expect.steps is None else expect.steps
        rules = Rules(steps=steps, start_colour=self.start_colour, show=self.form.show)
        return check.check(puzzle, claimed, rules)

    def puzzles(self) -> SearchStrategy[Maze]:
        from reference.alice import generate  # noqa: PLC0415  # Hypothesis is heavy, and grading does without it

        return generate.mazes(self.form, coloured_start=self.start_colour is StartColour.APPLIED)

    def smaller(self, puzzle: Maze) -> Iterator[Maze]:
        """Give every puzzle that has one row, column, arrow or colour less."""
        from reference.alice import simplify  # noqa: PLC0415  # only a hunt needs it

        return simplify.smaller(puzzle, self.form)

    def draw(self, puzzle: Maze, claimed: Claim | None) -> Scene:
        answer = self.solve(puzzle)
        path = claim.path_of(puzzle, claimed) if claimed else None
        rules = Rules(steps=answer.steps, start_colour=self.start_colour, show=self.form.show)
        expected = answer.path if answer.steps != UNSOLVABLE else None
        return draw.draw(puzzle, expected, path, rules)
