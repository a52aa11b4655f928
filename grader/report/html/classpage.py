"""Renders the class page: how everyone did, on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from grader.model.verdict import Verdict
from grader.report.html.templates import fill
from grader.report.layout import REPORT_PAGE

if TYPE_CHECKING:
    from markupsafe import Markup

    from grader.report.compare import Comparison
    from grader.report.summary import ClassSummary, Column, Place

_BINS = 10


class Bin(msgspec.Struct, frozen=True, kw_only=True):
    """One bar of the distribution, in per cent of the points."""

    label: str
    count: int
    share: float
    """Of the tallest bar."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One verdict's share of a case's bar, in per cent."""

    verdict: Verdict
    count: int
    start: float
    width: float


def render(
    summary: ClassSummary, *, similar: Markup | str = "", changed: Comparison | None = None, above: str = ""
) -> str:
    """Return the page; `similar` is the link to the similar submissions, or the place for it.

    `above` is the address of the page that lists this class among others.
    """
    columns = list(summary.columns.values())
    rows = summary.sorted_rows()
    full = sum(row.has_full_marks for row in rows)
    return fill(
        "class.html",
        scripts=("class.js",),
        summary=summary,
        similar=similar,
        above=above,
        rows=rows,
        columns=columns,
        full=full,
        bins=_bins(summary),
        parts=[_parts(column) for column in columns],
        changed=changed,
        by_id={row.id: row for row in rows} if changed else {},
        triage=summary.triage(),
        groups=summary.groups(),
        slowest=summary.slowest(),
        hungriest=summary.hungriest(),
        findings=sorted(
            ((rule, sorted(places, key=_place)) for rule, places in summary.findings.items()),
            key=lambda item: (-len(item[1]), item[0]),
        ),
        broken=summary.failed_to_load(),
        unjudged=summary.unjudged(),
        verdicts=list(Verdict),
        page=REPORT_PAGE,
        data=_data(summary),
    )


def _data(summary: ClassSummary) -> dict[str, Any]:
    return {
        "page": REPORT_PAGE,
        "verdicts": {str(verdict): verdict.meaning for verdict in Verdict},
        "columns": [[column.id, column.title, round(column.pass_rate, 4)] for column in summary.columns.values()],
        "rows": [
            [
                row.id,
                row.folder,
                row.points,
                row.max_points,
                " ".join(mark or "-" for mark in row.marks),
                row.findings,
                *([row.name] if row.name != row.id else []),
            ]
            for row in summary.sorted_rows()
        ],
    }


def _bins(summary: ClassSummary) -> list[Bin]:
    counts = [0] * (_BINS + 1)
    for row in summary.rows:
        share = row.points / row.max_points if row.max_points else 0.0
        counts[min(_BINS, max(0, int(share * _BINS + 1e-9)))] += 1
    tallest = max(counts) or 1
    step = 100 // _BINS
    labels = [f"{place * step}–{(place + 1) * step - 1}" for place in range(_BINS)] + ["100"]
    return [Bin(label=label, count=count, share=count / tallest) for label, count in zip(labels, counts, strict=True)]


def _parts(column: Column) -> list[Part]:
    parts: list[Part] = []
    start = 0.0
    for verdict in Verdict:
        count = column.verdicts[verdict]
        if count:
            width = 100 * count / column.runs
            parts.append(Part(verdict=verdict, count=count, start=start, width=width))
            start += width
    return parts


def _place(place: Place) -> tuple[str, str, int, str]:
    return (place.submission, place.path, place.line, place.message)
