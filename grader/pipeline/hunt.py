"""Hunts a submission through the puzzles of its assignment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from grader.catalogue.kits import kit_of
from grader.errors import UsageError
from grader.hunt.search import Chase, hunt
from grader.model.assignment import Assignment, Kind
from grader.model.kit import Shrinking
from grader.model.result import CaseResult
from grader.model.verdict import Verdict
from grader.pipeline.question import Questioner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.model.run import Limits
    from grader.model.seams import Sandbox
    from grader.model.submission import Submission

_QUICK_S = 1.0
"""CPU seconds for one puzzle of a hunt: a small puzzle that takes longer is a time-out worth showing."""
_PASSED = frozenset({Verdict.AC, Verdict.JE})


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


def hunt_submission(
    assignment: Assignment, submission: Submission, plan: Hunt, *, sandbox: Sandbox, tell: Callable[[int], None]
) -> Catch:
    """Hunt in each kind of case in turn, sharing the time between them; the first catch ends it."""
    kinds = [kind for kind in assignment.kinds.values() if plan.kind in (None, kind.name)]
    if not kinds:
        raise UsageError(f"there is no kind {plan.kind}", hint=f"kinds are {', '.join(assignment.kinds)}")
    share = msgspec.structs.replace(plan, seconds=plan.seconds / len(kinds))
    tried = 0
    for kind in kinds:
        pack = _Pack(assignment, kind, sandbox)
        catch = pack.hunt(submission, share, lambda count, before=tried: tell(before + count))  # type: ignore[misc]  # mypy can't infer a lambda with a default
        tried += catch.tried
        if catch.result is not None:
            return msgspec.structs.replace(catch, tried=tried)
    return Catch(tried=tried)


class _Pack:
    """Everything needed to hunt in one kind of case."""

    def __init__(self, assignment: Assignment, kind: Kind, sandbox: Sandbox) -> None:
        self._kind = kind
        self._kit: Any = kit_of(kind)
        self._questioner = Questioner(assignment, kind, self._kit, sandbox=sandbox)
        self._limits = _quick(assignment.limits)

    def hunt(self, submission: Submission, plan: Hunt, tell: Callable[[int], None]) -> Catch:
        def ask(puzzle: Any) -> CaseResult:
            return self._questioner.ask(submission, puzzle, self._limits)

        chase = Chase(lambda puzzle: ask(puzzle).verdict not in _PASSED, seconds=plan.seconds, tried=tell)
        quarry = hunt(self._kit.puzzles(), chase, seed=plan.seed, smaller=self._smaller)
        if quarry.puzzle is None:
            return Catch(tried=quarry.tried)
        text = self._kit.write(quarry.puzzle)
        return Catch(tried=quarry.tried, kind=self._kind, text=text, result=ask(quarry.puzzle))

    def _smaller(self, puzzle: Any) -> Iterator[Any]:
        return self._kit.smaller(puzzle) if isinstance(self._kit, Shrinking) else iter(())


def _quick(limits: Limits) -> Limits:
    """Give one puzzle less time than a case, so that a hunt among endless loops still gets somewhere."""
    return msgspec.structs.replace(limits, cpu_s=min(limits.cpu_s, _QUICK_S), wall_s=min(limits.wall_s, 4 * _QUICK_S))
