"""Write what staff decide: more time, an attempt struck out, a new judgement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.gradebook.contents import keep_sheet
from grader.gradebook.event import (
    Adjusted,
    Event,
    Extended,
    Fact,
    HandedBack,
    Key,
    Posted,
    Regraded,
    Voided,
    Withdrawn,
)
from grader.gradebook.history import Attempt
from grader.gradebook.reserve import read_history
from grader.gradebook.schema import leases
from grader.gradebook.settle import judged
from grader.model.result import GradeSheet
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from grader.gradebook.ledger import Ledger


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


def extend(ledger: Ledger, key: Key, extension: Extended, *, now: datetime) -> bool:
    """Give one party more time or more attempts; the same once only, so that a list can be applied again."""
    with ledger.writing(key.party) as connection:
        given = read_history(ledger, connection, key).extensions
        if any((each.due, each.attempts, each.why) == _said(extension) for each in given):
            return False
        ledger.append(connection, Event(at=now, key=key, student=key.party, fact=extension))
    return True


def _said(extension: Extended) -> tuple[object, ...]:
    return extension.due, extension.attempts, extension.why


def adjust(ledger: Ledger, key: Key, attempt: str, facts: Sequence[Adjusted], *, now: datetime) -> list[Adjusted]:
    """Put people's judgements beside the machine's; return those that the book hadn't already."""
    with ledger.writing(key.party) as connection:
        past = read_history(ledger, connection, key)
        own = next(each for each in past.attempts if each.id == attempt)
        there = [msgspec.structs.replace(each.fact, by="") for each in own.adjustments]
        new = [fact for fact in facts if msgspec.structs.replace(fact, by="") not in there]
        for fact in new:
            ledger.append(connection, _entry(key, own, fact, now))
    return new


def withdraw(ledger: Ledger, key: Key, fact: Withdrawn, *, attempt: Attempt | None, now: datetime) -> None:
    """Take back one adjustment of an attempt, or without one an extension of the party."""
    student, name = (attempt.student, attempt.id) if attempt else (key.party, "")
    with ledger.writing(key.party) as connection:
        ledger.append(connection, Event(at=now, key=key, student=student, attempt=name, fact=fact))


def void(ledger: Ledger, key: Key, attempt: Attempt, *, fact: Voided, now: datetime) -> None:
    """Strike an attempt out; whoever still grades it settles nothing."""
    with ledger.writing(key.party) as connection:
        ledger.append(connection, _entry(key, attempt, fact, now))
        connection.execute(leases.delete().where(leases.c.attempt == attempt.id))


def note_told(ledger: Ledger, key: Key, attempt: Attempt, where: type[Posted | HandedBack], *, now: datetime) -> None:
    """Note that the host's issue, or a feedback zip, tells of the attempt as it is now."""
    with ledger.writing(key.party) as connection:
        ledger.append(connection, _entry(key, attempt, where(changes=len(attempt.changes)), now))


def regrade(ledger: Ledger, key: Key, change: Change, *, fact: Regraded, now: datetime) -> None:
    """Put a new judgement beside the old one; time and cost stay."""
    with ledger.writing(key.party) as connection:
        kept = keep_sheet(connection, change.attempt.id, change.sheet)
        ledger.append(connection, _entry(key, change.attempt, msgspec.structs.replace(fact, kept=(kept,)), now))


def regraded(sheet: GradeSheet, *, by: str, why: str) -> Regraded:
    """Return what the ledger keeps of a new judgement."""
    return Regraded(**msgspec.structs.asdict(judged(sheet)), by=by, why=why)


def _entry(key: Key, attempt: Attempt, fact: Fact, now: datetime) -> Event:
    return Event(at=now, key=key, student=attempt.student, attempt=attempt.id, fact=fact)
