"""Knows every format by name: its file and its reporter."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, cast

from grader.errors import UsageError
from grader.report import results
from grader.report.layout import REPORT_PAGE, RESULTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.report.view import SheetView


Reporter = Callable[["SheetView"], str]
"""Returns the whole text of a file; all text in the view is clean, escaping is the reporter's."""

SHEET_FORMATS = {
    "html": (REPORT_PAGE, "grader.report.html.page:render"),
    "junit": ("junit.xml", "grader.report.junit:render"),
    "gradescope": ("gradescope.json", "grader.report.gradescope:render"),
    "md": ("report.md", "grader.report.markdown:render"),
    "codequality": ("codequality.json", "grader.report.findings:code_quality"),
    "sarif": ("findings.sarif", "grader.report.findings:sarif_of"),
    "text": ("report.txt", "grader.report.text.terminal:render"),
}
"""Formats with one file per submission: file name, module and function."""
CLASS_FORMATS = ("html", "json", "csv")
"""Formats with files for the whole run."""
FORMATS = tuple(dict.fromkeys((*CLASS_FORMATS, *SHEET_FORMATS)))
DEFAULT_FORMATS = ("html", "json")


def reporter(name: str) -> Reporter:
    """Return the reporter of a format that has one file per submission."""
    module, _, function = SHEET_FORMATS[name][1].partition(":")
    return cast("Reporter", getattr(import_module(module), function))


def pages(shown: SheetView, formats: Iterable[str]) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the name of each file that one submission gets in these formats, and what makes its text."""
    for name in formats:
        if name in SHEET_FORMATS:
            yield SHEET_FORMATS[name][0], partial(reporter(name), shown)
        elif name == "json":
            yield RESULTS, partial(results.render, shown)


def chosen(names: Iterable[str]) -> tuple[str, ...]:
    """Check the names of formats, such as `html,json` given in one or several pieces."""
    wanted = [part.strip() for name in names for part in name.split(",") if part.strip()]
    unknown = [name for name in wanted if name not in FORMATS]
    if unknown:
        near = get_close_matches(unknown[0], FORMATS, n=1)
        meant = f"Did you mean {near[0]}? " if near else ""
        raise UsageError(f"unknown format: {', '.join(unknown)}", hint=f"{meant}Formats are {', '.join(FORMATS)}.")
    return tuple(dict.fromkeys(wanted)) or DEFAULT_FORMATS
