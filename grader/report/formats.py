"""Knows every format by name: its file and its reporter."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from grader.errors import UsageError
from grader.report.layout import REPORT_PAGE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.report.view import SheetView


REPORTER_PROTOCOL = 1
"""Version of what a reporter gets and gives."""


class Reporter(Protocol):
    """Turns a view into one text; a module with `render` is one."""

    def render(self, view: SheetView) -> str:
        """Give the whole text of the file; all text in the view is clean, escaping is the reporter's."""
        ...


SHEET_FORMATS = {
    "html": (REPORT_PAGE, "grader.report.page"),
    "junit": ("junit.xml", "grader.report.junit"),
    "ctrf": ("ctrf.json", "grader.report.ctrf"),
    "gradescope": ("gradescope.json", "grader.report.gradescope"),
    "md": ("report.md", "grader.report.markdown"),
    "codequality": ("codequality.json", "grader.report.codequality"),
    "github": ("annotations.txt", "grader.report.github"),
    "text": ("report.txt", "grader.report.terminal"),
}
"""Formats with one file per submission: file name and module."""
CLASS_FORMATS = ("html", "json", "csv")
"""Formats with files for the whole run."""
FORMATS = tuple(dict.fromkeys((*CLASS_FORMATS, *SHEET_FORMATS)))
DEFAULT_FORMATS = ("html", "json")


def reporter(name: str) -> Reporter:
    """Give the reporter of a format that has one file per submission."""
    return cast("Reporter", import_module(SHEET_FORMATS[name][1]))


def chosen(names: Iterable[str]) -> tuple[str, ...]:
    """Check the names of formats, such as `html,json` given in one or several pieces."""
    wanted = [part.strip() for name in names for part in name.split(",") if part.strip()]
    unknown = [name for name in wanted if name not in FORMATS]
    if unknown:
        raise UsageError(f"unknown format: {', '.join(unknown)}", hint=f"Formats are {', '.join(FORMATS)}.")
    return tuple(dict.fromkeys(wanted)) or DEFAULT_FORMATS
