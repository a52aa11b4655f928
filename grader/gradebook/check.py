"""Prove that a book is what was written: every event, their chain, and what lies beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from grader.gradebook import chain
from grader.gradebook.contents import is_called_rightly
from grader.gradebook.db_errors import BookError, damaged
from grader.gradebook.event import Forgotten, Judged, Sealed
from grader.gradebook.schema import contents, events

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from grader.gradebook.ledger import Ledger


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What was looked through."""

    events: int
    contents: int
    head: str
    """The chain's last value: whoever notes it can prove later that the book still begins so."""


def check(ledger: Ledger, *, head: str = "") -> Checked:
    """Look through the whole book; raise BookError for the first thing that isn't as it was written.

    With `head`, the chain must also have passed that value: nothing that was there then is gone.
    """
    with ledger.reading() as connection:
        ledger.check(connection)
        chained, links = _follow(ledger, connection)
        kept = _committed(ledger, connection)
        _compare(ledger, connection, kept)
    if head and head not in links:
        raise damaged(ledger.name, f"its chain never passed {head}: events are missing, or it is another book")
    return Checked(events=chained, contents=sum(map(len, kept.values())), head=links[-1] if links else chain.FIRST)


def _follow(ledger: Ledger, connection: Connection) -> tuple[int, list[str]]:
    """Compute the chain again from the first event on."""
    links = [chain.FIRST]
    for row in connection.execute(select(events).order_by(events.c.number)):
        links.append(chain.link(links[-1], row.number, row.digest))
        if links[-1] != row.chain:
            raise damaged(ledger.name, f"the chain breaks at event {row.number}: it, or one before it, was changed")
    return len(links) - 1, links[1:]


def _committed(ledger: Ledger, connection: Connection) -> dict[str, list[str]]:
    """Read every event, which compares it with its digest; return what the events say lies beside an attempt."""
    redacted: dict[str, str] = {}
    kept: dict[str, list[str]] = {}
    for event in ledger.events(connection):
        if isinstance(event.fact, Forgotten):
            redacted.update(event.fact.redacted)
        if isinstance(event.fact, Judged | Sealed):
            kept.setdefault(event.attempt, []).extend(event.fact.kept)
    query = select(events.c.number, events.c.redacted).where(events.c.redacted != "")
    if {str(row.number): row.redacted for row in connection.execute(query)} != redacted:
        raise damaged(ledger.name, "an event was rewritten, and nobody was forgotten")
    return kept


def _compare(ledger: Ledger, connection: Connection, kept: dict[str, list[str]]) -> None:
    """Look at each packed content, one in memory at a time."""
    left = {attempt: sorted(digests) for attempt, digests in kept.items() if digests}
    found: dict[str, list[str]] = {}
    for number in connection.scalars(select(contents.c.number)).all():
        row = connection.execute(select(contents).where(contents.c.number == number)).one()
        digest = chain.content_digest(row.content)
        found.setdefault(row.attempt, []).append(digest)
        if digest not in left.get(row.attempt, []) or not is_called_rightly(row.what, row.content):
            raise _changed(ledger, row.attempt)
    for attempt in sorted({*left, *found}):
        if sorted(found.get(attempt, [])) != left.get(attempt, []):
            raise _changed(ledger, attempt)


def _changed(ledger: Ledger, attempt: str) -> BookError:
    return damaged(ledger.name, f"what was handed in or graded as attempt {attempt} isn't what was kept")
