r"""Names the files of a stored run.

OUT/
├── index.html               the class page
├── similar.html             staff only: who is alike, by `grader similar`
├── results.json             format 1, for other tools
├── canvas.csv  moodle.csv   gradebook imports
├── <submission>/            a safe name made from the submission's id
│   ├── report.html
│   ├── junit.xml  ctrf.json  gradescope.json  report.md  codequality.json
└── sheets/                  staff only: the complete sheets, for `grader report`
    ├── <submission>.msgpack
    └── style  overview      what the pages were made with (see unchanged.py)
"""

from __future__ import annotations

import filecmp
import hashlib
import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from grader.again.written import Written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

CLASS_PAGE = "index.html"
SIMILAR_PAGE = "similar.html"
RESULTS = "results.json"
CANVAS = "canvas.csv"
MOODLE = "moodle.csv"
SHEETS = "sheets"
OVERVIEW = "overview"
REPORT_PAGE = "report.html"

_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._@+-]{0,79}")
_UNSAFE = re.compile(r"[^A-Za-z0-9._@+-]+")
_RESERVED = re.compile(
    r"(?:sheets|index\.html|similar\.html|results\.json|canvas\.csv|moodle\.csv|(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?)|.*\.|.*-[0-9a-f]{12}",
    re.IGNORECASE,
)


def folder_name(submission: str) -> str:
    """Give a file name that is safe anywhere, the id itself where that is one, and never the same for two ids."""
    if _SAFE.fullmatch(submission) and not _RESERVED.fullmatch(submission):
        return submission
    digest = hashlib.sha256(submission.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    stem = _UNSAFE.sub("-", submission).strip("-.")[:40]
    return f"{stem}-{digest}" if stem else f"submission-{digest}"


def sheet_path(out: Path, submission: str) -> Path:
    return out / SHEETS / f"{folder_name(submission)}.msgpack"


def write_atomically(path: Path, content: str | bytes) -> Written:
    """Write a file so that a reader sees the old one or the new one, never half; an equal one is left alone.

    Putting a file in another's place makes some file systems write it out at once: a second grade of a class would
    mostly wait for that.
    """
    data = content if isinstance(content, bytes) else content.encode()
    held = holds(path, data)
    if held is not None:
        return held
    with _draft(path) as draft:
        draft.write_bytes(data)
        return _put(draft, path)


def write_pieces(path: Path, pieces: Iterable[bytes]) -> Written:
    """Write a file that is large for memory; otherwise the same."""
    with _draft(path) as draft:
        with draft.open("wb") as file:
            file.writelines(pieces)
        if path.exists() and filecmp.cmp(draft, path, shallow=False):
            return Written.of(path, path.stat())
        return _put(draft, path)


@contextmanager
def _draft(path: Path) -> Iterator[Path]:
    """Name a file beside the path, which is gone afterwards."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def _put(draft: Path, path: Path) -> Written:
    written = Written.of(path, draft.stat())
    draft.replace(path)
    return written


def holds(path: Path, data: bytes) -> Written | None:
    """Give the file when it is there with these very bytes."""
    try:
        status = path.stat()
        return Written.of(path, status) if status.st_size == len(data) and path.read_bytes() == data else None
    except OSError:
        return None
