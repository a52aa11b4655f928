"""Prove that a book is what was written, every event and what lies beside them, and copy it."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from grader.errors import UsageError
from grader.gradebook.contents import content_digest, is_called_rightly
from grader.gradebook.db_errors import BookError, damaged
from grader.gradebook.event import Judged
from grader.gradebook.ledger import open_ledger
from grader.gradebook.schema import contents, events

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from grader.gradebook.event import Event
    from grader.gradebook.ledger import Ledger


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What was looked through."""

    events: int
    contents: int
    head: str
    """The last event's digest: whoever notes it can prove later that the book still begins so."""


def check(ledger: Ledger, *, head: str = "") -> Checked:
    """Look through the whole book; raise BookError for the first thing that isn't as it was written.

    With `head`, an event must also have that digest: nothing that was there then is gone.
    """
    with ledger.reading() as connection:
        ledger.check(connection)
        found = ledger.events(connection)
        heads = connection.scalars(select(events.c.digest).order_by(events.c.number)).all()
        count = _compare(ledger, connection, found)
    if head and head not in heads:
        raise damaged(ledger.name, f"its events never passed {head}: some are missing, or it is another book")
    return Checked(events=len(found), contents=count, head=heads[-1] if heads else "")


def back_up(ledger: Ledger, target: Path) -> Checked:
    """Copy one moment of a SQLite book to a new file, prove it, and only then give it its name."""
    if ledger.engine.dialect.name != "sqlite":
        raise UsageError("PostgreSQL has tools of its own for backups.", hint="Such as pg_dump and pg_restore.")
    if target.exists():
        raise UsageError(f"{target} is there already.", hint="Give each backup a name of its own, such as its date.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".backup-") as folder:
        draft = Path(folder) / "book.sqlite"
        draft.touch(mode=0o600)
        with ledger.alone() as source, closing(sqlite3.connect(draft)) as copy:
            source.backup(copy)
        checked = check(open_ledger(str(draft)))
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(target)
    return checked


def _compare(ledger: Ledger, connection: Connection, found: tuple[Event, ...]) -> int:
    """Look at each packed content, one in memory at a time, and count them."""
    missing: dict[str, list[str]] = {}
    for event in found:
        if isinstance(event.fact, Judged):
            missing.setdefault(event.attempt, []).extend(event.fact.kept)
    numbers = connection.scalars(select(contents.c.number)).all()
    for number in numbers:
        row = connection.execute(select(contents).where(contents.c.number == number)).one()
        digest, kept = content_digest(row.content), missing.get(row.attempt, [])
        if digest not in kept or not is_called_rightly(row.what, row.content):
            raise _changed(ledger, row.attempt)
        kept.remove(digest)
    for attempt, digests in missing.items():
        if digests:
            raise _changed(ledger, attempt)
    return len(numbers)


def _changed(ledger: Ledger, attempt: str) -> BookError:
    return damaged(ledger.name, f"what was handed in or graded as attempt {attempt} isn't what was kept")
