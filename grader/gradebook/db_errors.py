"""Turn a database's complaint into words that staff can act on."""

from __future__ import annotations

import os
import re
import sqlite3
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy.exc import DBAPIError

from grader.errors import GraderError

if TYPE_CHECKING:
    from collections.abc import Iterator


class BookError(GraderError):
    """The gradebook can't be used just now; what it held, it still holds."""

    exit_status = 70


class LostLeaseError(BookError):
    """Another worker took the attempt over, because this one was silent for too long."""


_KEPT = "Nothing that the book holds is lost, and nothing was charged; push the tag again when it is fixed."
_SQLITE = {
    "SQLITE_BUSY": ("is locked by another program", "Close whatever holds it open, then try again."),
    "SQLITE_LOCKED": ("is locked by another program", "Close whatever holds it open, then try again."),
    "SQLITE_FULL": ("has no room left: the disk is full", _KEPT),
    "SQLITE_IOERR": ("can't be read or written", f"Look at the disk. {_KEPT}"),
    "SQLITE_READONLY": ("can't be written by this user", _KEPT),
    "SQLITE_CANTOPEN": (
        "is gone or can't be opened",
        "Put it back from its last copy; grader book init makes one.",
    ),
    "SQLITE_PERM": ("can't be written by this user", _KEPT),
    "SQLITE_NOTADB": ("is no SQLite file", "Name the right file with --book."),
    "SQLITE_CORRUPT": ("is damaged", "Put it back from its last copy."),
}
_POSTGRES = {
    "53100": ("has no room left: the disk is full", _KEPT),
    "53300": ("has too many connections", _KEPT),
    "55P03": ("is locked by another program", "Try again in a moment."),
    "40P01": ("is locked by another program", "Try again in a moment."),
    "25006": ("can't be written: it is read-only", _KEPT),
    "3D000": ("doesn't exist on that server", "createdb makes it; then: grader book init"),
    "28P01": ("refuses this user's password", "Look at the URL given with --book."),
    "28000": ("refuses this user", "Look at the URL given with --book."),
}


_REFUSED_CONNECTION = {
    "database .* does not exist": _POSTGRES["3D000"],
    "role .* does not exist": ("knows no such user", "createuser makes it; or look at the URL given with --book."),
    "password authentication failed|no password supplied": _POSTGRES["28P01"],
    "no pg_hba.conf entry|authentication failed": _POSTGRES["28000"],
    "too many clients|too many connections": _POSTGRES["53300"],
}
"""What a server says before there is a connection; psycopg has no code for it, only the server's words."""
_PASSWORD = re.compile(r"(://[^:@/?#]*):[^@]*@")


@contextmanager
def told_plainly(book: str) -> Iterator[None]:
    """Raise a BookError for every complaint of the database, and for whatever in it can't be what was written."""
    try:
        yield
    except DBAPIError as error:
        raise _explain(book, error) from error
    except sqlite3.Error as error:
        raise _complaint(book, _sqlite(book, error), error) from error
    except (msgspec.MsgspecError, UnicodeDecodeError, zlib.error) as error:
        raise damaged(book, str(error)) from error
    except OSError as error:
        raise BookError(f"The gradebook {book} can't be opened: {error.strerror}.", hint=_KEPT) from error


def damaged(book: str, detail: str) -> BookError:
    what, hint = _SQLITE["SQLITE_CORRUPT"]
    return BookError(f"The gradebook {book} {what} ({detail}).", hint=hint)


def hide_password(book: str) -> str:
    """Return a URL for people, without its password."""
    return _PASSWORD.sub(r"\1:***@", book)


def is_busy(error: DBAPIError) -> bool:
    return isinstance(error.orig, sqlite3.Error) and _sqlite_name(error.orig) in {"SQLITE_BUSY", "SQLITE_LOCKED"}


def _explain(book: str, error: DBAPIError) -> BookError:
    if isinstance(error.orig, sqlite3.Error):
        return _complaint(book, _sqlite(book, error.orig), error.orig)
    state = getattr(error.orig, "sqlstate", None)
    lost = ("is gone: no connection to the server", _KEPT)
    known = _POSTGRES.get(state) if state else _refused_connection(str(error.orig)) or lost
    if state and state.startswith("57P"):
        known = lost
    return _complaint(book, known, error.orig or error)


def _complaint(book: str, known: tuple[str, str] | None, error: BaseException) -> BookError:
    detail = str(error).strip().partition("\n")[0]
    what, hint = known or (f"failed: {detail}", _KEPT)
    shown = f" ({detail})" if known else ""
    return BookError(f"The gradebook {book} {what}{shown}.", hint=hint)


def _refused_connection(words: str) -> tuple[str, str] | None:
    return next((said for pattern, said in _REFUSED_CONNECTION.items() if re.search(pattern, words)), None)


def _sqlite(book: str, error: sqlite3.Error) -> tuple[str, str] | None:
    name = _sqlite_name(error)
    path = Path(book)
    is_writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK | os.X_OK)
    if name.startswith("SQLITE_CANTOPEN") and path.exists() and not is_writable:  # files beside it are needed, too
        name = "SQLITE_PERM"
    if "decode to UTF-8" in str(error):
        name = "SQLITE_CORRUPT"
    return next((words for start, words in _SQLITE.items() if name.startswith(start)), None)


def _sqlite_name(error: sqlite3.Error) -> str:
    return str(getattr(error, "sqlite_errorname", ""))
