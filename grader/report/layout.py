r"""Names the files of a stored run.

OUT/
├── index.html               the class page
├── similar.html             staff only: who is alike, by `grader similar`
├── results.json             format 1, for other tools
├── canvas.csv  moodle.csv   gradebook imports
├── <submission>/            a safe name made from the submission's id
│   ├── report.html
│   ├── junit.xml  gradescope.json  report.md  codequality.json  findings.sarif
└── sheets/                  staff only: the complete sheets, for `grader report`
    ├── run.json             whose sheets are of the last run
    ├── <submission>.msgpack
    ├── <submission>.before  the attempt before, without evidence
    └── last-run.json  run-before.json  the marks of the last two runs that differ
"""

from __future__ import annotations

import hashlib
import re
from itertools import takewhile
from typing import TYPE_CHECKING

from grader.atomic_write import replacing

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

CLASS_PAGE = "index.html"
SIMILAR_PAGE = "similar.html"
RESULTS = "results.json"
CANVAS = "canvas.csv"
MOODLE = "moodle.csv"
SHEETS = "sheets"
REPORT_PAGE = "report.html"

_SAFE = re.compile(r"[a-z0-9_][a-z0-9._@+-]{0,79}")
_UNSAFE = re.compile(r"[^A-Za-z0-9._@+-]+")
_RESERVED = re.compile(
    r"(?:sheets|index\.html|similar\.html|results\.json|canvas\.csv|moodle\.csv|(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?)|.*\.|.*-[0-9a-f]{16}"
)


def folder_name(submission: str) -> str:
    """Return a file name that is safe anywhere, the id itself where that is one, and never the same for two ids.

    Capital letters count as unsafe: on many file systems Ann and ann are one folder.
    """
    if _SAFE.fullmatch(submission) and not _RESERVED.fullmatch(submission):
        return submission
    digest = hashlib.sha256(submission.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    stem = _UNSAFE.sub("-", submission).strip("-.")[:40]
    return f"{stem}-{digest}" if stem else f"submission-{digest}"


def sheet_path(out: Path, submission: str) -> Path:
    return out / SHEETS / f"{folder_name(submission)}.msgpack"


def claim_folder(out: Path) -> None:
    """Make the folder of a run that only its owner may enter; close one that an earlier run left open.

    Another folder that was there before, such as the working directory, keeps its mode: all below it is closed.
    """
    make_folder(out, private=True)
    if (out / SHEETS).is_dir():
        out.chmod(0o700)


def make_folder(folder: Path, *, private: bool) -> None:
    """Make the folder and those above it that are missing, for its owner alone or as the umask says."""
    missing = list(takewhile(lambda each: not each.exists(), (folder, *folder.parents)))
    for each in reversed(missing):
        each.mkdir(mode=0o700 if private else 0o777, exist_ok=True)


def write_atomically(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a file so that a reader sees the old one or the new one, never half; an equal one is left alone.

    Putting a file in another's place makes some file systems write it out at once: a second grade of a class would
    mostly wait for that. A private file is its owner's alone, and so are the folders made for it.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    if not _holds(path, data):
        write_pieces(path, [data], private=private)
    elif private:
        close_file(path)


def write_pieces(path: Path, pieces: Iterable[bytes], *, private: bool = False) -> None:
    """Write a file that is large for memory; otherwise the same."""
    make_folder(path.parent, private=private)
    with replacing(path, private=private) as file:
        file.writelines(pieces)


def close_file(path: Path) -> None:
    """Take from others what an older version or a person gave them."""
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)


def _holds(path: Path, data: bytes) -> bool:
    """Tell whether the file is there with these very bytes."""
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False
