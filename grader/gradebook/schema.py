"""The ledger's tables, and the steps from each version to the next.

1  events (append-only, kept so by triggers) and leases
2  contents: the submission and the grade sheet of an attempt, packed
3  events carry a checksum, so that a damaged one is told and never taken for another
4  events are chained by hashes, salted so that a name can be erased; what lies beside them is in the chain
"""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import BigInteger, Column, Integer, LargeBinary, MetaData, Table, Text, inspect, select, text

from grader.gradebook import chain
from grader.gradebook.db_errors import BookError, damaged
from grader.gradebook.event import Sealed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection, Row

VERSION = 4

metadata = MetaData()
versions = Table("book_schema", metadata, Column("version", Integer, primary_key=True))
_NUMBER = BigInteger().with_variant(Integer, "sqlite")  # SQLite numbers rows itself only for INTEGER
events = Table(
    "events",
    metadata,
    Column("number", _NUMBER, primary_key=True, autoincrement=True),
    Column("at_us", BigInteger, nullable=False),
    Column("assignment", Text, nullable=False, index=True),
    Column("party", Text, nullable=False, index=True),
    Column("student", Text, nullable=False),
    Column("attempt", Text, nullable=False, index=True),
    Column("fact", Text, nullable=False),
    Column("digest", Text, nullable=False, server_default=""),
    Column("salt", Text, nullable=False, server_default=""),
    Column("chain", Text, nullable=False, server_default=""),
    Column("redacted", Text, nullable=False, server_default=""),
    sqlite_autoincrement=True,
)
leases = Table(
    "leases",
    metadata,
    Column("attempt", Text, primary_key=True),
    Column("assignment", Text, nullable=False),
    Column("party", Text, nullable=False),
    Column("student", Text, nullable=False),
    Column("worker", Text, nullable=False),
    Column("until_us", BigInteger, nullable=False),
)
contents = Table(
    "contents",
    metadata,
    Column("number", _NUMBER, primary_key=True, autoincrement=True),
    Column("attempt", Text, nullable=False, index=True),
    Column("what", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
)

_SQLITE_GUARD = (
    "CREATE TRIGGER events_{verb} BEFORE {verb} ON events BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
)
_POSTGRES_GUARD = (
    (
        "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$"
    ),
    (
        "CREATE TRIGGER events_guard BEFORE UPDATE OR DELETE OR TRUNCATE ON events "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    ),
)


def migrate(connection: Connection, book: str) -> None:
    """Bring the tables to this version, step by step, within the caller's transaction."""
    found = version(connection)
    if found > VERSION:
        raise BookError(
            f"The gradebook {book} has format {found}; this grader knows formats up to {VERSION}.",
            hint="Use the newer grader that wrote it.",
        )
    for step in range(found + 1, VERSION + 1):
        try:
            _STEPS[step](connection)
        except _DamagedError as error:
            raise damaged(book, str(error)) from error
        connection.execute(versions.insert().values(version=step))


def version(connection: Connection) -> int:
    """Return the format of the tables that are there; 0 for none."""
    if not inspect(connection).has_table("book_schema"):
        return 0
    return max(connection.scalars(select(versions.c.version)), default=0)


def append_row(connection: Connection, values: dict[str, object]) -> None:
    """Write one event's columns at the end of the chain; on PostgreSQL one transaction at a time does so."""
    if connection.dialect.name != "sqlite":
        connection.execute(text("SELECT pg_advisory_xact_lock(20190404, 4)"))
    last = connection.execute(
        select(events.c.number, events.c.chain).order_by(events.c.number.desc()).limit(1)
    ).first()
    number, before = (last.number + 1, last.chain) if last else (1, chain.FIRST)
    salt = chain.new_salt()
    digest = chain.event_digest(salt, *values.values())
    link = chain.link(before, number, digest)
    connection.execute(events.insert().values(number=number, **values, salt=salt, digest=digest, chain=link))


@contextmanager
def unguarded(connection: Connection) -> Iterator[None]:
    """Let the guards stand aside within this transaction: to bring a book up, or to forget a student."""
    is_sqlite = connection.dialect.name == "sqlite"
    for name in ("events_UPDATE", "events_DELETE") if is_sqlite else ("events_guard ON events",):
        connection.execute(text(f"DROP TRIGGER IF EXISTS {name}"))
    yield
    _guard(connection)


class _DamagedError(Exception):
    """An older book isn't what was written."""


def _first(connection: Connection) -> None:
    metadata.create_all(connection, tables=[versions, events, leases])
    _guard(connection)


def _second(connection: Connection) -> None:
    metadata.create_all(connection, tables=[contents])


def _third(connection: Connection) -> None:
    """Give the events of an older book their checksums."""
    _add_columns(connection, "digest")
    with unguarded(connection):
        for row in connection.execute(select(*_OLD).where(events.c.digest == "")).all():
            _change(connection, row.number, digest=_old_digest(row))


def _fourth(connection: Connection) -> None:
    """Chain the events of an older book, each checked before; then enter what lies beside them."""
    _add_columns(connection, "salt", "chain", "redacted")
    before = chain.FIRST
    with unguarded(connection):
        for row in connection.execute(select(events).order_by(events.c.number)).all():
            if row.digest != _old_digest(row):
                raise _DamagedError(f"event {row.number} doesn't fit its checksum")
            salt = chain.new_salt()
            digest = chain.event_digest(salt, *_columns(row))
            before = chain.link(before, row.number, digest)
            _change(connection, row.number, salt=salt, digest=digest, chain=before)
    for row in connection.execute(select(*_OLD).where(events.c.fact.contains('"received"'))).all():
        kept = connection.scalars(select(contents.c.content).where(contents.c.attempt == row.attempt)).all()
        fact = msgspec.json.encode(Sealed(kept=tuple(map(chain.content_digest, kept)))).decode()
        if kept:
            append_row(connection, dict(zip(COLUMNS, (*_columns(row)[:-1], fact), strict=True)))


COLUMNS = ("at_us", "assignment", "party", "student", "attempt", "fact")
"""What an event says, in the order in which it is digested."""
_OLD: list[Column[Any]] = [events.c[name] for name in ("number", *COLUMNS)]


def _columns(row: Row[Any]) -> tuple[object, ...]:
    return tuple(getattr(row, name) for name in COLUMNS)


def _old_digest(row: Row[Any]) -> str:
    """Return the checksum of format 3."""
    return hashlib.blake2b(repr(_columns(row)).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _change(connection: Connection, number: int, **values: str) -> None:
    connection.execute(events.update().where(events.c.number == number).values(**values))


def _add_columns(connection: Connection, *names: str) -> None:
    there = {column["name"] for column in inspect(connection).get_columns("events")}
    for name in names:
        if name not in there:
            connection.execute(text(f"ALTER TABLE events ADD COLUMN {name} TEXT NOT NULL DEFAULT ''"))


def _guard(connection: Connection) -> None:
    """Let the database itself refuse to change or delete an event."""
    is_sqlite = connection.dialect.name == "sqlite"
    sqlite = tuple(_SQLITE_GUARD.format(verb=verb) for verb in ("UPDATE", "DELETE"))
    for guard in sqlite if is_sqlite else _POSTGRES_GUARD:
        connection.execute(text(guard))


_STEPS: dict[int, Callable[[Connection], None]] = {1: _first, 2: _second, 3: _third, 4: _fourth}
