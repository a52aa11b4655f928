"""Say what a regrading changes: which case, who goes up, who goes down."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from grader.gradebook.history import Attempt
from grader.gradebook.standing import standing
from grader.model.result import GradeSheet
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from grader.gradebook.history import History
    from grader.model.regulations import Regulations
    from grader.model.result import CaseResult


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt, judged before and now."""

    party: str
    attempt: Attempt
    sheet: GradeSheet
    """The new one."""
    reasons: tuple[str, ...]

    @property
    def before(self) -> float | None:
        return self.attempt.points

    @property
    def after(self) -> float:
        return self.sheet.points

    @property
    def our_fault(self) -> bool:
        return any(case.verdict is Verdict.JE for case in self.sheet.cases)

    @property
    def matters(self) -> bool:
        return self.before != self.after or bool(self.reasons)


def outcome_of(changes: Iterable[Change]) -> str:
    """Return a short name of what these changes say, down to every case's points."""
    said = sorted(
        (each.attempt.id, each.before, each.after, each.reasons, [_short(case) for case in each.sheet.cases])
        for each in changes
    )
    return hashlib.blake2b(repr(said).encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """What counts for one party, before and after."""

    party: str
    before: float
    after: float

    @property
    def direction(self) -> str:
        return "up" if self.after > self.before else "down" if self.after < self.before else "same"


def moves(regulations: Regulations, past: Mapping[str, History], changes: tuple[Change, ...]) -> tuple[Move, ...]:
    """Return every party whose attempts changed, with the points that count."""
    news = {each.attempt.id: each.after for each in changes}
    found = []
    for party in sorted({each.party for each in changes}):
        attempts = tuple(
            msgspec.structs.replace(each, points=news.get(each.id, each.points)) for each in past[party].attempts
        )
        after = standing(regulations, msgspec.structs.replace(past[party], attempts=attempts)).points
        found.append(Move(party=party, before=standing(regulations, past[party]).points, after=after))
    return tuple(found)


def reasons(old: GradeSheet | None, new: GradeSheet) -> list[str]:
    """Compare two sheets of one attempt, case by case."""
    if old is None:
        return ["no earlier sheet was kept"]
    before = {case.id: case for case in old.cases}
    after = {case.id: case for case in new.cases}
    found = [f"{name}: new case, {case.verdict}" for name, case in after.items() if name not in before]
    found += [f"{name}: no longer a case" for name in before if name not in after]
    for name in (name for name in before if name in after):
        was, now = _short(before[name]), _short(after[name])
        if was != now:
            found.append(f"{name}: {was} → {now}")
    if old.problem != new.problem:
        found.append(new.problem or "it can be graded now")
    return found


def _short(case: CaseResult) -> str:
    return f"{case.verdict} {case.points:g}/{case.facts.points:g}"
