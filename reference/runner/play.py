"""The runner's kit of closed-loop play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from grader.model.kit import WithheldError
from grader.model.result import Accusation, Mismatch, Suspicion
from grader.model.run import Reply, RunRecord
from grader.model.verdict import Ending
from reference.runner import lent, mistaken_play, pseudocode, setup
from reference.runner.board import Board, is_number
from reference.runner.draw import Telling, draw_boards
from reference.runner.explain import explain
from reference.runner.moves import suspicion
from reference.runner.search import best_move
from reference.runner.suspects import NAMES, accuse, asked, say_fickle
from reference.runner.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.model.dice import Dice
    from grader.model.kit import Shape
    from grader.model.scene import Scene
    from reference.runner.setup import Setup

__all__ = ["World", "kit"]

Claim = tuple[Any, ...]


class Play(msgspec.Struct, frozen=True, kw_only=True):
    """A play as it went: a board before each move, the last one after it, and how it ended."""

    boards: tuple[Board, ...]
    moves: tuple[Any, ...]
    outcome: dict[str, Any]


class ExpectedOutcome(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answer key of a play."""

    outcome: dict[str, Any]
    """How it ends: moves, food, ending."""


class RunnerPlay:
    """Reads plays, plays them by the pseudocode, judges a student's play by its outcome."""

    Expect = ExpectedOutcome
    call_name = "tick {index}"

    def parse(self, text: str) -> Setup:
        return setup.parse(text)

    def write(self, puzzle: Setup) -> str:
        return setup.write(puzzle)

    def solve(self, puzzle: Setup) -> Play:
        """Play it by the pseudocode."""
        world = World(msgspec.to_builtins(puzzle))
        boards, moves = [], []
        while not world.ending:
            boards.append(world.board())
            moves.append(best_move(boards[-1], puzzle.runner_id))
            world.act(moves[-1])
        return Play(boards=(*boards, world.board()), moves=tuple(moves), outcome=world.outcome())

    def expect(self, puzzle: Setup) -> ExpectedOutcome:
        return ExpectedOutcome(outcome=self.solve(puzzle).outcome)

    def world(self, puzzle: Setup) -> tuple[str, Any]:
        return "reference.runner.play:World", msgspec.to_builtins(puzzle)

    def lent(self, puzzle: Setup) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...]]]:
        """Name the boards of the right play: until the first difference a student's are the same."""
        yield from lent.calls(self.solve(puzzle).boards, puzzle.runner_id)
        yield from ((mistaken_play.would_pass, (puzzle, name)) for name in NAMES)
        yield mistaken_play.plays, (puzzle,)

    def tell(self, puzzle: Setup) -> Iterator[RunRecord]:
        """Play by the literal pseudocode, then by the quick search."""
        world = World(msgspec.to_builtins(puzzle))
        literal = []
        while (seen := world.observe()) is not None:
            literal.append(pseudocode.move_algo(*seen))
            world.act(literal[-1])
        for moves in (literal, self.solve(puzzle).moves):
            replies = tuple(Reply(value=move) for move in moves)
            yield RunRecord(ending=Ending.EXITED, exit_status=0, replies=replies)

    def read(self, record: RunRecord) -> Claim | None:
        return tuple(reply.value for reply in record.replies) or None

    def check(self, puzzle: Setup, claim: Claim | None, expect: ExpectedOutcome) -> Mismatch | None:
        """Replay the moves and compare the outcome; explain the first tick that the pseudocode plays otherwise."""
        if claim is None:
            return Mismatch(kind="no-answer", message="Your function was never answered a call.")
        expected = expect.outcome
        played = replay(puzzle, claim)
        if played.outcome == expected:
            return None
        step, reason = _first_difference(puzzle, played)
        return Mismatch(
            kind="play",
            where=self.call_name.format(index=step),
            message=f"tick {step}: {reason} In the end {_told(played.outcome)}; the pseudocode: {_told(expected)}.",
            expected=_told(expected),
            found=_told(played.outcome),
            step=step,
            right=tuple(part for part in expected if played.outcome.get(part) == expected[part]),
            suspicion=_suspicion(puzzle, played),
        )

    def would_pass(self, puzzle: Setup, name: str) -> bool:
        return mistaken_play.would_pass(puzzle, name)

    def accuse(self, names: tuple[str, ...]) -> Accusation | None:
        return accuse(names)

    def shapes(self) -> dict[str, Shape]:
        from reference.runner import generate  # noqa: PLC0415  # only who makes cases needs it

        return generate.PLAYS

    def vary(self, dice: Dice, shape: str, size: int | None = None) -> str:
        from reference.runner import generate  # noqa: PLC0415  # only who makes cases needs it

        return generate.vary_play(dice, shape, size)

    def difficulty(self, puzzle: Setup) -> dict[str, float]:
        from reference.runner import generate  # noqa: PLC0415  # only who makes cases needs it

        return generate.difficulty(self.solve(puzzle).boards)

    def smaller(self, puzzle: Setup) -> Iterator[Setup]:
        from reference.runner import simplify  # noqa: PLC0415  # only a hunt needs it

        return simplify.smaller_play(puzzle)

    def draw(self, puzzle: Setup, claim: Claim | None) -> Scene:
        """Draw the pseudocode's play and the student's, tick by tick."""
        right = self.solve(puzzle)
        tellings = [Telling(title="the pseudocode", boards=right.boards, moves=right.moves)]
        difference = None
        if claim is not None:
            played = replay(puzzle, claim)
            tellings.append(Telling(title="your runner", boards=played.boards, moves=played.moves))
            if played.moves != right.moves:
                difference = _first_difference(puzzle, played)[0]
        return draw_boards(tellings, runner_id=puzzle.runner_id, difference=difference, title="The maze runner")


