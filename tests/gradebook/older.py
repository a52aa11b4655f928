"""Books of earlier formats: a current one taken back step by step."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import select, text

from grader.gradebook import schema

if TYPE_CHECKING:
    from grader.gradebook.ledger import Ledger

FORMAT_3 = Path(__file__).with_name("book_format_3.sql")
"""What the last grader of format 3 wrote: three attempts, an extension, a regrading, a struck-out attempt."""


def written_by_format_3(path: Path) -> Path:
    database = sqlite3.connect(path)
    database.executescript(FORMAT_3.read_text())
    database.close()
    return path


def take_back(ledger: Ledger, version: int) -> None:
    """Make the book one of an earlier format."""
    with ledger.writing() as connection, schema.unguarded(connection):
        for row in connection.execute(select(schema.events)).all():
            columns = tuple(getattr(row, name) for name in schema.COLUMNS)
            old = hashlib.blake2b(repr(columns).encode(), digest_size=16).hexdigest()
            connection.execute(schema.events.update().where(schema.events.c.number == row.number).values(digest=old))
        for column in ("salt", "chain", "redacted", *(["digest"] if version < 3 else [])):
            connection.execute(text(f"ALTER TABLE events DROP COLUMN {column}"))
        if version < 2:
            connection.execute(text("DROP TABLE contents"))
        connection.execute(text(f"DELETE FROM book_schema WHERE version > {version}"))
