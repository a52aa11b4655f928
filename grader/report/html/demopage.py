"""Renders the page above a demonstration's reports: one row per assignment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.model.verdict import Verdict
from grader.report.html.templates import fill
from grader.report.layout import CLASS_PAGE, REPORT_PAGE

if TYPE_CHECKING:
    from collections.abc import Sequence


class Graded(msgspec.Struct, frozen=True, kw_only=True):
    """How a class did in one assignment."""

    name: str
    title: str
    about: str
    submissions: int
    cases: int
    full: int
    """Submissions with all points."""
    example: str = ""
    """A submission worth looking at, and its folder."""
    folder: str = ""


def render(graded: Sequence[Graded]) -> str:
    return fill(
        "demo.html",
        scripts=(),
        graded=graded,
        verdicts=list(Verdict),
        class_page=CLASS_PAGE,
        sheet_page=REPORT_PAGE,
    )
