"""Keeps bytes by digest in one SQLite file, bounded in size.

    <folder, mode 0700>/runs.sqlite      a row per entry: digest, checksum, data

Several graders may use it at once. It is a cache: whatever is damaged is dropped, and whatever can't be written is
simply missing next time.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import stat
import zlib
from typing import TYPE_CHECKING

from grader.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = 4  # of the file; 4: without sizes. A file of another format is begun anew.
MOST_BYTES = 1 << 30
_NAME = "runs.sqlite"
_BUSY_S = 20.0
_SCHEMA = f"""
begin;
create table entry (
    id integer primary key, digest blob not null unique, checksum integer not null, data blob not null);
pragma user_version = {FORMAT};
commit;
"""


class Store:
    """Entries by digest; the oldest go first when `most_bytes` is reached."""

    def __init__(self, folder: Path, *, most_bytes: int = MOST_BYTES) -> None:
        self._path = _own(folder) / _NAME
        self._most_bytes = most_bytes
        self._written = 0
        self._database = _open_or_begin(self._path)

    def get(self, digest: bytes) -> bytes | None:
        """Return what is kept under the digest, or None; what is damaged is removed."""
        try:
            row = self._database.execute(
                "select id, checksum, data from entry where digest = ?", (digest,)
            ).fetchone()
        except sqlite3.OperationalError:
            return None
        except sqlite3.DatabaseError:
            self._database.close()
            self._database = _open_or_begin(self._path, damaged=True)
            return None
        number, checksum, data = row or (None, None, None)
        if isinstance(data, bytes) and _checksum(digest, data) == checksum:
            return data
        if row is not None:
            self._write("delete from entry where id = ?", (number,))
        return None

    def put(self, digest: bytes, data: bytes) -> None:
        """Keep these bytes; too many are left out."""
        if len(data) > self._most_bytes // 4:
            return
        self._write(
            "insert or replace into entry (digest, checksum, data) values (?, ?, ?)",
            (digest, _checksum(digest, data), data),
        )
        self._written += len(data)
        if self._written > self._most_bytes // 16:
            self._trim()

    def close(self) -> None:
        if self._written:
            self._trim()
        self._database.close()

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        with contextlib.suppress(sqlite3.Error):  # a full disk or a busy file costs a miss next time, no more
            self._database.execute(statement, values)

    def _trim(self) -> None:
        """Drop the oldest beyond three quarters of the bound; the file keeps its size, and has room again."""
        self._written = 0
        with contextlib.suppress(sqlite3.Error):
            (total,) = self._database.execute("select coalesce(sum(length(data)), 0) from entry").fetchone()
            if total > self._most_bytes * 15 // 16:
                self._write(
                    "delete from entry where id in (select id from (select id, sum(length(data)) over"
                    " (order by id desc) as newer from entry) where newer > ?)",
                    (self._most_bytes * 3 // 4,),
                )


def forget(folder: Path) -> None:
    """Remove everything: others may have written it."""
    with contextlib.suppress(OSError):
        _remove(folder / _NAME)


def _own(folder: Path) -> Path:
    """Make the folder, and refuse one that others could write into: they could write verdicts."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        raise UsageError(
            f"{folder}: the folder for stored results is a link or belongs to another user",
            hint="Set XDG_CACHE_HOME to a folder of your own.",
        )
    if stat.S_IMODE(status.st_mode) & 0o077:
        folder.chmod(0o700)
    return folder


def _open_or_begin(path: Path, *, damaged: bool = False) -> sqlite3.Connection:
    """Open the file, or put an empty one in the place of one that is damaged or of another format."""
    with path.with_suffix(".lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # graders that start together would trip over the switch to WAL
        try:
            if damaged:
                _remove(path)
            return _open(path)
        except sqlite3.OperationalError:  # no room, or a disk that can't be locked
            raise
        except sqlite3.DatabaseError:
            _remove(path)
            return _open(path)


def _open(path: Path) -> sqlite3.Connection:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    database = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        (found,) = database.execute("pragma user_version").fetchone()
        if found not in {0, FORMAT}:
            raise sqlite3.DatabaseError(f"format {found}")
        if found == 0:
            database.execute("pragma journal_mode = wal")
            database.executescript(_SCHEMA)
        database.execute("pragma synchronous = normal")
    except sqlite3.Error:
        database.close()
        raise
    return database


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _checksum(digest: bytes, data: bytes) -> int:
    return zlib.crc32(data, zlib.crc32(digest))
