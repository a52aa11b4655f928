"""The kit's functions, bound to one written format and one set of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

from grader.model.run import RunRecord, Stream
from grader.model.verdict import Ending
from reference.alice import accuse, check, claim, draw, mistaken, solve, suspects
from reference.alice.puzzle import UNSOLVABLE, Answer, Maze, StartColour
from reference.alice.walk import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.model.dice import Dice
    from grader.model.kit import Shape
    from grader.model.result import Accusation, Mismatch
    from grader.model.scene import Scene
    from reference.alice.claim import Claim
    from reference.alice.puzzle import Form

SOLVERS = ("reference.alice.solve", "reference.alice.puzzle:Colour,OFFSETS,first_step")
"""What a mutant of the solver may be made of; each format adds its own tables."""


class ExpectedSteps(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answer key of a maze."""

    steps: Annotated[int, Meta(ge=-1)]
    """Fewest moves; -1 for no solution."""


class AliceKit:
    """One format of the Alice maze, as grader.model.kit asks."""

    Expect: ClassVar[type[Any]] = ExpectedSteps

    def __init__(self, form: Form, *, start_colour: str = StartColour.IGNORED) -> None:
        self.form = form
        self.start_colour = StartColour(start_colour)

    def parse(self, text: str) -> Maze:
        return self.form.parse(text)

    def write(self, puzzle: Maze) -> str:
        return self.form.write(puzzle)

    def solve(self, puzzle: Maze) -> Answer:
        return solve.solve(puzzle, self.start_colour)

    def lent(self, puzzle: Maze) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...]]]:
        """Name the shortest path, which is drawn beside the student's, and the mistaken ones."""
        yield solve.solve, (puzzle, self.start_colour)
        yield mistaken.fewest_moves, (puzzle, self.start_colour)
        yield mistaken.wrong_paths, (puzzle, self.start_colour)

    def expect(self, puzzle: Maze) -> Any:
        return ExpectedSteps(steps=self.solve(puzzle).steps)

    def tell(self, puzzle: Maze) -> Iterator[RunRecord]:
        """Print the solver's path as a program of this format does."""
        text = self.form.tell(self.solve(puzzle))
        yield RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(text.encode()))

    def read(self, record: RunRecord) -> Claim | None:
        return claim.read(record, column_first=self.form.column_first)

    def check(self, puzzle: Maze, claimed: Claim | None, expect: Any) -> Mismatch | None:
        rules = Rules(steps=expect.steps, start_colour=self.start_colour, show=self.form.show)
        return check.check(puzzle, claimed, rules)

    def would_pass(self, puzzle: Maze, suspect: str) -> bool:
        return suspects.would_pass(puzzle, self.start_colour, suspect)

    def accuse(self, names: tuple[str, ...]) -> Accusation | None:
        return accuse.accuse(names)

    def shapes(self) -> dict[str, Shape]:
        from reference.alice import generate  # noqa: PLC0415  # only who makes cases needs it

        return generate.shapes(self.form)

    def vary(self, dice: Dice, shape: str, size: int | None = None) -> str:
        from reference.alice import generate  # noqa: PLC0415  # only who makes cases needs it

        is_applied = self.start_colour is StartColour.APPLIED
        form = msgspec.structs.replace(self.form, colours_start=True) if is_applied else self.form
        return generate.vary(dice, shape, form, size)

    def difficulty(self, puzzle: Maze) -> dict[str, float]:
        from reference.alice import generate  # noqa: PLC0415  # only who makes cases needs it

        return generate.difficulty(puzzle, self.start_colour)

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
