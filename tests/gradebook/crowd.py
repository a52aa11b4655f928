"""Real processes that press on one book: a crowd at once, or one that stops at a given line.

crowd.py at-once BOOK COUNT        forks COUNT processes, each pushes its own tag of the same student
crowd.py stop-at BOOK POINT TAG    pushes one tag, says `here` at POINT, then waits to be killed
crowd.py judge BOOK COUNT          puts so many judgements of one point on the one attempt, a line for each
"""

from __future__ import annotations

import os
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import create_engine

from grader.gradebook import staff
from grader.gradebook.event import Adjusted, Event, Key, Received
from grader.gradebook.history import histories
from grader.gradebook.ledger import Ledger, open_ledger
from grader.gradebook.reserve import Arrival, Outcome, reserve
from grader.gradebook.settle import settle
from grader.model.regulations import Regulations, Window
from grader.model.result import GradeSheet, Isolation

if TYPE_CHECKING:
    from sqlalchemy import Connection

RULES = Regulations(attempts=30, window=Window(attempts=7, hours=24))
NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
KEY = Key(assignment="runner", party="s1")
POINTS = ("append-1", "append-2", "reserved", "append-3", "settled")


def arrival(tag: str) -> Arrival:
    return Arrival(key=KEY, student="s1", at=NOW, received=Received(tag=tag, commit="c" * 40))


def sheet(points: float = 5.0) -> GradeSheet:
    return GradeSheet(
        submission="s1",
        assignment="runner",
        title="Runner",
        points=points,
        max_points=10.0,
        cases=(),
        isolation=Isolation(level="isolated"),
        grader="0",
    )


class StoppingLedger(Ledger):
    """A ledger that stops for ever after writing its n-th event, inside the open transaction."""

    count = 0
    stop_at = 0

    def append(self, connection: Connection, entry: Event) -> None:
        super().append(connection, entry)
        self.count += 1
        if self.count == self.stop_at:
            wait_here()


def wait_here() -> None:
    sys.stdout.write("here\n")
    sys.stdout.flush()
    time.sleep(600)


def push(book: str, tag: str) -> None:
    ledger = open_ledger(book, create=True)
    reservation = reserve(ledger, arrival(tag), regulations=RULES, now=NOW)
    if reservation.outcome is Outcome.GRADE:
        assert reservation.ticket is not None
        settle(ledger, reservation.ticket, sheet=sheet(), now=NOW)


def at_once(book: str, count: int) -> int:
    """Fork, let all wait for one pipe to close, count those that failed."""
    create_engine("postgresql+psycopg://")  # its driver is imported once, before the fork
    gate_read, gate_write = os.pipe()
    children = [_fork(book, f"tag-{each}", gate=(gate_read, gate_write)) for each in range(count)]
    os.close(gate_write)
    return sum(os.waitpid(child, 0)[1] != 0 for child in children)


def _fork(book: str, tag: str, *, gate: tuple[int, int]) -> int:
    child = os.fork()
    if child:
        return child
    try:
        os.close(gate[1])
        os.read(gate[0], 1)
        push(book, tag)
    except BaseException as error:  # noqa: BLE001 -- a forked child must not return into its parent's code
        sys.stderr.write(f"{tag}: {error!r}\n")
        os._exit(1)
    os._exit(0)


def stop_at(book: str, point: str, tag: str) -> None:
    plain = open_ledger(book, create=True)
    ledger = StoppingLedger(plain.engine, plain.name)
    if point.startswith("append-"):
        ledger.stop_at = int(point.removeprefix("append-"))
    reservation = reserve(ledger, arrival(tag), regulations=RULES, now=NOW)
    if point == "reserved":
        wait_here()
    assert reservation.ticket is not None
    settle(ledger, reservation.ticket, sheet=sheet(), now=NOW)
    wait_here()


def judge(book: str, count: int) -> None:
    ledger = open_ledger(book)
    (own,) = histories(ledger, "runner")["s1"].attempts
    for number in range(count):
        fact = Adjusted(points=1, item=f"item-{number}", about="x", by="ta", why="y")
        staff.adjust(ledger, KEY, own.id, [fact], now=NOW)
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1] == "judge":
        judge(sys.argv[2], int(sys.argv[3]))
        sys.exit()
    if sys.argv[1] == "at-once":
        sys.exit(at_once(sys.argv[2], int(sys.argv[3])))
    stop_at(*sys.argv[2:5])
