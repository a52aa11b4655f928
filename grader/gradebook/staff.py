"""Write what staff decide: more time, an attempt struck out, a new judgement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.gradebook.contents import keep_sheet
from grader.gradebook.event import Event, Extended, Fact, Key, Posted, Regraded, Voided
from grader.gradebook.schema import leases
from grader.gradebook.settle import judged

if TYPE_CHECKING:
    from datetime import datetime

    from grader.gradebook.history import Attempt
    from grader.gradebook.ledger import Ledger
    from grader.gradebook.regrade_diff import Change
    from grader.model.result import GradeSheet


def extend(ledger: Ledger, key: Key, extension: Extended, *, now: datetime) -> None:
    """Give one party more time or more attempts."""
    with ledger.writing(key.party) as connection:
        ledger.append(connection, Event(at=now, key=key, student=key.party, fact=extension))


def void(ledger: Ledger, key: Key, attempt: Attempt, *, fact: Voided, now: datetime) -> None:
    """Strike an attempt out; whoever still grades it settles nothing."""
    with ledger.writing(key.party) as connection:
        ledger.append(connection, _entry(key, attempt, fact, now))
        connection.execute(leases.delete().where(leases.c.attempt == attempt.id))


def note_posted(ledger: Ledger, key: Key, attempt: Attempt, *, now: datetime) -> None:
    """Note that the host has the attempt's issue as it stands."""
    with ledger.writing(key.party) as connection:
        ledger.append(connection, _entry(key, attempt, Posted(changes=len(attempt.changes)), now))


def regrade(ledger: Ledger, key: Key, change: Change, *, fact: Regraded, now: datetime) -> None:
    """Put a new judgement beside the old one; time and cost stay."""
    with ledger.writing(key.party) as connection:
        ledger.append(connection, _entry(key, change.attempt, fact, now))
        keep_sheet(connection, change.attempt.id, change.sheet)


def regraded(sheet: GradeSheet, *, by: str, why: str) -> Regraded:
    """Return what the ledger keeps of a new judgement."""
    return Regraded(**msgspec.structs.asdict(judged(sheet)), by=by, why=why)


def _entry(key: Key, attempt: Attempt, fact: Fact, now: datetime) -> Event:
    return Event(at=now, key=key, student=attempt.student, attempt=attempt.id, fact=fact)
