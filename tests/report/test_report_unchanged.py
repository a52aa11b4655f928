"""Promises of a second run: pages that would not change aren't rendered, all others are."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec
import pytest
from report_factory import sheet

from grader.model.verdict import Audience
from grader.report.layout import CLASS_PAGE, REPORT_PAGE, SHEETS, SIMILAR_PAGE, folder_name
from grader.report.writer import RunWriter

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model.result import GradeSheet

_MARK = "<!-- left alone -->"


def write(out: Path, graded: GradeSheet, *, audience: Audience = Audience.STAFF, finish: bool = True) -> None:
    with RunWriter(out, audience=audience) as writer:
        writer.add(graded)
        if finish:
            writer.finish()


def page(out: Path, graded: GradeSheet) -> Path:
    return out / folder_name(graded.submission) / REPORT_PAGE


def is_left_alone(out: Path, graded: GradeSheet) -> bool:
    return _MARK in page(out, graded).read_text()


@pytest.fixture
def graded() -> GradeSheet:
    return sheet()


@pytest.fixture
def out(tmp_path: Path, graded: GradeSheet) -> Path:
    """Give a finished run whose page bears a mark that a new rendering would wipe out."""
    write(tmp_path, graded)
    mark(page(tmp_path, graded))
    return tmp_path


def mark(path: Path, *, later_ns: int = 0) -> None:
    """Write the mark; a page that isn't newer than before was left alone since it was rendered."""
    changed_ns = path.stat().st_mtime_ns + later_ns
    path.write_text(path.read_text() + _MARK)
    os.utime(path, ns=(changed_ns, changed_ns))


def test_an_unchanged_page_is_left_alone(out: Path, graded: GradeSheet) -> None:
    """A second grade of the same renders nothing anew."""
    write(out, graded)
    assert is_left_alone(out, graded)


def test_a_changed_sheet_is_rendered(out: Path, graded: GradeSheet) -> None:
    """Other points, another page."""
    changed = msgspec.structs.replace(graded, points=graded.points / 2 + 0.25)
    write(out, changed)
    assert not is_left_alone(out, changed)


def test_another_reader_gets_other_pages(out: Path, graded: GradeSheet) -> None:
    """A page made for staff is never kept for students."""
    write(out, graded, audience=Audience.STUDENT)
    assert not is_left_alone(out, graded)


def test_a_missing_page_is_rendered(out: Path, graded: GradeSheet) -> None:
    """Who deletes a page gets it again."""
    page(out, graded).unlink()
    write(out, graded)
    assert page(out, graded).exists()


def test_pages_of_another_style_are_rendered(out: Path, graded: GradeSheet) -> None:
    """A new version of the grader or of its templates renders everything."""
    (out / SHEETS / "style").write_text("older")
    write(out, graded)
    assert not is_left_alone(out, graded)


def test_an_unfinished_run_vouches_for_no_page(out: Path, graded: GradeSheet) -> None:
    """After an interrupted run for another reader, everything is rendered."""
    write(out, graded, audience=Audience.STUDENT, finish=False)
    page(out, graded).write_text(_MARK)
    write(out, graded, audience=Audience.STUDENT)
    assert not is_left_alone(out, graded)


def test_an_edited_page_is_rendered_once(out: Path, graded: GradeSheet) -> None:
    """What somebody wrote into a page is wiped out by the next grade, and the one after that has nothing to do."""
    mark(page(out, graded), later_ns=10**9)
    write(out, graded)
    assert not is_left_alone(out, graded)
    mark(page(out, graded))
    write(out, graded)
    assert is_left_alone(out, graded)


def test_an_unchanged_class_page_is_left_alone(out: Path, graded: GradeSheet) -> None:
    """The page of the class is rendered only when it would show something else."""
    mark(out / CLASS_PAGE)
    write(out, graded)
    assert _MARK in (out / CLASS_PAGE).read_text()


@pytest.mark.parametrize("why", ["points", "edited", "style", "similar"])
def test_a_class_page_that_would_change_is_rendered(out: Path, graded: GradeSheet, why: str) -> None:
    """Other points, another hand, another style, a page to link: each makes a new class page."""
    mark(out / CLASS_PAGE, later_ns=10**9 if why == "edited" else 0)
    if why == "style":
        (out / SHEETS / "style").write_text("older")
    if why == "similar":
        (out / SIMILAR_PAGE).write_text("alike")
    write(out, msgspec.structs.replace(graded, points=0.25) if why == "points" else graded)
    assert _MARK not in (out / CLASS_PAGE).read_text()
