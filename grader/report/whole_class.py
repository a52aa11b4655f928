"""Writes what speaks of the whole class, once every submission is counted; any process may do it.

The class page and the gradebook files are for staff alone: another audience gets no file with everybody's points,
but for results.json, which holds what its reader may see.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import msgspec

from grader.model import wire
from grader.report import results
from grader.report.compare import since_last
from grader.report.html import classpage
from grader.report.html.similarpage import similar_link
from grader.report.layout import CANVAS, CLASS_PAGE, MOODLE, RESULTS, write_atomically, write_pieces
from grader.report.sheet_files import store_run
from grader.report.summary import ClassSummary, canvas, moodle
from grader.report.view import SheetView

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.report.writer import Style

_decode = wire.decoder(SheetView).decode


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
