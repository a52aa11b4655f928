"""Keep what an attempt handed in and how it was graded, packed."""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING, TypeVar

import msgspec
from sqlalchemy import select

from grader.gradebook.schema import contents
from grader.model.result import Evidence, GradeSheet
from grader.model.submission import Submission

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from grader.gradebook.ledger import Ledger

T = TypeVar("T", Submission, GradeSheet)

_SUBMISSION, _SHEET = "submission", "sheet"
_FIELD = {_SUBMISSION: "files", _SHEET: "cases"}
"""What the one has and the other hasn't, in whatever shape a grader wrote it."""
_LARGEST_SHEET = 4 << 20  # packed; evidence beyond it lives in the written reports only


def keep_submission(connection: Connection, attempt: str, submission: Submission) -> str:
    """Keep what was handed in, and return its digest for the ledger."""
    return _keep(connection, attempt, what=_SUBMISSION, content=_pack(submission))


def keep_sheet(connection: Connection, attempt: str, sheet: GradeSheet) -> str:
    """Keep the sheet, without its evidence when that is very large, and return its digest for the ledger."""
    content = _pack(sheet)
    if len(content) > _LARGEST_SHEET:
        bare = tuple(msgspec.structs.replace(case, evidence=Evidence()) for case in sheet.cases)
        content = _pack(msgspec.structs.replace(sheet, cases=bare))
    return _keep(connection, attempt, what=_SHEET, content=content)


def kept_submission(ledger: Ledger, attempt: str) -> Submission | None:
    return _kept(ledger, attempt, _SUBMISSION, Submission)


def kept_sheet(ledger: Ledger, attempt: str) -> GradeSheet | None:
    """Return the latest sheet: the first, or that of the last regrading."""
    return _kept(ledger, attempt, _SHEET, GradeSheet)


def is_called_rightly(what: str, content: bytes) -> bool:
    """Tell whether a whole content is what its row calls it: digests speak of contents, not of their names."""
    fields = msgspec.msgpack.decode(zlib.decompress(content), type=dict[str, msgspec.Raw])
    return _FIELD.get(what) in fields


def content_digest(content: bytes) -> str:
    """Return the digest by which the ledger knows what lies packed beside it, and what was handed in."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _pack(value: Submission | GradeSheet) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(value))


def _keep(connection: Connection, attempt: str, *, what: str, content: bytes) -> str:
    connection.execute(contents.insert().values(attempt=attempt, what=what, content=content))
    return content_digest(content)


def _kept(ledger: Ledger, attempt: str, what: str, kind: type[T]) -> T | None:
    query = (
        select(contents.c.content)
        .where(contents.c.attempt == attempt, contents.c.what == what)
        .order_by(contents.c.number.desc())
        .limit(1)
    )
    with ledger.reading() as connection:
        content = connection.scalar(query)
        if content is None:
            return None
        try:
            return msgspec.msgpack.decode(zlib.decompress(content), type=kind)
        except msgspec.ValidationError:  # whole, but written by a grader whose sheets had another shape
            return None
