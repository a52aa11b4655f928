"""Writes each submission's reports as its sheet comes in, and what speaks of the whole class once all are there.

The class page and the gradebook files are for staff alone: another audience gets no file with everybody's points,
but for results.json, which holds what its reader may see.
"""

from __future__ import annotations

import errno
import zlib
from bisect import bisect_left
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.errors import UsageError
from grader.model import wire
from grader.model.result import GradeSheet
from grader.model.verdict import Audience
from grader.report import results
from grader.report.compare import since_last
from grader.report.html import classpage
from grader.report.html.similarpage import similar_link
from grader.report.layout import (
    CANVAS,
    CLASS_PAGE,
    MOODLE,
    RESULTS,
    claim_folder,
    folder_name,
    make_folder,
    write_atomically,
    write_pieces,
)
from grader.report.registry import DEFAULT_FORMATS, pages
from grader.report.sheet_files import attempt_before, store, store_run
from grader.report.since import Since, since
from grader.report.summary import ClassSummary, canvas, moodle
from grader.report.view import SheetView, bare, view

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_decode = wire.decoder(SheetView).decode


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """One submission's reports: for whom, where, and with which attempt before they are compared."""

    sheet: GradeSheet
    audience: Audience
    folder: str = ""
    """Where the files go; nowhere where it is empty."""
    formats: tuple[str, ...] = ()
    before: GradeSheet | None = None
    published: bool = False
    beside: tuple[str, str] | None = None
    private: bool = True

    def view(self) -> SheetView:
        """Show the sheet to its reader."""
        shown = view(self.sheet, self.audience, published=self.published)
        return msgspec.structs.replace(shown, since=self._since(shown), beside=self.beside)

    def _since(self, shown: SheetView) -> Since | None:
        if self.before is None:
            return None
        old = view(self.before, self.audience, published=self.published)
        return since(old, shown, self.before.sources, self.sheet.sources)


def write(wanted: Wanted) -> SheetView:
    """Write one submission's files; return what they show. Any process may do this."""
    shown = wanted.view()
    for name, make in pages(shown, wanted.formats) if wanted.folder else ():
        write_atomically(Path(wanted.folder, name), make(), private=wanted.private)
    return shown


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
    """Write one submission's files, and keep its sheet; return what the class keeps of it."""
    folder = folder_name(sheet.submission)
    wanted = Wanted(
        sheet=sheet,
        audience=style.audience,
        folder=str(style.out / folder),
        formats=tuple(name for name in style.formats if name != "json"),  # one file for the whole run
        before=attempt_before(style.earlier, sheet, keep=style.keep_sheets),
        published=style.published,
        beside=style.beside(folder),
        private=style.is_private,
    )
    shown = write(wanted)
    if style.keep_sheets:  # last: what is stored is shown
        store(style.out, sheet)
    return bare(shown)


class Counted(msgspec.Struct, frozen=True, order=True):
    """What is kept of a submission until the whole class is there: its view without evidence, packed."""

    submission: str
    view: bytes


class ClassFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a command tells of the class that it graded."""

    submissions: int
    full: int
    """How many have full marks."""
    level: str
    """How strong the wall was; empty for an empty class."""
    unjudged: tuple[tuple[str, int], ...]
    """Whose cases could not be judged through our own fault, and how many."""


def counted(shown: SheetView) -> Counted:
    """Return what the class keeps of a submission, small enough for ten thousand of them."""
    return Counted(shown.submission, zlib.compress(wire.encode(shown), 1))


class RunWriter:
    """Takes one submission at a time; `finish` writes what speaks of the whole class.

    A folder that can't be made is a mistake on the command line, a full disk isn't.
    """

    def __init__(self, style: Style) -> None:
        self.style = style
        self.kept: list[Counted] = []
        try:
            self._claim()
        except OSError as error:
            if error.errno in {errno.ENOSPC, errno.EDQUOT}:
                raise
            raise UsageError(
                f"{style.out} can't be written: {error.strerror}", hint="name another: -o FOLDER"
            ) from error

    def _claim(self) -> None:
        if self.style.is_private:
            claim_folder(self.style.out)
        else:
            make_folder(self.style.out, private=False)
        if self.style.keep_sheets:
            store_run(self.style.out, ())

    def add(self, sheet: GradeSheet) -> None:
        """Write one submission's files and count it."""
        self.kept.append(counted(write_sheet(sheet, self.style)))

    def finish(self) -> ClassFacts:
        """Write the files of the whole run."""
        return write_class(self.kept, self.style)


def write_class(kept: Iterable[Counted], style: Style) -> ClassFacts:
    """Write the files of the whole run."""
    ordered, summary = sorted(kept), ClassSummary()
    for shown in _views(ordered):
        summary.add(shown)
    if "json" in style.formats:
        write_pieces(style.out / RESULTS, results.pieces(_views(ordered)), private=style.is_private)
    if style.keep_sheets:
        store_run(style.out, (row.folder for row in summary.rows))
    if style.is_private:
        changed = since_last(style.earlier, summary.run(), keep=style.keep_sheets)
        if "html" in style.formats:
            page = classpage.render(summary, similar=similar_link(style.out), changed=changed, above=style.above)
            write_atomically(style.out / CLASS_PAGE, page, private=True)
        if "csv" in style.formats:
            write_atomically(style.out / CANVAS, canvas(summary), private=True)
            write_atomically(style.out / MOODLE, moodle(summary), private=True)
    return ClassFacts(
        submissions=len(summary.rows),
        full=sum(row.has_full_marks for row in summary.rows),
        level=summary.level,
        unjudged=tuple((row.id, row.unjudged) for row in summary.unjudged()),
    )


def _views(ordered: Iterable[Counted]) -> Iterator[SheetView]:
    """Yield the views, one in memory at a time."""
    for one in ordered:
        shown: SheetView = _decode(zlib.decompress(one.view))
        yield shown
