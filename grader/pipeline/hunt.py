"""Hunts a submission through the puzzles of its assignment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from grader.catalogue.kits import kit_of
from grader.errors import UsageError
from grader.hunt.search import Chase, Ground, corner, hunt
from grader.model.assignment import Assignment, Kind
from grader.model.kit import Lengthy, Shrinking
from grader.model.result import CaseResult
from grader.model.verdict import Verdict
from grader.pipeline.question import Questioner
from grader.pipeline.sheets import Stationery

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.model.run import Limits
    from grader.model.seams import Sandbox
    from grader.model.submission import Submission

_QUICK_S = 0.1
"""CPU seconds for one puzzle while hunting, so that a hunt among endless loops still gets somewhere."""
_DOUBT_S = 0.4
"""The same, before a time-out is taken for another failure than the one that is followed."""
_SURE_S = 1.0
"""CPU seconds after which a small puzzle is a time-out worth showing."""
_SHOWN_S = 0.7
"""CPU seconds of the puzzle that is shown: fewer, so that what was surely a time-out is one again."""
_MOST_OUTPUT_MIB = 2.0
_PASSED = frozenset({Verdict.AC, Verdict.JE})
_ENDLESS = frozenset({Verdict.TLE, Verdict.OLE, Verdict.MLE})
"""One failure with three faces: which limit an endless loop meets first is chance."""


class Hunt(msgspec.Struct, frozen=True, kw_only=True):
    """How long to hunt, and where to begin."""

    seconds: float = 30.0
    seed: int = 0
    kind: str | None = None


class Catch(msgspec.Struct, frozen=True, kw_only=True):
    """What a hunt found: a puzzle as text, with the submission's result on it; or only how many were tried."""

    tried: int
    kind: Kind | None = None
    text: str = ""
    result: CaseResult | None = None
    is_smallest: bool = False
    """Nothing can be taken away from the puzzle; False when the time ran out before that was sure."""


def hunt_submission(
    assignment: Assignment, submission: Submission, plan: Hunt, *, sandbox: Sandbox, tell: Callable[[int], None]
) -> Catch:
    """Hunt in each kind of case in turn, sharing the time between them; the first catch has what is left of it."""
    kinds = [kind for kind in assignment.kinds.values() if plan.kind in (None, kind.name)]
    if not kinds:
        raise UsageError(f"there is no kind {plan.kind}", hint=f"kinds are {', '.join(assignment.kinds)}")
    share = plan.seconds / len(kinds)
    tried = 0
    for number, kind in enumerate(kinds, start=1):
        turn = _Turn(search_s=share, shrink_s=plan.seconds - number * share, seed=plan.seed)
        pack = _Pack(assignment, kind, sandbox)
        catch = pack.hunt(submission, turn, lambda count, before=tried: tell(before + count))  # type: ignore[misc]  # mypy can't infer a lambda with a default
        tried += catch.tried
        if catch.result is not None:
            return msgspec.structs.replace(catch, tried=tried)
    return Catch(tried=tried)


class _Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One kind's share of the hunt."""

    search_s: float
    shrink_s: float
    seed: int


class _Pack:
    """Everything needed to hunt in one kind of case."""

    def __init__(self, assignment: Assignment, kind: Kind, sandbox: Sandbox) -> None:
        self._kind = kind
        self._kit: Any = kit_of(kind)
        self._paper = Stationery(self._kit, kind)
        self._questioner = Questioner(assignment, kind, self._kit, sandbox=sandbox, write=self._paper.write)
        self._limits = assignment.limits

    def hunt(self, submission: Submission, turn: _Turn, tell: Callable[[int], None]) -> Catch:
        scent = _Scent(lambda puzzle, cpu_s: self._verdict(submission, puzzle, cpu_s), name=self._paper.write)
        chase = Chase(scent.fails, seconds=turn.search_s, shrink_s=turn.shrink_s, tried=lambda _: tell(scent.tried))
        ground = self._ground()
        quarry = hunt(ground, chase, seed=turn.seed)
        if quarry.puzzle is None:
            return Catch(tried=scent.tried)
        result = self._ask(submission, quarry.puzzle)
        if result.verdict in _PASSED:  # slow, but right after all: shrink again with more time for each puzzle
            scent.believe_no_time_out()
            quarry = corner(scent.first, chase, ground)
            result = self._ask(submission, quarry.puzzle)
        text = self._paper.write(quarry.puzzle)
        return Catch(tried=scent.tried, kind=self._kind, text=text, result=result, is_smallest=quarry.is_smallest)

    def _ask(self, submission: Submission, puzzle: Any) -> CaseResult:
        return self._questioner.ask(submission, puzzle, _within(self._limits, _SHOWN_S))

    def _verdict(self, submission: Submission, puzzle: Any, cpu_s: float) -> Verdict:
        return self._questioner.verdict(submission, puzzle, _within(self._limits, cpu_s))

    def _ground(self) -> Ground:
        long_puzzles = self._kit.long_puzzles() if isinstance(self._kit, Lengthy) else None
        return Ground(
            puzzles=self._paper.sheets(self._kit.puzzles()),
            long_puzzles=None if long_puzzles is None else self._paper.sheets(long_puzzles),
            smaller=lambda sheet: self._paper.smaller(sheet, self._smaller),
        )

    def _smaller(self, puzzle: Any) -> Iterator[Any]:
        return self._kit.smaller(puzzle) if isinstance(self._kit, Shrinking) else iter(())


class _Scent:
    """Asks about each puzzle once, and follows the first kind of failure it meets."""

    def __init__(self, ask: Callable[[Any, float], Verdict], *, name: Callable[[Any], str]) -> None:
        self._ask = ask
        self._name = name
        self._known: dict[str, Verdict] = {}
        self._followed: frozenset[Verdict] = frozenset()
        self._quick_s = _QUICK_S
        self.first: Any = None
        """The first puzzle that failed, beyond doubt."""

    @property
    def tried(self) -> int:
        return len(self._known)

    def fails(self, puzzle: Any) -> bool:
        """Tell whether the puzzle fails as the first one that failed did."""
        name = self._name(puzzle)
        if name not in self._known:
            self._known[name] = self._answer(puzzle)
        verdict = self._known[name]
        if verdict in _PASSED:
            return False
        if not self._followed:
            self._followed = _ENDLESS if verdict in _ENDLESS else frozenset({verdict})
            self.first = puzzle
        return verdict in self._followed

    def believe_no_time_out(self) -> None:
        """Give every puzzle from now on the time of the one that is shown."""
        self._quick_s = _SURE_S
        self._known = {name: verdict for name, verdict in self._known.items() if verdict not in _ENDLESS}

    def _answer(self, puzzle: Any) -> Verdict:
        """Ask; time-outs are believed at once only while time-outs are followed."""
        verdict = self._ask(puzzle, self._quick_s)
        if verdict not in _ENDLESS or self._followed == _ENDLESS:
            return verdict
        return self._ask(puzzle, _DOUBT_S if self._followed else _SURE_S)


def _within(limits: Limits, cpu_s: float) -> Limits:
    """Give one puzzle less time and output than a case; the clock has slack for a busy machine."""
    return msgspec.structs.replace(
        limits,
        cpu_s=min(limits.cpu_s, cpu_s),
        wall_s=min(limits.wall_s, 2 + 8 * cpu_s),
        output_mib=min(limits.output_mib, _MOST_OUTPUT_MIB),
    )
