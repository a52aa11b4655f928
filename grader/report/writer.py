"""Writes a run's reports as its sheets come in, in flat memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from grader.model.verdict import Audience
from grader.report import classpage, spreadsheet
from grader.report.formats import DEFAULT_FORMATS, SHEET_FORMATS, reporter
from grader.report.layout import CANVAS, CLASS_PAGE, MOODLE, RESULTS, folder_name, write_atomically
from grader.report.results import ResultWriter
from grader.report.similarpage import similar_link
from grader.report.store import is_stored, store
from grader.report.summary import ClassSummary
from grader.report.unchanged import Style
from grader.report.view import SheetView, view

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model.result import GradeSheet


class RunWriter:
    """Takes one sheet at a time; `finish` writes what speaks of the whole class.

    The class page and the gradebook files are for staff alone: another audience gets no file with everybody's points,
    but for results.json, which holds what its reader may see.
    """

    def __init__(
        self,
        out: Path,
        *,
        audience: Audience = Audience.STAFF,
        formats: tuple[str, ...] = DEFAULT_FORMATS,
        published: bool = False,
        keep_sheets: bool = True,
    ) -> None:
        self._out = out
        self._audience = audience
        self._formats = formats
        self._published = published
        self._keep_sheets = keep_sheets
        self._style = Style(out, audience, published=published)
        self._results = ResultWriter()
        self.summary = ClassSummary()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._results.__exit__()

    def add(self, sheet: GradeSheet) -> SheetView:
        """Write one submission's files and give the view they show."""
        is_shown = self._style.is_same and self._keep_sheets and is_stored(self._out, sheet)
        shown = view(sheet, self._audience, published=self._published)
        self._results.add(shown)
        self.summary.add(shown, submission=sheet.submission)
        folder = self._out / folder_name(sheet.submission)
        for name in self._formats:
            if name in SHEET_FORMATS and not (is_shown and (folder / SHEET_FORMATS[name][0]).exists()):
                write_atomically(folder / SHEET_FORMATS[name][0], reporter(name).render(shown))
        if self._keep_sheets:
            store(self._out, sheet)  # last: what is stored is shown
        return shown

    def finish(self) -> None:
        """Write the files of the whole run."""
        if self._keep_sheets:
            self._style.finish()
        if "json" in self._formats:
            write_atomically(self._out / RESULTS, self._results.content())
        if self._audience is not Audience.STAFF:
            return
        if "html" in self._formats:
            write_atomically(self._out / CLASS_PAGE, classpage.render(self.summary, similar=similar_link(self._out)))
        if "csv" in self._formats:
            write_atomically(self._out / CANVAS, spreadsheet.canvas(self.summary))
            write_atomically(self._out / MOODLE, spreadsheet.moodle(self.summary))
