"""The append-only ledger: opened, locked, read, written through SQLAlchemy."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec
from sqlalchemy import Engine, NullPool, create_engine, event, make_url, or_, select, text
from sqlalchemy.exc import ArgumentError, DBAPIError

from grader.errors import UsageError
from grader.gradebook import schema
from grader.gradebook.db_errors import BookError, damaged, hide_password, is_busy, told_plainly
from grader.gradebook.event import Event, Fact, Key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy import Connection, Row

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_WAIT_S = 120.0
"""For a lock: SQLite's waiters stand in no line, and of fifty pushes at once some wait for most of the others."""


class Ledger:
    """One book. Every transaction has a connection of its own, so a book that went away is noticed at once."""

    def __init__(self, engine: Engine, name: str, *, wait_s: float = _WAIT_S) -> None:
        self.engine = engine
        self.name = name
        self._wait_s = wait_s

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a connection that sees one moment of the book, however many queries it makes."""
        with told_plainly(self.name), self.engine.connect() as connection:
            is_sqlite = connection.dialect.name == "sqlite"
            options: dict[str, Any] = {"reading": True} if is_sqlite else {"isolation_level": "REPEATABLE READ"}
            yield connection.execution_options(**options)

    @contextmanager
    def writing(self, party: str = "") -> Iterator[Connection]:
        """Open a transaction that no other of the same party runs beside; it is kept whole or not at all."""
        with told_plainly(self.name), self.engine.connect() as connection, connection.begin():
            if connection.dialect.name != "sqlite":  # there BEGIN IMMEDIATE already holds the whole book
                connection.execute(text(f"SET LOCAL lock_timeout = {int(self._wait_s * 1000)}"))
                connection.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"), {"key": party})
            yield connection

    @contextmanager
    def alone(self) -> Iterator[sqlite3.Connection]:
        """Open SQLite's own connection, outside of any transaction, for what it does only there."""
        with told_plainly(self.name), closing(self.engine.raw_connection()) as connection:
            database = connection.driver_connection
            assert isinstance(database, sqlite3.Connection)
            yield database

    def events(self, connection: Connection, **wanted: str) -> tuple[Event, ...]:
        """Return the events whose columns have these values, oldest first."""
        before = schema.events.alias()
        query = select(schema.events, before.c.digest.label("before")).order_by(schema.events.c.number)
        query = query.outerjoin(before, before.c.number == schema.events.c.number - 1)
        for column, value in wanted.items():
            query = query.where(schema.events.c[column] == value)
        return tuple(self._event(row) for row in connection.execute(query))

    def events_about(self, connection: Connection, names: Iterable[str]) -> tuple[Event, ...]:
        """Return all events of every party in which one of these people was when a tag came."""
        columns = schema.events.c
        found: set[tuple[str, str]] = set()
        for name in names:
            named = or_(
                columns.student == name, columns.fact.contains(msgspec.json.encode(name).decode(), autoescape=True)
            )
            rows = connection.execute(select(columns.assignment, columns.party).where(named).distinct())
            found |= {(row.assignment, row.party) for row in rows}
        return tuple(
            event
            for assignment, party in sorted(found)
            for event in self.events(connection, assignment=assignment, party=party)
        )

    def append(self, connection: Connection, entry: Event) -> None:
        """Write one event; the ledger gives it its number."""
        values: dict[str, object] = {
            "at_us": microseconds(entry.at),
            "assignment": entry.key.assignment,
            "party": entry.key.party,
            "student": entry.student,
            "attempt": entry.attempt,
            "fact": msgspec.json.encode(entry.fact).decode(),
        }
        schema.append_row(connection, values)

    def check(self, connection: Connection) -> None:
        """Look through the whole SQLite file: a damaged index would let events vanish without a word."""
        if connection.dialect.name == "sqlite":
            found = connection.execute(text("PRAGMA integrity_check(1)")).scalar()
            if found != "ok":
                raise damaged(self.name, str(found))

    def _event(self, row: Row[Any]) -> Event:
        said = (getattr(row, name) for name in schema.COLUMNS)
        if row.digest != schema.event_digest(row.before or "", *said):
            raise damaged(self.name, f"event {row.number} doesn't fit its checksum")
        return Event(
            number=row.number,
            at=moment(row.at_us),
            key=Key(assignment=row.assignment, party=row.party),
            student=row.student,
            attempt=row.attempt,
            fact=msgspec.json.decode(row.fact, type=Fact),
        )


def open_ledger(book: str, *, create: bool = False, wait_s: float = _WAIT_S) -> Ledger:
    """Open a book by file name or URL; without `create` a missing one is an error, never a fresh empty book."""
    ledger = _postgres(book, wait_s) if "://" in book else _sqlite(book, create=create, wait_s=wait_s)
    with told_plainly(ledger.name):
        _prepare(ledger, create=create, deadline=time.monotonic() + wait_s)
    return ledger


def microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND


def moment(number: int) -> datetime:
    return _EPOCH + number * _MICROSECOND


def _prepare(ledger: Ledger, *, create: bool, deadline: float) -> None:
    while True:
        try:
            return _bring_up(ledger, create=create)
        except DBAPIError as error:  # changing the journal's mode doesn't wait for others by itself
            if not is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def _bring_up(ledger: Ledger, *, create: bool) -> None:
    with ledger.engine.connect() as connection:
        found = schema.version(connection)
    if found == schema.VERSION:
        return
    if found == 0 and not create:
        raise BookError(f"There is no gradebook in {ledger.name}.", hint="To make one: grader book init")
    with ledger.engine.connect() as connection, connection.begin():
        if connection.dialect.name != "sqlite":
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtextextended('book_schema', 0))"))
        schema.make(connection, ledger.name)


def _sqlite(book: str, *, create: bool, wait_s: float) -> Ledger:
    path = Path(book).absolute()
    if not path.exists() and not create:
        raise BookError(f"There is no gradebook at {book}.", hint=f"To make one: grader book init --book {book}")
    if create:
        with told_plainly(str(path)):
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))  # marks and code: staff's alone

    def connect() -> sqlite3.Connection:
        address = f"file:{quote(str(path))}?mode=rw"
        connection = sqlite3.connect(address, uri=True, timeout=wait_s, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool)
    event.listen(engine, "begin", _begin)
    return Ledger(engine, str(path), wait_s=wait_s)


def _begin(connection: Connection) -> None:
    reading = connection.get_execution_options().get("reading", False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def _postgres(book: str, wait_s: float) -> Ledger:
    try:
        url = make_url(book)
        if url.get_backend_name() != "postgresql":
            raise UsageError(f"The gradebook's URL {hide_password(book)} names no PostgreSQL.", hint=_URL_HINT)
        engine = create_engine(url, poolclass=NullPool, connect_args={"connect_timeout": 10})
    except (ArgumentError, ValueError):
        raise UsageError(f"{hide_password(book)} is no URL of a database.", hint=_URL_HINT) from None
    except ImportError as error:
        raise UsageError(
            f"PostgreSQL needs the package {error.name}.", hint="pip install 'maze-grader[postgres]'"
        ) from error
    return Ledger(engine, url.render_as_string(hide_password=True), wait_s=wait_s)


_URL_HINT = "Give a file name, or postgresql+psycopg://user:password@host/database"
