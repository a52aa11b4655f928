"""Promises of a second run: pages that would not change aren't rendered, all others are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from report_factory import sheet

from grader.model.verdict import Audience
from grader.report.layout import REPORT_PAGE, SHEETS, folder_name
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
    page(tmp_path, graded).write_text(page(tmp_path, graded).read_text() + _MARK)
    return tmp_path


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
