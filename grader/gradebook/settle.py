"""End a reserved attempt: settle it, renew its lease, give back the abandoned."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from grader.errors import GraderError
from grader.gradebook.contents import keep_sheet, keep_submission
from grader.gradebook.db_errors import LostLeaseError
from grader.gradebook.event import Event, Judged, Settled
from grader.gradebook.ledger import microseconds
from grader.gradebook.reserve import LEASE_S, give_back_abandoned
from grader.gradebook.schema import leases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from grader.gradebook.ledger import Ledger
    from grader.gradebook.reserve import Ticket
    from grader.model.result import GradeSheet
    from grader.model.submission import Submission


def settle(
    ledger: Ledger, ticket: Ticket, *, sheet: GradeSheet, now: datetime, submission: Submission | None = None
) -> Settled:
    """Write the result, what it was reached from, and the end of the lease, all at once."""
    is_ours = any(case.outage for case in sheet.cases)  # nobody can cause an outage, so this gives nothing away
    fact = Settled(**msgspec.structs.asdict(judged(sheet)), our_fault=is_ours)
    with ledger.writing(ticket.key.party) as connection:
        kept = [keep_sheet(connection, ticket.attempt, sheet)]
        if submission is not None:
            kept.append(keep_submission(connection, ticket.attempt, submission))
        fact = msgspec.structs.replace(fact, kept=tuple(kept))
        _end(ledger, connection, ticket, fact=fact, now=now)
    return fact


def give_back(ledger: Ledger, ticket: Ticket, *, problem: str, now: datetime) -> None:
    """End an attempt that a fault of ours stopped; it costs nothing."""
    fact = Settled(points=0, max_points=0, problem=problem, our_fault=True)
    with ledger.writing(ticket.key.party) as connection:
        _end(ledger, connection, ticket, fact=fact, now=now)


def judged(sheet: GradeSheet) -> Judged:
    """Return what the ledger keeps of a sheet."""
    verdicts = dict(sorted(Counter(str(case.verdict) for case in sheet.cases).items()))
    return Judged(points=sheet.points, max_points=sheet.max_points, verdicts=verdicts, problem=sheet.problem)


def renew(ledger: Ledger, ticket: Ticket, *, now: datetime, lease_s: float = LEASE_S) -> None:
    """Tell that the worker is alive."""
    with ledger.writing(ticket.key.party) as connection:
        _hold(connection, ticket)
        until = microseconds(now + timedelta(seconds=lease_s))
        connection.execute(leases.update().where(leases.c.attempt == ticket.attempt).values(until_us=until))


@contextmanager
def renewing(ledger: Ledger, ticket: Ticket, *, lease_s: float = LEASE_S) -> Iterator[None]:
    """Renew the lease from a thread as long as the body runs; a book that fails meanwhile shows itself at the end."""
    done = threading.Event()

    def beat() -> None:
        while not done.wait(lease_s / 4):
            try:
                renew(ledger, ticket, now=datetime.now(UTC), lease_s=lease_s)
            except LostLeaseError:
                return
            except GraderError:
                continue

    thread = threading.Thread(target=beat, name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def sweep(ledger: Ledger, *, now: datetime) -> int:
    """Give back every attempt, of anybody, whose worker fell silent."""
    with ledger.reading() as connection:
        ran_out = select(leases.c.party).where(leases.c.until_us < microseconds(now)).distinct()
        parties = tuple(connection.scalars(ran_out))
    count = 0
    for party in parties:
        with ledger.writing(party) as connection:
            count += give_back_abandoned(ledger, connection, party=party, now=now)
    return count


def _hold(connection: Connection, ticket: Ticket) -> None:
    worker = connection.scalar(select(leases.c.worker).where(leases.c.attempt == ticket.attempt))
    if worker != ticket.worker:
        raise LostLeaseError(
            "This attempt was given back, because its grader was silent for too long.",
            hint="Submit the same tag again; nothing was charged.",
        )


def _end(ledger: Ledger, connection: Connection, ticket: Ticket, *, fact: Settled, now: datetime) -> None:
    _hold(connection, ticket)
    entry = Event(at=now, key=ticket.key, student=ticket.student, attempt=ticket.attempt, fact=fact)
    ledger.append(connection, entry)
    connection.execute(leases.delete().where(leases.c.attempt == ticket.attempt))
