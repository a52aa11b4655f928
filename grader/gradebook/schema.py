"""The ledger's tables, and the steps from each version to the next.

1  events (append-only, kept so by triggers) and leases
2  contents: the submission and the grade sheet of an attempt, packed
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, Column, Integer, LargeBinary, MetaData, Table, Text, inspect, select, text

from grader.gradebook.trouble import BookError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

VERSION = 2

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
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
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
    """Give the format of the tables that are there; 0 for none."""
    if not inspect(connection).has_table("book_schema"):
        return 0
    return max(connection.scalars(select(versions.c.version)), default=0)


def _first(connection: Connection) -> None:
    metadata.create_all(connection, tables=[versions, events, leases])
    if connection.dialect.name == "sqlite":
        guards = tuple(_SQLITE_GUARD.format(verb=verb) for verb in ("UPDATE", "DELETE"))
    else:
        guards = _POSTGRES_GUARD
    for guard in guards:
        connection.execute(text(guard))


def _second(connection: Connection) -> None:
    metadata.create_all(connection, tables=[contents])


_STEPS: dict[int, Callable[[Connection], None]] = {1: _first, 2: _second}
