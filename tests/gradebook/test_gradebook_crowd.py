"""Many at once, and killed at any point: nobody gets too much, nothing is lost."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path

import crowd
import pytest
from sqlalchemy import func, select

from grader.gradebook.db_errors import LostLeaseError
from grader.gradebook.history import State
from grader.gradebook.ledger import Ledger, open_ledger
from grader.gradebook.reserve import LEASE_S, Outcome, read_history, reserve
from grader.gradebook.schema import leases
from grader.gradebook.settle import settle, sweep

pytest_plugins = ["books"]

SCRIPT = str(Path(crowd.__file__))
LATER = crowd.NOW + timedelta(seconds=LEASE_S + 1)


def states(ledger: Ledger) -> Counter[State]:
    with ledger.reading() as connection:
        return Counter(each.state for each in read_history(ledger, connection, crowd.KEY).attempts)


def leases_left(ledger: Ledger) -> int | None:
    with ledger.reading() as connection:
        return connection.scalar(select(func.count()).select_from(leases))


def test_fifty_pushes_at_once_never_exceed_the_quota(book: str) -> None:
    """Fifty processes of one student: exactly the window's seven are graded, all fifty are in the book."""
    done = subprocess.run(
        [sys.executable, SCRIPT, "at-once", book, "50"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    ledger = open_ledger(book)
    assert states(ledger) == {State.SETTLED: 7, State.REFUSED: 43}
    assert leases_left(ledger) == 0


@pytest.mark.parametrize("point", crowd.POINTS)
def test_kill_at_any_point_loses_and_doubles_nothing(book: str, point: str) -> None:
    """After kill -9 the same tag ends as one settled attempt, charged once, and no lease is left."""
    command = [sys.executable, SCRIPT, "stop-at", book, point, "v1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "here\n"
        worker.kill()
    ledger = open_ledger(book)
    sweep(ledger, now=LATER)
    reservation = reserve(ledger, crowd.arrival("v1"), regulations=crowd.RULES, now=LATER)
    if point == "settled":
        assert reservation.outcome is Outcome.KNOWN
    else:
        assert reservation.ticket is not None
        settle(ledger, reservation.ticket, sheet=crowd.sheet(), now=LATER)
    assert reservation.attempt.at == crowd.NOW
    assert states(ledger) == {State.SETTLED: 1}
    assert leases_left(ledger) == 0


def test_abandoned_attempt_is_given_back_by_the_next_push(book: str) -> None:
    """No sweep is needed: another push of the same party frees what a dead worker held."""
    ledger = open_ledger(book, create=True)
    reserve(ledger, crowd.arrival("v1"), regulations=crowd.RULES, now=crowd.NOW)
    assert states(ledger) == {State.STARTED: 1}
    reserve(ledger, crowd.arrival("v2"), regulations=crowd.RULES, now=LATER)
    assert states(ledger) == {State.REFUNDED: 1, State.STARTED: 1}


def test_a_worker_that_slept_too_long_settles_nothing(ledger: Ledger) -> None:
    """When the attempt was given back meanwhile, the late result is told so and changes nothing."""
    first = reserve(ledger, crowd.arrival("v1"), regulations=crowd.RULES, now=crowd.NOW)
    second = reserve(ledger, crowd.arrival("v1"), regulations=crowd.RULES, now=LATER)
    assert first.ticket is not None
    assert second.ticket is not None
    with pytest.raises(LostLeaseError, match="silent for too long"):
        settle(ledger, first.ticket, sheet=crowd.sheet(1), now=LATER)
    settle(ledger, second.ticket, sheet=crowd.sheet(2), now=LATER)
    assert states(ledger) == {State.SETTLED: 1}


def test_the_same_tag_at_once_is_graded_once(ledger: Ledger) -> None:
    """While one worker grades a tag, a second push of it is told to wait."""
    reserve(ledger, crowd.arrival("v1"), regulations=crowd.RULES, now=crowd.NOW)
    again = reserve(ledger, crowd.arrival("v1"), regulations=crowd.RULES, now=crowd.NOW)
    assert (again.outcome, again.text) == (Outcome.BUSY, "This tag is being graded at this moment.")
