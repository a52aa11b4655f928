"""A course folder for the tests: the tiny catalogue of pushes, a class list, a course.yaml."""

from __future__ import annotations

from typing import TYPE_CHECKING

import course as pushes

if TYPE_CHECKING:
    from pathlib import Path

ROSTER = """\
student,group,name,email,canvas_id,sis_login_id,moodle_id
ann,,"Doe, Ann",ann@uni.example,101,ann,7
bob,,"Roe, Bob",bob@uni.example,102,bob,9
cy,team1,"Coe, Cy",cy@uni.example,103,cy,11
dee,team1,"Lee, Dee",dee@uni.example,104,dee,13
"""
DUE = "2026-03-10T23:59:59+08:00"


def make(folder: Path, regulations: str = f"{{due: {DUE}, late: {{percent: 10}}}}", *, more: str = "") -> Path:
    """Write catalogue, class list and course.yaml, and make the book; give the folder."""
    pushes.make(folder)
    (folder / "book.sqlite").unlink()
    (folder / "roster.csv").write_text(ROSTER)
    (folder / "course.yaml").write_text(
        "format: 1\ntitle: Mazes\nroster: roster.csv\nzone: Asia/Taipei\n"
        f"assignments:\n  hello:\n    regulations: {regulations}\n{more}"
    )
    done = grader(folder, "book", "init")
    assert done.returncode == 0, done.stderr
    return folder


def grader(folder: Path, *arguments: str, **environment: str) -> pushes.Done:
    """Run a command in the course folder, with nothing typed twice."""
    return pushes.grader(folder, *arguments, **environment)
