"""The runner's kit of exact moves, one per map."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

import msgspec

from grader.model.kit import WithheldError
from grader.model.result import Accusation, Mismatch, Suspicion
from grader.model.run import Reply, RunRecord
from grader.model.verdict import Ending
from reference.runner import demo, lent, maps, pseudocode
from reference.runner.board import is_number, told
from reference.runner.draw import draw_maps
from reference.runner.explain import explain, is_move
from reference.runner.search import best_move
from reference.runner.suspects import Asked, accuse, asked, say_fickle, suspect, would_pass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.model.dice import Dice
    from grader.model.kit import Shape
    from grader.model.scene import Scene
    from reference.runner.maps import Maps

Claim = tuple[Any, ...]

SOLVERS = (
    "reference.runner.pseudocode",
    "reference.runner.search:search,nearest_food,adjacent,first_feasible,_trace,_first_move",
    "reference.runner.board:Move,_STEPS,stepped",
)


class ExpectedMoves(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answer key of a sequence of maps."""

    moves: tuple[int, ...]
    """The exact moves, one per map."""


class RunnerMoves:
    """Reads maps, gives the pseudocode's moves, judges a student's."""

    Expect = ExpectedMoves
    call_name = "map {index}"

    def parse(self, text: str) -> Maps:
        return demo.parse_demo(text) if demo.is_demo(text) else maps.parse(text)

    def write(self, puzzle: Maps) -> str:
        return maps.write(puzzle)

    def solve(self, puzzle: Maps) -> tuple[int, ...]:
        return tuple(best_move(board, puzzle.runner_id) for board in puzzle.boards)

    def expect(self, puzzle: Maps) -> ExpectedMoves:
        return ExpectedMoves(moves=self.solve(puzzle))

    def calls(self, puzzle: Maps) -> tuple[tuple[Any, ...], ...]:
        return tuple(board.arguments(puzzle.runner_id) for board in puzzle.boards)

    def lent(self, puzzle: Maps) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...]]]:
        return lent.calls(puzzle.boards, puzzle.runner_id)

    def tell(self, puzzle: Maps) -> Iterator[RunRecord]:
        """Return the moves of the literal pseudocode, then those of the quick search."""
        literal = [pseudocode.move_algo(*arguments) for arguments in self.calls(puzzle)]
        for moves in (literal, self.solve(puzzle)):
            replies = tuple(Reply(value=move) for move in moves)
            yield RunRecord(ending=Ending.EXITED, exit_status=0, replies=replies)

    def read(self, record: RunRecord) -> Claim | None:
        return tuple(reply.value for reply in record.replies) or None

    def check(self, puzzle: Maps, claim: Claim | None, expect: ExpectedMoves) -> Mismatch | None:
        """Compare move by move; part of the points may be for how many of them are right."""
        expected = expect.moves
        if claim is None:
            return Mismatch(kind="no-answer", message="Your function was never answered a call.")
        hits = [is_right(value, move) for value, move in zip(claim, expected, strict=False)]
        if len(claim) == len(expected) and all(hits):
            return None
        step = hits.index(False) if False in hits else len(hits)
        calls = asked(puzzle.boards, claim, expected)
        return Mismatch(
            kind="move" if step < len(claim) else "ended-early",
            where=self.call_name.format(index=step),
            message=f"{self.call_name.format(index=step)}: {_explain(puzzle, claim, expected, step)}",
            suspicion=suspicion(calls, puzzle.runner_id),
            expected=told(expected[step]) if step < len(expected) else "",
            found=told(claim[step]) if step < len(claim) else "",
            step=step,
            names_cause=step < len(claim) and not is_move(claim[step]),
            shares={"moves": sum(hits) / len(expected) if expected else 0.0},
        )

    def so_far(self, puzzle: Maps, record: RunRecord) -> Mismatch | None:
        """Explain the first wrong move before a run ended badly; in the students' kit it isn't known."""
        claim = tuple(reply.value for reply in takewhile(lambda reply: reply.raised is None, record.replies))
        try:
            expect = self.expect(puzzle)
        except WithheldError:
            return None
        is_wrong = any(not is_right(value, move) for value, move in zip(claim, expect.moves, strict=False))
        return self.check(puzzle, claim, expect) if is_wrong else None

    def would_pass(self, puzzle: Maps, name: str) -> bool:
        return would_pass(puzzle.boards, puzzle.runner_id, name)

    def accuse(self, names: tuple[str, ...]) -> Accusation | None:
        return accuse(names)

    def shapes(self) -> dict[str, Shape]:
        from reference.runner import generate  # noqa: PLC0415  # only who makes cases needs it

        return generate.MAPS

    def vary(self, dice: Dice, shape: str, size: int | None = None) -> str:
        from reference.runner import generate  # noqa: PLC0415  # only who makes cases needs it

        return generate.vary_maps(dice, shape, size)

    def difficulty(self, puzzle: Maps) -> dict[str, float]:
        from reference.runner import generate  # noqa: PLC0415  # only who makes cases needs it

        return generate.difficulty(puzzle.boards)

    def smaller(self, puzzle: Maps) -> Iterator[Maps]:
        from reference.runner import simplify  # noqa: PLC0415  # only a hunt needs it

        return simplify.smaller_maps(puzzle)

    def draw(self, puzzle: Maps, claim: Claim | None) -> Scene:
        return draw_maps(puzzle, claim)


def is_right(value: Any, move: int) -> bool:
    """Tell whether a reply equals a move; `2.0` and `True` equal 2 and 1 as in Python, text never does."""
    return is_number(value) and value == move


def suspicion(calls: list[Asked], runner_id: int) -> Suspicion | None:
    """Return the mistakes that explain every move; of boards of one's own the students' kit can prove none."""
    try:
        return suspect(calls, runner_id) if not say_fickle(calls) else None
    except WithheldError:
        return Suspicion(names=())


def kit() -> RunnerMoves:
    """Give the kit; the pseudocode has no variants."""
    return RunnerMoves()


def _explain(puzzle: Maps, claim: Claim, moves: tuple[int, ...], step: int) -> str:
    if step >= len(puzzle.boards):
        return "more moves than maps came back"
    if step >= len(claim):
        return f"no move came back; {len(puzzle.boards)} maps were asked"
    try:
        fickle = say_fickle(asked(puzzle.boards, claim, moves))
        return explain(puzzle.boards[step], puzzle.runner_id, claim[step], fickle)
    except WithheldError:
        return f"you returned {told(claim[step])}; {told(moves[step])} is expected."
