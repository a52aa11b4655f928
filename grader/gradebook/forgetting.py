"""Erase a student: the name and the files go, the points stay.

A name goes from the fields that hold names, and the words and files of the student's own events go whole. In staff's
words about others an id is replaced only if they ask for it: a student may be called like any word.
"""

from __future__ import annotations

import re
import secrets
import zlib
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import select, text

from grader.errors import UsageError
from grader.gradebook import schema
from grader.gradebook.db_errors import BookError
from grader.gradebook.event import EVERYBODY, Event, Forgotten, Key
from grader.gradebook.schema import contents, events, leases

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from sqlalchemy import Connection, Row

    from grader.gradebook.ledger import Ledger

_OWN_WORDS = ("commit", "origin", "host", "reports", "upload", "why", "text", "problem", "content")
"""Fields of the student's own events that tell of the person or lead to the files; `kept` names what is erased."""
_FREE = ("why", "text", "problem")
"""Fields of anybody's events that hold staff's and our words."""
_SHORT = 3
"""Letters below which a name isn't looked for in words: within them it means nothing."""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Who is to be forgotten."""

    student: str
    names: tuple[str, ...] = ()
    """Other names: addresses and names of several words go from staff's words, too; all are searched for."""
    also: tuple[str, ...] = ()
    """Words that staff themselves want gone from fields and from staff's words."""


class Erased(msgspec.Struct, frozen=True, kw_only=True):
    """What was done."""

    pseudonym: str
    events: int
    contents: int
    still_named: tuple[str, ...]
    """Events of others, and attempts of others by their files, in whose words one of the names stands."""


def reports_of(ledger: Ledger, student: str) -> tuple[str, ...]:
    """Return the student's folders of report files, on the machine that graded; BookError while one is graded."""
    with ledger.reading() as connection:
        found = ledger.events(connection, student=student)
        _check_idle(connection, {each.attempt for each in found})
    return tuple(dict.fromkeys(place for each in found if (place := getattr(each.fact, "reports", ""))))


def forget(ledger: Ledger, person: Person, *, fact: Forgotten, now: datetime) -> Erased:
    """Erase one student from the book; fact says who wants it and why."""
    pseudonym = f"forgotten-{secrets.token_hex(4)}"
    scrub = _Scrub(person, pseudonym)
    with ledger.writing() as connection:
        is_sqlite = connection.dialect.name == "sqlite"
        lock = "LOCK TABLE events IN ACCESS EXCLUSIVE MODE"  # an event appended meanwhile would fit no digest
        connection.execute(text("PRAGMA secure_delete = ON" if is_sqlite else lock))
        rows = connection.execute(select(events).order_by(events.c.number)).all()
        own = {row.attempt for row in rows if row.student == person.student and row.attempt}
        _check_idle(connection, own)
        changed = _rewrite(connection, rows, scrub)
        if not changed:
            raise UsageError(f"{person.student} is not in the book.")
        gone = connection.execute(contents.delete().where(contents.c.attempt.in_(own))).rowcount
        key = Key(assignment=EVERYBODY, party=EVERYBODY)
        said = msgspec.structs.replace(fact, why=scrub.words(fact.why, scrub.all_names))
        ledger.append(connection, Event(at=now, key=key, student=EVERYBODY, fact=said))
        left = tuple(dict.fromkeys(_still_named(connection, scrub)))
    _clear(ledger)
    return Erased(pseudonym=pseudonym, events=changed, contents=gone, still_named=left)


class _Scrub:
    """Puts a pseudonym where a name stands."""

    def __init__(self, person: Person, pseudonym: str) -> None:
        self.student = person.student
        self.pseudonym = pseudonym
        self.ids = {person.student, *person.also}
        self.also = _pattern((*person.also, *(name for name in person.names if " " in name or "@" in name)))
        self.all_names = _pattern((person.student, *person.names, *person.also))

    def row(self, row: Row[Any]) -> dict[str, object]:
        """Return the columns without the names."""
        fact = msgspec.json.decode(row.fact)
        if row.student == self.student:
            fact |= {name: type(fact[name])() for name in _OWN_WORDS if isinstance(fact.get(name), str)}
            fact |= {"kept": []} if "kept" in fact else {}
        if "members" in fact:
            fact["members"] = [self.name(each) for each in fact["members"]]
        fact |= {name: self.words(fact[name], self.also) for name in _FREE if name in fact}
        said = {name: getattr(row, name) for name in schema.COLUMNS}
        new = row.fact if fact == msgspec.json.decode(row.fact) else msgspec.json.encode(fact).decode()
        return said | {"party": self.name(row.party), "student": self.name(row.student), "fact": new}

    def name(self, name: str) -> str:
        return self.pseudonym if name in self.ids else name

    def words(self, text: str, names: re.Pattern[str] | None) -> str:
        return names.sub(self.pseudonym, text) if names else text

    def is_in(self, content: bytes) -> bool:
        return bool(self.all_names and self.all_names.search(content.decode("utf-8", "replace")))


def _pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    long = sorted((re.escape(name) for name in {*names} if len(name) >= _SHORT), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(long)})(?!\w)", re.IGNORECASE) if long else None


def _check_idle(connection: Connection, own: set[str]) -> None:
    if connection.scalars(select(leases.c.attempt).where(leases.c.attempt.in_(own))).first():
        raise BookError("An attempt of this student is being graded.", hint="Wait for it, then try again.")


def _rewrite(connection: Connection, rows: Iterable[Row[Any]], scrub: _Scrub) -> int:
    """Write the events again without the names, and every digest after them; return how many events changed."""
    count, before = 0, ""
    with schema.unguarded(connection):
        for row in rows:
            said = scrub.row(row)
            count += any(said[name] != getattr(row, name) for name in schema.COLUMNS)
            before = schema.event_digest(before, *said.values())
            if before != row.digest:
                change = events.update().where(events.c.number == row.number)
                connection.execute(change.values(**said, digest=before))
    return count


def _still_named(connection: Connection, scrub: _Scrub) -> Iterator[str]:
    """Name the events and attempts of others in whose words or files a name stands: these are theirs."""
    for row in connection.execute(select(events).order_by(events.c.number)):
        if scrub.is_in(row.fact.encode()):
            yield f"event {row.number}, about {row.student or row.party or 'the book'}"
    for number in connection.scalars(select(contents.c.number)).all():
        row = connection.execute(select(contents).where(contents.c.number == number)).one()
        if scrub.is_in(zlib.decompress(row.content)):
            named = select(events.c.student, events.c.fact).where(events.c.attempt == row.attempt)
            first = connection.execute(named.order_by(events.c.number).limit(1)).one()
            yield f"the files of {first.student} {msgspec.json.decode(first.fact).get('tag', '')}"


def _clear(ledger: Ledger) -> None:
    """Let the database give up the pages that held the old words."""
    if ledger.engine.dialect.name != "sqlite":
        with ledger.engine.connect() as connection:
            free = connection.execution_options(isolation_level="AUTOCOMMIT")
            for table in (events, contents, leases):
                free.execute(text(f"VACUUM FULL {table.name}"))
        return
    with ledger.alone() as database:
        database.execute("VACUUM")
        busy, *_ = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise BookError(
            f"The student is erased, but {ledger.name}-wal still holds old pages: another program reads the book.",
            hint="Close whatever holds it open; then any command empties it, such as: grader book check",
        )
