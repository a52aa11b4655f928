"""The ledger's tables, and the steps from each version to the next.

1  events (append-only, kept so by triggers) and leases
2  contents: the submission and the grade sheet of an attempt, packed
3  events carry a checksum, so that a damaged one is told and never taken for another
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, Column, Integer, LargeBinary, MetaData, Table, Text, inspect, select, text

from grader.gradebook.db_errors import BookError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

VERSION = 3

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
        _STEPS[step](connection)
        connection.execute(versions.insert().values(version=step))


def version(connection: Connection) -> int:
    """Return the format of the tables that are there; 0 for none."""
    if not inspect(connection).has_table("book_schema"):
        return 0
    return max(connection.scalars(select(versions.c.version)), default=0)


def digest(*values: object) -> str:
    """Return the checksum of one event's columns: at_us, assignment, party, student, attempt, fact."""
    return hashlib.blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _first(connection: Connection) -> None:
    metadata.create_all(connection, tables=[versions, events, leases])
    _guard(connection)


def _second(connection: Connection) -> None:
    metadata.create_all(connection, tables=[contents])


def _third(connection: Connection) -> None:
    """Give the events of an older book their checksums; the guards stand aside for it."""
    if "digest" not in {column["name"] for column in inspect(connection).get_columns("events")}:
        connection.execute(text("ALTER TABLE events ADD COLUMN digest TEXT NOT NULL DEFAULT ''"))
    is_sqlite = connection.dialect.name == "sqlite"
    for name in ("events_UPDATE", "events_DELETE") if is_sqlite else ("events_guard ON events",):
        connection.execute(text(f"DROP TRIGGER {name}"))
    for row in connection.execute(select(events).where(events.c.digest == "")).all():
        own = digest(row.at_us, row.assignment, row.party, row.student, row.attempt, row.fact)
        connection.execute(events.update().where(events.c.number == row.number).values(digest=own))
    _guard(connection)


def _guard(connection: Connection) -> None:
    """Let the database itself refuse to change or delete an event."""
    is_sqlite = connection.dialect.name == "sqlite"
    sqlite = tuple(_SQLITE_GUARD.format(verb=verb) for verb in ("UPDATE", "DELETE"))
    for guard in sqlite if is_sqlite else _POSTGRES_GUARD:
        connection.execute(text(guard))


_STEPS: dict[int, Callable[[Connection], None]] = {1: _first, 2: _second, 3: _third}
