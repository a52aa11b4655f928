"""Writes results.json, format 1: the file that other tools read.

Format 1: `format`, `assignment`, `grader`, `isolation`, `isolation_detail` (staff), `submissions` by id, each with
`id`, `points`, `max_points`, `unjudged`, `final`, `problem`, `findings`, `notes`, `people_points`, `total_points`,
`total_max_points`, `remarks`, `cases` in the catalogue's order.
A case that the reader may not see has a `verdict` of null, no measures and the id `case-<number>`.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from grader.model.result import Isolation, Severity
from grader.model.verdict import Verdict, Visibility

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.report.view import CaseView, SheetView

RESULTS_FORMAT = 1
P = TypeVar("P", bound=msgspec.Struct)


class ResultCase(msgspec.Struct, frozen=True, kw_only=True):
    """One case of a submission, in the catalogue's order."""

    id: str
    """The case's id in the catalogue."""
    title: str
    """What the case is about."""
    verdict: Verdict | None
    """The judge's word, or null where the reader may not know it."""
    outcome: str
    """`passed`, `partly`, `failed`, `skipped` or `error`; `untold` where the reader may not know."""
    points: float | None
    """Points given; null for a judge error and where they aren't told: the case is in no sum then."""
    max_points: float
    """Points the case is worth."""
    cpu_s: float | None
    """Seconds of processor time, or null."""
    wall_s: float | None
    """Seconds on the clock, or null."""
    peak_mib: float | None
    """Most memory held at once, or null."""
    visibility: Visibility
    """When a student may see the case."""
    message: str
    """Why the verdict isn't AC; empty when it is."""


class ResultFinding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that the policy scan found."""

    rule: str
    """The rule's name, as in docs/policy."""
    path: str
    """The file, below the submission's folder; empty where no place is told."""
    line: int
    """From 1; 0 where no place is told."""
    column: int
    """From 1; 0 where no place is told."""
    message: str
    """What was found and how it was reached."""
    severity: Severity
    """`certain` costs what the assignment says; `review` is for staff and costs nothing."""


class ResultNote(msgspec.Struct, frozen=True, kw_only=True):
    """Something that people should know of the submission."""

    kind: str
    """`missing-file`, `dropped`, `renamed`, `not-deterministic`, …"""
    path: str
    """The file it speaks of, if any."""
    message: str
    """One sentence."""


class ResultRemark(msgspec.Struct, frozen=True, kw_only=True):
    """A person's judgement beside the machine's."""

    title: str
    """An item of the rubric, a case, a line, or the whole attempt."""
    points: float | None
    """Given, or taken when negative; null for an item of the rubric that nobody has judged yet."""
    max_points: float
    """For an item of the rubric: the most that is given, or taken."""
    message: str
    """The reason."""
    case: str
    """The case's id, if it is about one that the reader may see."""
    path: str
    """The file, if it is about a line."""
    line: int
    """From 1; 0 if it is about no line."""


class ResultSubmission(msgspec.Struct, frozen=True, kw_only=True):
    """One submission."""

    id: str
    """The student's, from the folder's or file's name."""
    points: float
    """Sum of the points of the cases that were judged and are told, less what findings cost."""
    max_points: float
    """Sum of what these cases are worth."""
    unjudged: int
    """Cases that could not be judged through a fault of ours; they are in neither sum."""
    final: bool
    """Whether the total can't change any more."""
    problem: str
    """Why it couldn't be graded at all; empty when it could."""
    findings: tuple[ResultFinding, ...]
    """What the policy scan found."""
    notes: tuple[ResultNote, ...]
    """What intake and the run noticed."""
    people_points: float
    """What people gave and took, beside `points`."""
    total_points: float
    """`points` and `people_points` together, before what lateness costs; never less than 0."""
    total_max_points: float
    """`max_points` and what the rubric can give."""
    remarks: tuple[ResultRemark, ...]
    """What people judged, and what of the rubric nobody has judged yet."""
    cases: tuple[ResultCase, ...]
    """Every case, also those the reader may not look into."""


class ResultFile(msgspec.Struct, frozen=True, kw_only=True):
    """One run of `grader grade`."""

    format: int
    """The number of this format."""
    assignment: str
    """The assignment's name."""
    grader: str
    """The version of maze-grader."""
    isolation: str
    """How strong the wall was: `isolated`, `confined`, `none`."""
    isolation_detail: Isolation | None
    """Mechanisms that held, and what was missing; null but for staff."""
    submissions: tuple[ResultSubmission, ...]
    """By id."""


def submission(view: SheetView) -> ResultSubmission:
    """Return one sheet as a row of the results."""
    return _picked(
        view,
        ResultSubmission,
        id=view.submission,
        final=view.is_final,
        findings=tuple(_picked(finding, ResultFinding) for finding in view.findings),
        notes=tuple(_picked(note, ResultNote) for note in view.notes),
        remarks=tuple(_picked(remark, ResultRemark) for remark in view.remarks),
        cases=tuple(_case(case) for case in view.cases),
    )


def render(view: SheetView) -> str:
    """Return the results of this one submission."""
    return b"".join(pieces([view])).decode()


def pieces(views: Iterable[SheetView]) -> Iterator[bytes]:
    """Return the whole file: one line for each of these, which come by id."""
    listed = iter(views)
    first = next(listed, None)
    head = {
        "format": RESULTS_FORMAT,
        "assignment": first.assignment if first else "",
        "grader": first.grader if first else "",
        "isolation": first.level if first else "",
        "isolation_detail": first.isolation if first else None,
    }
    yield msgspec.json.encode(head)[:-1] + b',"submissions":['
    for place, view in enumerate(chain([first] if first else [], listed)):
        yield (b",\n" if place else b"\n") + msgspec.json.encode(submission(view))
    yield b"\n]}\n"


def _case(case: CaseView) -> ResultCase:
    used, facts = case.measured, case.facts
    times = {name: getattr(used, name) if used else None for name in ("cpu_s", "wall_s", "peak_mib")}
    about = {"id": facts.id, "title": facts.title, "max_points": facts.points, "visibility": facts.visibility}
    return _picked(case, ResultCase, **about, **times)


def _picked(value: msgspec.Struct, kind: type[P], **told: Any) -> P:
    """Return what the file tells of a value: the fields of that name, beside those that are given."""
    return kind(**{name: getattr(value, name) for name in kind.__struct_fields__ if name not in told}, **told)
