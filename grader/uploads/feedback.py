"""Name feedback so that Moodle and Canvas give it back to its student, and pack it.

Moodle    <folder of the bulk download>/feedback.html; the number in the folder's name tells whose it is
Canvas    <file of the bulk download>, as HTML: the numbers of user and attachment in its name tell whose it is
"""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

from grader.atomic_write import replacing
from grader.uploads.class_list import Platform
from grader.uploads.platform_names import read_name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from grader.model.lms import Student

_PAGE = "feedback.html"
_EPOCH = (1980, 1, 1, 0, 0, 0)


def feedback_name(platform: Platform, student: Student, upload: str) -> str:
    """Return the name in the zip under which the platform finds the student; empty when it can't."""
    found = read_name(upload) if upload else None
    if platform is Platform.CANVAS:
        is_known = found is not None and found.platform is platform and found.number == student.canvas_id
        return f"{upload.rpartition('.')[0] or upload}.html" if is_known else ""
    if (
        found is not None
        and found.platform is platform
        and "_" not in found.person
        and found.number == student.moodle_id
    ):
        return f"{found.top}/{_PAGE}"
    person = (student.name or student.student).replace("_", " ").replace("/", " ").replace("\\", " ")
    # Moodle reads a name up to its first underscore.
    return f"{person}_{student.moodle_id}_assignsubmission_file/{_PAGE}" if student.moodle_id else ""


def pack(path: Path, pages: Mapping[str, bytes]) -> None:
    """Write the zip in one step; the same pages make the same bytes."""
    with replacing(path, private=True) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(pages.items()):
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
