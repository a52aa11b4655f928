"""Writes a run's reports as its sheets come in, in flat memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from grader.model.verdict import Audience
from grader.report import classpage, spreadsheet
from grader.report.formats import DEFAULT_FORMATS, SHEET_FORMATS, reporter
from grader.report.layout import (
    CANVAS,
    CLASS_PAGE,
    MOODLE,
    OVERVIEW,
    RESULTS,
    SHEETS,
    folder_name,
    holds,
    write_atomically,
    write_pieces,
)
from grader.report.results import ResultWriter
from grader.report.similarpage import LINK, similar_link
from grader.report.store import find_stored, store
from grader.report.summary import ClassSummary
from grader.report.unchanged import Style, essence, renewed, untouched
from grader.report.view import SheetView, view

if TYPE_CHECKING:
    from pathlib import Path

    from grader.again.written import Written
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
        self.outputs: list[Written] = []
        """Every file of the run as it was written, a line per file."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._results.__exit__()

    def add(self, sheet: GradeSheet) -> SheetView:
        """Write one submission's files and give the view they show."""
        shown = view(sheet, self._audience, published=self._published)
        self._results.add(shown)
        self.summary.add(shown, submission=sheet.submission)
        stored = find_stored(self._out, sheet) if self._style.is_same and self._keep_sheets else None
        missing = [(page, name) for page, name in self._pages(sheet) if not self._is_kept(page, stored)]
        for page, name in missing:
            self.outputs.append(write_atomically(page, reporter(name).render(shown)))
        if self._keep_sheets:  # last: what is stored is shown
            written = stored or store(self._out, sheet)
            self.outputs.append(renewed(written) if missing else written)
        return shown

    def finish(self) -> None:
        """Write the files of the whole run."""
        if self._audience is Audience.STAFF and "html" in self._formats:
            self._write_class_page()
        if self._keep_sheets:
            self.outputs.append(self._style.finish())
        if "json" in self._formats:
            self.outputs.append(write_pieces(self._out / RESULTS, self._results.pieces()))
        if self._audience is Audience.STAFF and "csv" in self._formats:
            self.outputs.append(write_atomically(self._out / CANVAS, spreadsheet.canvas(self.summary)))
            self.outputs.append(write_atomically(self._out / MOODLE, spreadsheet.moodle(self.summary)))

    def _pages(self, sheet: GradeSheet) -> list[tuple[Path, str]]:
        folder = self._out / folder_name(sheet.submission)
        return [(folder / SHEET_FORMATS[name][0], name) for name in self._formats if name in SHEET_FORMATS]

    def _is_kept(self, page: Path, witness: Written | None) -> bool:
        """Tell whether a page is there as it was written, and count it among the outputs."""
        kept = untouched(page, witness) if witness else None
        if kept:
            self.outputs.append(kept)
        return kept is not None

    def _write_class_page(self) -> None:
        page, note = self._out / CLASS_PAGE, self._out / SHEETS / OVERVIEW
        similar = similar_link(self._out)
        made_from = essence(self.summary, is_linked=similar is LINK)
        known = holds(note, made_from.encode()) if self._style.is_same and self._keep_sheets else None
        if known and self._is_kept(page, known):
            self.outputs.append(known)
            return
        self.outputs.append(write_atomically(page, classpage.render(self.summary, similar=similar)))
        if self._keep_sheets:
            self.outputs.append(renewed(write_atomically(note, made_from)))
