"""The ledger's tables: events (append-only, kept so by triggers), leases, and what lies packed beside the events.

Each event's digest is computed over its words and the digest before it: a changed event doesn't fit its own, and one
that is gone is missed by the next.
"""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, Column, Integer, LargeBinary, MetaData, Table, Text, inspect, select, text

from grader.gradebook.db_errors import BookError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

VERSION = 5

metadata = MetaData()
versions = Table("book_schema", metadata, Column("version", Integer, primary_key=True))
_NUMBER = BigInteger().with_variant(Integer, "sqlite")  # SQLite numbers rows itself only for INTEGER
events = Table(
    "events",
    metadata,
    Column("number", _NUMBER, primary_key=True, autoincrement=False),
    Column("at_us", BigInteger, nullable=False),
    Column("assignment", Text, nullable=False, index=True),
    Column("party", Text, nullable=False, index=True),
    Column("student", Text, nullable=False),
    Column("attempt", Text, nullable=False, index=True),
    Column("fact", Text, nullable=False),
    Column("digest", Text, nullable=False),
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


COLUMNS = ("at_us", "assignment", "party", "student", "attempt", "fact")
"""What an event says, in the order in which it is digested."""


def make(connection: Connection, book: str) -> None:
    """Make the tables within the caller's transaction; another format's are left alone."""
    found = version(connection)
    if found == 0:
        metadata.create_all(connection)
        _guard(connection)
        connection.execute(versions.insert().values(version=VERSION))
    elif found != VERSION:
        raise BookError(
            f"The gradebook {book} has format {found}, and this grader knows format {VERSION} alone.",
            hint="Use the grader that wrote it.",
        )


def version(connection: Connection) -> int:
    """Return the format of the tables that are there; 0 for none."""
    if not inspect(connection).has_table("book_schema"):
        return 0
    return max(connection.scalars(select(versions.c.version)), default=0)


def append_row(connection: Connection, values: dict[str, object]) -> None:
    """Write one event's columns at the end; on PostgreSQL one transaction at a time does so."""
    if connection.dialect.name != "sqlite":
        connection.execute(text("SELECT pg_advisory_xact_lock(20190404, 4)"))
    last = connection.execute(
        select(events.c.number, events.c.digest).order_by(events.c.number.desc()).limit(1)
    ).first()
    number, before = (last.number + 1, last.digest) if last else (1, "")
    digest = event_digest(before, *values.values())
    connection.execute(events.insert().values(number=number, **values, digest=digest))


def event_digest(before: str, *columns: object) -> str:
    """Return the digest of one event's columns after the digest before it."""
    said = repr((before, *columns)).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(said, digest_size=16).hexdigest()


@contextmanager
def unguarded(connection: Connection) -> Iterator[None]:
    """Let the guards stand aside within this transaction, to forget a student."""
    is_sqlite = connection.dialect.name == "sqlite"
    for name in ("events_UPDATE", "events_DELETE") if is_sqlite else ("events_guard ON events",):
        connection.execute(text(f"DROP TRIGGER IF EXISTS {name}"))
    yield
    _guard(connection)


def _guard(connection: Connection) -> None:
    """Let the database itself refuse to change or delete an event."""
    is_sqlite = connection.dialect.name == "sqlite"
    sqlite = tuple(_SQLITE_GUARD.format(verb=verb) for verb in ("UPDATE", "DELETE"))
    for guard in sqlite if is_sqlite else _POSTGRES_GUARD:
        connection.execute(text(guard))