def replay(puzzle: Setup, claim: Claim) -> Play:
    """Play it by the student's replies."""
    world = World(msgspec.to_builtins(puzzle))
    boards, moves = [], []
    for value in claim:
        if world.ending:
            break
        boards.append(world.board())
        moves.append(value)
        world.act(value)
    return Play(boards=(*boards, world.board()), moves=tuple(moves), outcome=world.outcome())


def kit() -> RunnerPlay:
    """Give the kit; the pseudocode has no variants."""
    return RunnerPlay()


def _first_difference(puzzle: Setup, played: Play) -> tuple[int, str]:
    runner_id = puzzle.runner_id
    for step, (board, value) in enumerate(zip(played.boards, played.moves, strict=False)):
        if not is_number(value) or value != best_move(board, runner_id):
            return step, explain(
                board, runner_id, value, say_fickle(asked(played.boards, played.moves, played.moves))
            )
    return len(played.moves), "your runner made the pseudocode's moves so far, but no more came."


def _suspicion(puzzle: Setup, played: Play) -> Suspicion | None:
    """Look for mistakes; the students' kit doesn't know the right moves on the student's boards."""
    runner_id = puzzle.runner_id
    try:
        right = [best_move(board, runner_id) for board in played.boards[: len(played.moves)]]
    except WithheldError:
        return _played_alike(puzzle, played)
    return suspicion(asked(played.boards, played.moves, right), runner_id)


def _played_alike(puzzle: Setup, played: Play) -> Suspicion:
    """Return the mistakes that play so from the start: from there on their boards are the student's."""
    count = len(played.moves)
    try:
        plays = {name: moves[:count] for name, moves in mistaken_play.plays(puzzle).items()}
    except WithheldError:  # a puzzle of the student's own
        plays = {}
    alike = {name: moves for name, moves in plays.items() if tuple(move for move, _ in moves) == played.moves}
    wrong = max((sum(move != right for move, right in moves) for moves in alike.values()), default=0)
    return Suspicion(names=tuple(alike), weight=min(wrong, 2))


def _told(outcome: dict[str, Any]) -> str:
    return f"{outcome.get('moves')} moves, {outcome.get('food')} food, ending {outcome.get('ending')!r}"
