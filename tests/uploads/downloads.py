"""Bulk downloads as Canvas and Moodle pack them."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

WORKSHEET = """\
Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",\
"Last modified (submission)","Last modified (grade)","Feedback comments"
Participant 7,"Ann Doe",ann@uni.example,"Submitted for grading",,4.00,Yes,"Tuesday, 10 March 2026, 11:59 PM",-,
Participant 9,"Bob Roe",bob@uni.example,"Submitted for grading",,4.00,Yes,"Wednesday, 11 March 2026, 12:00 AM",-,
Participant 11,"Cy Coe",cy@uni.example,"No submission",,4.00,Yes,-,-,
"""
TIMES = "student,time\nann,2026-03-10T23:59:59+08:00\nbob,2026-03-11T00:00:00+08:00\n"


def pack(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path
