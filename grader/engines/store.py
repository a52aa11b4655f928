"""Keeps run records, and what was made of them, in one SQLite file, bounded in bytes.

    <folder, mode 0700>/runs.sqlite      a row per record: digest, hour of last use, size, checksum, msgpack
                       runs.sqlite-wal   SQLite's log: a record half written when the grader died is not in it

Several graders may use it at once. It is a cache: whatever is damaged is dropped, and whatever can't be written is
simply run again next time. One file read by key was 3 times as fast as one file per record (8 to 20 µs a record).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import stat
import time
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from grader.again.folder import cache_folder
from grader.engines import wire
from grader.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.model.run import RunRecord

T = TypeVar("T")

FORMAT = 1  # of the file; 1: the first. A file of another format is begun anew.
MOST_BYTES = 1 << 30
_HOUR_S = 3600
_BUSY_S = 20.0
_TOUCHES = 1000  # hits whose new hour of use is written in one go

_SCHEMA = """
begin;
create table record (
    id integer primary key, digest blob not null unique,
    used integer not null, size integer not null, checksum integer not null, data blob not null);
create index record_by_use on record (used, id, size);
pragma user_version = 1;
commit;
"""
_UNPLAIN = (RecursionError, TypeError, ValueError)


def default_folder() -> Path:
    """Name the user's own cache folder."""
    return Path(cache_folder())


class RunStore:
    """Records by digest; the least recently used go first when `most_bytes` is reached."""

    def __init__(self, folder: Path, *, most_bytes: int = MOST_BYTES) -> None:
        self._path = _own(folder) / "runs.sqlite"
        self._most_bytes = most_bytes
        self._written = 0
        self._touched: list[tuple[int, int]] = []
        self._database = _open_or_begin(self._path)

    def get(self, digest: bytes) -> RunRecord | None:
        """Give the record, or None; a damaged one is removed."""
        return self.find(digest, wire.decode_record)

    def find(self, digest: bytes, decode: Callable[[bytes], T]) -> T | None:
        """Give what is kept under the digest, whatever it is, or None; what can't be decoded is removed."""
        try:
            row = self._database.execute(
                "select id, used, checksum, data from record where digest = ?", (digest,)
            ).fetchone()
        except sqlite3.OperationalError:
            return None
        except sqlite3.DatabaseError:
            self._database.close()
            self._database = _open_or_begin(self._path, damaged=True)
            return None
        if row is None:
            return None
        number, used, checksum, data = row
        found = _read(digest, checksum, data, decode)
        if found is None:
            self._write("delete from record where id = ?", (number,))
        elif used != (hour := _hour()):
            self._touch(hour, number)
        return found

    def put(self, digest: bytes, record: RunRecord) -> None:
        """Keep the record; one that is too large or has no plain form is left out."""
        try:
            data = wire.encode(record)
        except _UNPLAIN:
            return
        self.keep(digest, data)

    def keep(self, digest: bytes, data: bytes) -> None:
        """Keep any bytes that can be found out again; too many are left out."""
        if len(data) > self._most_bytes // 4:
            return
        self._write(
            "insert or replace into record (digest, used, size, checksum, data) values (?, ?, ?, ?, ?)",
            (digest, _hour(), len(data), _checksum(digest, data), data),
        )
        self._written += len(data)
        if self._written > self._most_bytes // 16:
            self._trim()

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self._flush()
            if self._written:
                self._trim()
        self._database.close()

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        with contextlib.suppress(sqlite3.Error):  # a full disk or a busy file costs a run next time, no more
            self._database.execute(statement, values)

    def _touch(self, hour: int, number: int) -> None:
        self._touched.append((hour, number))
        if len(self._touched) >= _TOUCHES:
            with contextlib.suppress(sqlite3.Error):
                self._flush()

    def _flush(self) -> None:
        if self._touched:
            touched, self._touched = self._touched, []
            self._database.execute("begin immediate")
            self._database.executemany("update record set used = ? where id = ?", touched)
            self._database.execute("commit")

    def _trim(self) -> None:
        """Drop the least recently used beyond three quarters of the bound, and give the room back."""
        self._written = 0
        with contextlib.suppress(sqlite3.Error):
            (total,) = self._database.execute("select coalesce(sum(size), 0) from record").fetchone()
            if total > self._most_bytes * 15 // 16:
                self._database.execute(
                    "delete from record where id in (select id from (select id, sum(size) over"
                    " (order by used desc, id desc) as newer from record) where newer > ?)",
                    (self._most_bytes * 3 // 4,),
                )
                self._database.execute("pragma incremental_vacuum")
                self._database.execute("pragma wal_checkpoint(truncate)")


def _own(folder: Path) -> Path:
    """Make the folder, and refuse one that others could write into: they could write verdicts."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
            raise UsageError(
                f"{folder}: the folder for stored runs is a link or belongs to another user",
                hint="Set XDG_CACHE_HOME to a folder of your own.",
            )
        if stat.S_IMODE(status.st_mode) & 0o077:
            folder.chmod(0o700)
    except OSError as error:
        raise UsageError(
            f"{folder}: stored runs can't be kept here ({error.strerror})",
            hint="Set XDG_CACHE_HOME to a folder that can be written.",
        ) from error
    return folder


def _open_or_begin(path: Path, *, damaged: bool = False) -> sqlite3.Connection:
    """Open the file, or put an empty one in the place of one that is damaged or of another format."""
    with path.with_suffix(".lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # graders that start together would trip over the switch to WAL
        try:
            if damaged:
                _remove(path)
            return _open(path)
        except sqlite3.OperationalError as error:
            raise UsageError(
                f"{path}: the file of stored runs can't be opened ({error})",
                hint="Set XDG_CACHE_HOME to a folder on a local disk, or delete the file.",
            ) from error
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
            database.execute("pragma auto_vacuum = incremental")
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


def _read(digest: bytes, checksum: int, data: bytes, decode: Callable[[bytes], T]) -> T | None:
    if _checksum(digest, data) != checksum:
        return None
    try:
        return decode(data)
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None


def _checksum(digest: bytes, data: bytes) -> int:
    return zlib.crc32(data, zlib.crc32(digest))


def _hour() -> int:
    return int(time.time()) // _HOUR_S
