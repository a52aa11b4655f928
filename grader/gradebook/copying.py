"""Copy a whole book while others use it: a backup is a SQLite book, whatever kind the book is."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import func, select, text

from grader.errors import UsageError
from grader.gradebook.check import check
from grader.gradebook.ledger import open_ledger
from grader.gradebook.schema import contents, events, leases

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from grader.gradebook.check import Checked
    from grader.gradebook.ledger import Ledger

_CHUNK = 500


def back_up(ledger: Ledger, target: Path) -> Checked:
    """Write one moment of the book to a new file, prove it, and only then give it its name."""
    if target.exists():
        raise UsageError(f"{target} is there already.", hint="Give each backup a name of its own, such as its date.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".backup-") as folder:
        draft = Path(folder) / "book.sqlite"
        copy = open_ledger(str(draft), create=True)
        _copy(ledger, copy)
        checked = check(copy)
        _flush(draft)
        draft.replace(target)
    return checked


def restore(source: Path, book: str) -> Checked:
    """Make a book from a backup; the new one must be empty, and is proved to be the same."""
    if not source.is_file():
        raise UsageError(f"There is no backup {source}.")
    with tempfile.TemporaryDirectory(prefix="grader-restore-") as folder:
        draft = Path(folder) / "book.sqlite"  # an older one is brought up, and the backup stays as it is
        shutil.copyfile(source, draft)
        backup = open_ledger(str(draft))
        checked = check(backup)
        target = open_ledger(book, create=True)
        _copy(backup, target)
    return check(target, head=checked.head)


def _copy(source: Ledger, target: Ledger) -> None:
    with source.reading() as read, target.writing() as write:
        if write.scalar(select(func.count()).select_from(events)):
            raise UsageError(
                f"The book {target.name} is not empty.", hint="Restore into a new one; nothing is replaced."
            )
        for table in (events, leases):
            rows = [dict(row._mapping) for row in read.execute(select(table))]  # noqa: SLF001 - its public name
            for start in range(0, len(rows), _CHUNK):
                write.execute(table.insert(), rows[start : start + _CHUNK])
        for number in read.scalars(select(contents.c.number).order_by(contents.c.number)).all():
            row = read.execute(select(contents).where(contents.c.number == number)).one()
            write.execute(contents.insert().values(**row._mapping))  # noqa: SLF001 - as above
        _number_on(write)


def _number_on(connection: Connection) -> None:
    """Let PostgreSQL number new contents after those that were copied; SQLite does so by itself."""
    if connection.dialect.name != "sqlite":
        connection.execute(
            text(
                "SELECT setval(pg_get_serial_sequence('contents', 'number'), "
                "(SELECT coalesce(max(number), 0) + 1 FROM contents), false)"
            )
        )


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
