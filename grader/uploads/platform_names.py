"""Read whose file it is from the names in a learning platform's bulk download.

Canvas    doeann_LATE_101_5551_solve-1.py             user and attachment are numbers of Canvas's own
Moodle    Ann Doe_1234_assignsubmission_file/…        the participant's number; before Moodle 4.1 with `_` at the end,
          Ann Doe_1234_assignsubmission_file_solve.py and without folders where it was downloaded so
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import NamedTuple

from grader.uploads.class_list import Platform

_CANVAS = re.compile(r"(?P<name>.*?)_(?P<late>LATE_)?(?P<user>\d+)_(?:(?P<attachment>\d+)_)?(?P<file>.+)", re.DOTALL)
_CANVAS_TEXT = re.compile(r"(text|link|media_recording|question_\d+)[^/]*\.html")
_MOODLE = re.compile(r"(?P<name>.*)_(?P<number>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<file>.*))?", re.DOTALL)
_LONGEST = 1000


class Named(NamedTuple):
    """A name in a download, taken apart."""

    platform: Platform
    number: str
    """The student's, on the platform."""
    person: str
    """The name as the platform wrote it, for people."""
    path: str
    """The file as the student called it; empty for a text that was typed into the platform."""
    top: str
    """The name under which feedback goes back: Moodle's folder, Canvas's file."""
    is_late: bool = False
    """Canvas marks it so; that is no time."""


def read_name(path: str) -> Named | None:
    """Take a path of a download apart; None when no platform wrote it."""
    if len(path) > _LONGEST:
        return None
    parts = PurePosixPath(path).parts
    for depth, part in enumerate(parts):
        found = _MOODLE.fullmatch(part)
        if found:
            return _moodle(found, parts[depth + 1 :], part)
    found = _CANVAS.fullmatch(parts[-1]) if parts else None
    return _canvas(found) if found else None


def _moodle(found: re.Match[str], below: tuple[str, ...], part: str) -> Named:
    path = "/".join([*([found["file"]] if found["file"] else []), *below])
    is_file = found["kind"] == "file"
    top = part if below else part.removesuffix(found["file"] or "")
    return Named(Platform.MOODLE, found["number"], found["name"], path if is_file else "", top)


def _canvas(found: re.Match[str]) -> Named | None:
    if found["attachment"] is None and not _CANVAS_TEXT.fullmatch(found["file"]):
        return None
    path = found["file"] if found["attachment"] else ""
    return Named(Platform.CANVAS, found["user"], found["name"], path, found[0], bool(found["late"]))


def uncounted(name: str, wanted: set[str]) -> str:
    """Return a name without the `-1` that Canvas adds to what is handed in again, if it is a wanted one then."""
    stem, dot, ending = name.rpartition(".")
    plain = f"{re.sub(r'-[0-9]+$', '', stem)}{dot}{ending}"
    return plain if name not in wanted and plain in wanted else name
