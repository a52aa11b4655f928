"""Renders submissions that are alike, side by side, for staff."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from markupsafe import Markup

from grader.model.similarity import SourceLine
from grader.report.clean import clean_line
from grader.report.html.templates import fill
from grader.report.layout import CLASS_PAGE, SIMILAR_PAGE, write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model.similarity import Comparison, Likeness, Side

SLOT = Markup("<!-- similar submissions -->")
"""Where the class page takes the link."""
LINK = Markup('<p class="small"><a href="{}">Similar submissions</a></p>').format(SIMILAR_PAGE)
_MOST_LINES = 1_500


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """One side as the page shows it."""

    submission: str
    percent: int
    files: tuple[tuple[str, tuple[SourceLine, ...]], ...]
    left_out: int


def render(comparison: Comparison, *, class_page: str = "") -> str:
    """Return the page: a table of pairs, then each pair with its shared lines; it leads back to a class page."""
    pairs = [(_shown(pair.first), _shown(pair.second)) for pair in comparison.pairs if pair.first.lines]
    return fill(
        "similar.html",
        scripts=(),
        comparison=comparison,
        class_page=class_page,
        pairs=pairs,
        more=len(comparison.pairs) - len(pairs),
        threshold=round(comparison.threshold * 100),
        left_out=[(name, clean_line(why)) for name, why in sorted(comparison.left_out.items())],
    )


def data(comparison: Comparison) -> bytes:
    """Return the pairs as JSON, without anyone's source. Format 1."""
    return msgspec.json.encode(
        {
            "format": 1,
            "assignment": comparison.assignment,
            "threshold": comparison.threshold,
            "compared": comparison.compared,
            "left_out": comparison.left_out,
            "old": comparison.old,
            "clusters": comparison.clusters,
            "pairs": [_row(pair) for pair in comparison.pairs],
        }
    )


def write(out: Path, comparison: Comparison) -> Path:
    """Write the page, readable by its owner alone, and link it on the class page that lies beside it."""
    page, overview = out / SIMILAR_PAGE, out / CLASS_PAGE
    write_atomically(page, render(comparison, class_page=CLASS_PAGE if overview.is_file() else ""), private=True)
    if overview.is_file():
        write_atomically(overview, overview.read_text("utf-8").replace(SLOT, LINK), private=True)
    return page


def similar_link(out: Path) -> Markup:
    """Return the class page's link to the page, or the place that takes it later."""
    return LINK if (out / SIMILAR_PAGE).is_file() else SLOT


def _row(pair: Likeness) -> dict[str, object]:
    return {
        "first": pair.first.submission,
        "second": pair.second.submission,
        "share_of_first": round(pair.first.share, 3),
        "share_of_second": round(pair.second.share, 3),
        "characters": pair.characters,
    }


def _shown(side: Side) -> Shown:
    files: dict[str, list[SourceLine]] = {}
    for line in side.lines[:_MOST_LINES]:
        files.setdefault(line.path, []).append(msgspec.structs.replace(line, text=clean_line(line.text)))
    return Shown(
        submission=side.submission,
        percent=round(side.share * 100),
        files=tuple((path, tuple(lines)) for path, lines in files.items()),
        left_out=max(0, len(side.lines) - _MOST_LINES),
    )
