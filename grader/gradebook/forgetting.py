"""Erase a student: the name and the files go, the points and the chain stay.

Every event that names the student is written again with a pseudonym, without its salt. Its first digest stays in the
chain, and one event more says which were rewritten and what they say since, so that `check` still proves the book.
"""

from __future__ import annotations

import re
import secrets
import zlib
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import select, text

from grader.errors import UsageError
from grader.gradebook import chain, schema
from grader.gradebook.db_errors import BookError
from grader.gradebook.event import EVERYBODY, Event, Fact, Forgotten, Key
from grader.gradebook.schema import contents, events, leases

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy import Connection, Row

    from grader.gradebook.ledger import Ledger

_OWN_WORDS = ("commit", "origin", "host", "reports", "upload", "why", "text", "problem", "content")
"""Fields of the student's own events that tell of the person or lead to the files; `kept` names what is erased."""
_SHORT = 3
"""Letters below which a name is only looked for where names stand: within other words it means nothing."""


class Erased(msgspec.Struct, frozen=True, kw_only=True):
    """What was done."""

    pseudonym: str
    events: int
    contents: int
    reports: tuple[str, ...]
    """Folders of report files, on the machine that graded."""
    still_named: tuple[str, ...]
    """Attempts of others whose own files have one of the names."""


def forget(ledger: Ledger, student: str, *, names: Iterable[str], fact: Forgotten, now: datetime) -> Erased:
    """Erase one student from the book, wherever one of the names stands; fact says who wants it and why."""
    pseudonym = f"forgotten-{secrets.token_hex(4)}"
    scrub = _Scrub(student, names, pseudonym)
    with ledger.writing() as connection:
        if connection.dialect.name == "sqlite":
            connection.execute(text("PRAGMA secure_delete = ON"))
        rows = connection.execute(select(events).order_by(events.c.number)).all()
        own = {row.attempt for row in rows if row.student == student and row.attempt}
        reports = _reports(rows, student)
        changed = {row: new for row in rows if (new := scrub.row(row)) is not None}
        if not changed:
            raise UsageError(f"{student} is not in the book.")
        _check_idle(connection, own)
        redacted = _rewrite(connection, changed)
        gone = connection.execute(contents.delete().where(contents.c.attempt.in_(own))).rowcount
        said = msgspec.structs.replace(fact, redacted=redacted, why=scrub.text(fact.why))
        key = Key(assignment=EVERYBODY, party=EVERYBODY)
        ledger.append(connection, Event(at=now, key=key, student=EVERYBODY, fact=said))
        left = tuple(_still_named(connection, scrub))
    _clear(ledger)
    return Erased(pseudonym=pseudonym, events=len(changed), contents=gone, reports=reports, still_named=left)


class _Scrub:
    """Puts a pseudonym where names stand."""

    def __init__(self, student: str, names: Iterable[str], pseudonym: str) -> None:
        self.student = student
        self.pseudonym = pseudonym
        self.names = {student, *(name for name in names if name)}
        long = sorted((re.escape(name) for name in self.names if len(name) >= _SHORT), key=len, reverse=True)
        self.pattern = re.compile(rf"(?<!\w)(?:{'|'.join(long)})(?!\w)", re.IGNORECASE) if long else None

    def row(self, row: Row[Any]) -> dict[str, object] | None:
        """Return the columns without the names; None when none of them stands there."""
        fact = msgspec.json.decode(row.fact)
        is_own = row.student == self.student
        if is_own:
            fact |= {name: type(fact[name])() for name in _OWN_WORDS if isinstance(fact.get(name), str)}
            fact |= {"kept": []} if "kept" in fact else {}
        new = msgspec.json.encode(msgspec.json.decode(msgspec.json.encode(self.value(fact)), type=Fact)).decode()
        columns = {
            "at_us": row.at_us,
            "assignment": row.assignment,
            "party": self.value(row.party),
            "student": self.value(row.student),
            "attempt": row.attempt,
            "fact": new if is_own or self.value(fact) != fact else row.fact,
        }
        before = {name: getattr(row, name) for name in schema.COLUMNS}
        return None if columns == before else columns

    def value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.pseudonym if value in self.names else self.text(value)
        if isinstance(value, list):
            return [self.value(each) for each in value]
        return {name: self.value(each) for name, each in value.items()} if isinstance(value, dict) else value

    def text(self, words: str) -> str:
        return self.pattern.sub(self.pseudonym, words) if self.pattern else words

    def is_in(self, content: bytes) -> bool:
        return bool(self.pattern and self.pattern.search(content.decode("utf-8", "replace")))


def _reports(rows: Iterable[Row[Any]], student: str) -> tuple[str, ...]:
    facts = (msgspec.json.decode(row.fact) for row in rows if row.student == student)
    return tuple(dict.fromkeys(fact["reports"] for fact in facts if fact.get("reports")))


def _check_idle(connection: Connection, own: set[str]) -> None:
    if connection.scalars(select(leases.c.attempt).where(leases.c.attempt.in_(own))).first():
        raise BookError("An attempt of this student is being graded.", hint="Wait for it, then try again.")


def _rewrite(connection: Connection, changed: dict[Row[Any], dict[str, object]]) -> dict[str, str]:
    redacted = {}
    with schema.unguarded(connection):
        for row, columns in changed.items():
            digest = chain.event_digest("", *columns.values())
            redacted[str(row.number)] = digest
            change = events.update().where(events.c.number == row.number)
            connection.execute(change.values(**columns, salt="", redacted=digest))
    return redacted


def _still_named(connection: Connection, scrub: _Scrub) -> Iterable[str]:
    """Name the attempts of others in whose files a name stands: these are theirs."""
    for number in connection.scalars(select(contents.c.number)).all():
        row = connection.execute(select(contents).where(contents.c.number == number)).one()
        if scrub.is_in(zlib.decompress(row.content)):
            named = select(events.c.student, events.c.fact).where(events.c.attempt == row.attempt)
            first = connection.execute(named.order_by(events.c.number).limit(1)).one()
            yield f"{first.student} {msgspec.json.decode(first.fact).get('tag', '')}"


def _clear(ledger: Ledger) -> None:
    """Let the database give up the pages that held the old words."""
    if ledger.engine.dialect.name != "sqlite":
        with ledger.engine.connect() as connection:
            free = connection.execution_options(isolation_level="AUTOCOMMIT")
            free.execute(text("VACUUM FULL events"))
            free.execute(text("VACUUM FULL contents"))
        return
    with ledger.alone() as database:
        database.execute("VACUUM")
        busy, *_ = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise BookError(
            f"The student is erased, but {ledger.name}-wal still holds old pages: another program reads the book.",
            hint="Close whatever holds it open; then any command empties it, such as: grader book check",
        )
