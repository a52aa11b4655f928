"""Writes what speaks of the whole class, once every submission is counted; any process may do it.

The class page and the gradebook files are for staff alone: another audience gets no file with everybody's points,
but for results.json, which holds what its reader may see.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from grader.report import results
from grader.report.html import classpage
from grader.report.html.similarpage import similar_link
from grader.report.last_run import since_last
from grader.report.layout import CANVAS, CLASS_PAGE, MOODLE, RESULTS, write_atomically, write_pieces
from grader.report.page_notes import PageNotes, note_class, noted_class
from grader.report.sheet_files import store_run
from grader.report.summary import ClassSummary, canvas, moodle
from grader.report.tally import counted

if TYPE_CHECKING:
    from pathlib import Path

    from grader.report.compare import Comparison
    from grader.report.writer import Style


class ClassFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a command tells of the class that it graded."""

    submissions: int
    full: int
    """How many have full marks."""
    level: str
    """How strong the wall was; empty for an empty class."""
    unjudged: tuple[tuple[str, int], ...]
    """Whose cases could not be judged through our own fault, and how many."""


def write_class(tally: Path, style: Style) -> ClassFacts:
    """Write the files of the whole run."""
    summary, all_of_it = ClassSummary(), hashlib.blake2b()
    for shown, packed in counted(tally):
        summary.add(shown)
        all_of_it.update(packed)
    if "json" in style.formats:
        pieces = results.pieces(shown for shown, _ in counted(tally))
        write_pieces(style.out / RESULTS, pieces, private=style.is_private)
    if style.keep_sheets:
        store_run(style.out, (row.folder for row in summary.rows))
    if style.is_private:
        changed = since_last(style.earlier, summary, keep=style.keep_sheets)
        if "html" in style.formats:
            _write_class_page(style, summary, changed, all_of_it.digest())
        if "csv" in style.formats:
            write_atomically(style.out / CANVAS, canvas(summary), private=True)
            write_atomically(style.out / MOODLE, moodle(summary), private=True)
    return ClassFacts(
        submissions=len(summary.rows),
        full=sum(row.has_full_marks for row in summary.rows),
        level=summary.level,
        unjudged=tuple((row.id, row.unjudged) for row in summary.unjudged()),
    )


def _write_class_page(style: Style, summary: ClassSummary, changed: Comparison | None, all_of_it: bytes) -> None:
    similar = similar_link(style.out)
    made_from = repr((all_of_it, similar, changed, style.above)).encode("utf-8", "surrogatepass")
    notes = PageNotes(noted_class(style.out) if style.keep_sheets else {}, made_from)
    if not notes.hold(style.out / CLASS_PAGE):
        page = classpage.render(summary, similar=similar, changed=changed, above=style.above)
        notes.write(style.out / CLASS_PAGE, page, private=True)
    if style.keep_sheets:
        note_class(style.out, notes.notes)
