"""Writes a run's reports as its sheets come in, in flat memory."""

from __future__ import annotations

from bisect import bisect_left
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec

from grader.model.verdict import Audience
from grader.report.attempts import since
from grader.report.html import classpage
from grader.report.html.similarpage import similar_link
from grader.report.last_run import since_last
from grader.report.layout import (
    CANVAS,
    CLASS_PAGE,
    MOODLE,
    RESULTS,
    claim_folder,
    make_folder,
    write_atomically,
    write_pieces,
)
from grader.report.registry import DEFAULT_FORMATS, SHEET_FORMATS, reporter
from grader.report.results import ResultWriter
from grader.report.sheet_files import PageNotes, attempt_before, digest, pack_sheet, store, store_run
from grader.report.summary import ClassSummary, canvas, moodle
from grader.report.view import SheetView, bare, view, without_evidence

if TYPE_CHECKING:
    from grader.model.result import GradeSheet
    from grader.report.compare import Comparison


class Style(msgspec.Struct, frozen=True, kw_only=True):
    """Where a run's files go, and for whom."""

    out: Path
    audience: Audience = Audience.STAFF
    formats: tuple[str, ...] = DEFAULT_FORMATS
    published: bool = False
    keep_sheets: bool = True
    history: Path | None = None
    """The run whose earlier attempts the pages tell of; the folder that is written to where none is named."""

    above: str = ""
    """Address of the page to which the class page leads up, where there is one."""

    order: tuple[str, ...] = ()
    """Folders of the class, sorted, where a page links the class and its neighbours."""

    def beside(self, folder: str) -> tuple[str, str] | None:
        """Return the folders before and after this one; None for readers who have no class page."""
        place = bisect_left(self.order, folder)
        if not self.is_private or self.order[place : place + 1] != (folder,):
            return None
        around = ("", *self.order, "")
        return around[place], around[place + 2]

    @property
    def earlier(self) -> Path:
        return self.history or self.out

    @property
    def is_private(self) -> bool:
        """What staff read shows hidden cases and everybody's marks; what students read is to be handed out."""
        return self.audience is Audience.STAFF


def write_sheet(sheet: GradeSheet, style: Style) -> SheetView:
    """Write one submission's files; return what the class keeps of it. Any process may do this."""
    shown = view(without_evidence(sheet), style.audience, published=style.published)
    before = attempt_before(style.earlier, sheet, keep=style.keep_sheets)
    told = before and since(before, sheet, shown, published=style.published)
    beside = style.beside(shown.folder)
    made_from = pack_sheet(sheet) + repr((told, beside, style.audience, style.published)).encode(
        "utf-8", "surrogatepass"
    )
    notes = PageNotes(style.out, sheet.submission, made_from, keep=style.keep_sheets)
    pages = {
        name: style.out / shown.folder / SHEET_FORMATS[name][0] for name in style.formats if name in SHEET_FORMATS
    }
    missing = [name for name, page in pages.items() if not notes.hold(page)]
    if missing:
        shown = view(sheet, style.audience, published=style.published)
    shown = msgspec.structs.replace(shown, since=told, beside=beside)
    for name in missing:
        notes.write(pages[name], reporter(name)(shown), private=style.is_private)
    notes.close()
    if style.keep_sheets:  # last: what is stored is shown
        store(style.out, sheet)
    return bare(shown)


class RunWriter:
    """Takes one submission at a time; `finish` writes what speaks of the whole class.

    The class page and the gradebook files are for staff alone: another audience gets no file with everybody's points,
    but for results.json, which holds what its reader may see.
    """

    def __init__(self, style: Style) -> None:
        self.style = style
        if style.is_private:
            claim_folder(style.out)
        else:
            make_folder(style.out, private=False)
        if style.keep_sheets:
            store_run(style.out, ())
        self._results = ResultWriter()
        self.summary = ClassSummary()
        self._counted: list[tuple[str, bytes]] = []
        """Each submission with the digest of what was counted of it: all that the class page is made from."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._results.__exit__()

    def add(self, sheet: GradeSheet) -> SheetView:
        """Write one submission's files and count it."""
        kept = write_sheet(sheet, self.style)
        self.count(kept)
        return kept

    def count(self, kept: SheetView) -> None:
        """Count a submission whose files `write_sheet` has written."""
        self._counted.append((kept.submission, digest(msgspec.msgpack.encode(kept))))
        self._results.add(kept)
        self.summary.add(kept)

    def finish(self) -> None:
        """Write the files of the whole run."""
        out, formats, private = self.style.out, self.style.formats, self.style.is_private
        if "json" in formats:
            write_pieces(out / RESULTS, self._results.pieces(), private=private)
        if self.style.keep_sheets:
            store_run(out, (row.folder for row in self.summary.rows))
        if not private:
            return
        changed = since_last(self.style.earlier, self.summary, keep=self.style.keep_sheets)
        if "html" in formats:
            self._write_class_page(changed)
        if "csv" in formats:
            write_atomically(out / CANVAS, canvas(self.summary), private=True)
            write_atomically(out / MOODLE, moodle(self.summary), private=True)

    def _write_class_page(self, changed: Comparison | None) -> None:
        out, similar = self.style.out, similar_link(self.style.out)
        made_from = repr((sorted(self._counted), similar, changed, self.style.above)).encode("utf-8", "surrogatepass")
        notes = PageNotes(out, CLASS_PAGE, made_from, keep=self.style.keep_sheets)
        if not notes.hold(out / CLASS_PAGE):
            page = classpage.render(self.summary, similar=similar, changed=changed, above=self.style.above)
            notes.write(out / CLASS_PAGE, page, private=True)
        notes.close()
