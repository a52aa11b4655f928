"""Writes each submission's reports as its sheet comes in, in flat memory."""

from __future__ import annotations

from bisect import bisect_left
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec

from grader.model import wire
from grader.model.verdict import Audience
from grader.report.attempts import since
from grader.report.layout import claim_folder, make_folder
from grader.report.page_notes import PageNotes
from grader.report.registry import DEFAULT_FORMATS, SHEET_FORMATS, reporter
from grader.report.sheet_files import attempt_before, noted_pages, pack_sheet, store, store_run
from grader.report.tally import Tally
from grader.report.view import SheetView, bare, view, without_evidence
from grader.report.whole_class import write_class

if TYPE_CHECKING:
    from grader.model.result import GradeSheet
    from grader.report.whole_class import ClassFacts


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
    notes = PageNotes(noted_pages(style.out, sheet.submission) if style.keep_sheets else {}, made_from)
    pages = {
        name: style.out / shown.folder / SHEET_FORMATS[name][0] for name in style.formats if name in SHEET_FORMATS
    }
    missing = [name for name, page in pages.items() if not notes.hold(page)]
    if missing:
        shown = view(sheet, style.audience, published=style.published)
    shown = msgspec.structs.replace(shown, since=told, beside=beside)
    for name in missing:
        notes.write(pages[name], reporter(name)(shown), private=style.is_private)
    if style.keep_sheets:  # last: what is stored is shown
        store(style.out, sheet, notes.notes)
    return bare(shown)


class RunWriter:
    """Takes one submission at a time, and holds none; `finish` writes what speaks of the whole class."""

    def __init__(self, style: Style) -> None:
        self.style = style
        if style.is_private:
            claim_folder(style.out)
        else:
            make_folder(style.out, private=False)
        if style.keep_sheets:
            store_run(style.out, ())
        self.tally = Tally()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.tally.__exit__()

    def add(self, sheet: GradeSheet) -> None:
        """Write one submission's files and count it."""
        self.tally.add(wire.encode(write_sheet(sheet, self.style)))

    def finish(self) -> ClassFacts:
        """Write the files of the whole run."""
        return write_class(Path(self.tally.written()), self.style)
