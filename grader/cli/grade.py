"""Grades a batch for an instructor."""

from __future__ import annotations

import shutil
from heapq import nsmallest
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
from msgspec.structs import replace

from grader.cli.options import Running, as_value, assignment_option, cases_option, out_option, running_options
from grader.cli.progress import progress
from grader.errors import GraderError
from grader.intake.entries import list_class
from grader.model.result import GradeSheet
from grader.model.verdict import Audience
from grader.model.words import number
from grader.pipeline.find_assignment import choose_assignment
from grader.pipeline.grade import grade as grade_all
from grader.pipeline.prepare import ALL_CASES, chosen_by, prepare
from grader.pipeline.rendering import RENDER_S, rendering
from grader.readers.job import Failed, Job, ask
from grader.report.layout import CLASS_PAGE, folder_name
from grader.report.registry import chosen
from grader.report.text.cells import cells, cut, padded
from grader.report.writer import ClassFacts, Counted, RunWriter, Style, counted, write_class, write_sheet
from grader.wiring import open_grading

if TYPE_CHECKING:
    from grader.intake.entries import Entry
    from grader.pipeline.prepare import Plan
    from grader.report.view import SheetView
    from grader.wiring import Settings

_HEADS = ("submission", "points", "verdicts", "")
_MOST_ROWS = 60
_REMARK, _WIDTH = 20, 120
"""Columns that a name or a remark has at least, and that the table takes where there is no terminal."""
_CLASS_S = 600.0
"""Seconds to write what speaks of the whole class: far more than the largest one takes."""


class _Options(Running, frozen=True, kw_only=True):
    name: str | None
    out: Path
    formats: tuple[str, ...]
    only: str
    all_cases: bool
    repeat: int
    audience: str
    meter: str
    cases: Path | None


@click.command()
@click.argument("submissions", nargs=-1, required=True, type=click.Path(path_type=Path, readable=False))
@assignment_option
@out_option("Where the reports go.")
@click.option("--format", "formats", multiple=True, metavar="LIST", help="html,json,junit,gradescope,md,csv …")
@click.option("--only", default="*", metavar="GLOB", help="Only cases whose id or tag fits.")
@click.option(
    "--all-cases",
    is_flag=True,
    help="Give every case all of its time, however many of a submission's end at a time limit.",
)
@click.option(
    "--repeat", type=click.IntRange(min=1), default=1, help="Run each case N times and report what differs."
)
@click.option(
    "--audience",
    type=click.Choice([a.value for a in Audience]),
    default="staff",
    show_default=True,
    help="Who will read the reports.",
)
@click.option(
    "--progress",
    "meter",
    type=click.Choice(["auto", "bar", "json", "none"]),
    default="auto",
    help="How to show how far it has come; `json` writes lines.",
)
@cases_option
@running_options
@as_value(_Options, "options")
def grade(submissions: tuple[Path, ...], options: _Options) -> None:
    """Grade SUBMISSIONS: files, folders, zips, or a folder of submissions."""
    formats = chosen(options.formats)
    assignment = choose_assignment(options.name, submissions, cases=options.cases)
    timeouts = ALL_CASES if options.all_cases else None
    plan = prepare(assignment, chosen_by(options.only, assignment), repeat=options.repeat, timeouts=timeouts)
    audience = Audience(options.audience)
    style = Style(out=options.out, audience=audience, formats=formats, keep_sheets=audience is Audience.STAFF)
    writer = RunWriter(style)
    settings = options.settings(remember=options.repeat == 1)
    listing = list_class(submissions, assignment)
    for item in listing.left_out:
        click.echo(f"left out: {item.path}: {item.reason}", err=True)
    batch = grade_batch(plan, listing.entries, writer=writer, settings=settings, meter=options.meter)
    page = f"; open {options.out / CLASS_PAGE}" if "html" in formats and audience is Audience.STAFF else ""
    level = batch.facts.level or "none"
    click.echo(f"{table(batch)}\n\nisolation: {level}; reports are in {options.out}{page}")
    _refuse_unjudged(batch.facts.unjudged)


def _refuse_unjudged(found: tuple[tuple[str, int], ...]) -> None:
    """Name whose marks are missing, once everything is written: the exit status is that of our own faults."""
    if found:
        named = [f"  {name}: {cases} case{'' if cases == 1 else 's'}" for name, cases in found[:_MOST_ROWS]]
        named += [f"  … and {len(found) - _MOST_ROWS} more"] if len(found) > _MOST_ROWS else []
        head = "some cases could not be judged; their students' marks are blank in canvas.csv and moodle.csv:"
        raise GraderError("\n".join([head, *named]))


class Row(NamedTuple):
    """What the table on the terminal shows of one submission."""

    submission: str
    points: str
    verdicts: str
    remark: str


class Batch(NamedTuple):
    """What is told of a class: its first rows, and the facts of the whole."""

    rows: list[Row]
    facts: ClassFacts


def grade_batch(plan: Plan, entries: list[Entry], *, writer: RunWriter, settings: Settings, meter: str) -> Batch:
    """Grade and write every report as it comes; readers do both, for they are made of students' words."""
    total = len(entries) * len(plan.cases) * plan.repeat
    style = replace(writer.style, order=tuple(sorted(folder_name(entry.id) for entry in entries)))
    render: Job[GradeSheet, tuple[Row, Counted]] = Job(
        lambda sheet: _written(sheet, style), takes=GradeSheet, gives=tuple[Row, Counted], cpu_s=RENDER_S
    )
    whole: Job[list[Counted], ClassFacts] = Job(
        lambda kept: write_class(kept, style), takes=list[Counted], gives=ClassFacts, cpu_s=_CLASS_S
    )
    with open_grading(settings, plan, jobs=[render, whole]) as grading, progress(meter, total=total) as seen:
        sheets = grade_all(grading, entries, seen=seen)
        written = grading.readers.map((None, rendering(render, sheet, lambda sheet: sheet)) for sheet in sheets)
        rows = nsmallest(_MOST_ROWS, (_counted(each, writer) for _, each in written))
        facts = grading.readers.ask(ask(whole, writer.kept))
    if isinstance(facts, Failed):
        raise GraderError(f"the reports of the whole class can't be written ({facts.cause}): {facts.detail}")
    return Batch(rows, facts)


def _written(sheet: GradeSheet, style: Style) -> tuple[Row, Counted]:
    """Write a submission's files; return its row, and what the class keeps of it."""
    shown = write_sheet(sheet, style)
    return _row(shown), counted(shown)


def _counted(written: tuple[Row, Counted], writer: RunWriter) -> Row:
    row, kept = written
    writer.kept.append(kept)
    return row


def table(batch: Batch) -> str:
    """Lay out the rows in the terminal's columns, the first ones of a large class; the class page shows all."""
    shown = [(*row[:3], row.remark.partition("\n")[0]) for row in batch.rows]
    widths = [max((len(head) + 2, *map(cells, parts))) for head, *parts in zip(_HEADS, *shown, strict=True)]
    columns = shutil.get_terminal_size((_WIDTH, 24)).columns
    widths[0] = min(widths[0], max(_REMARK, columns // 3))
    widths[-1] = max(_REMARK, columns - sum(widths[:-1]) - 6)
    lines = (_HEADS, tuple("-" * width for width in widths), *shown)
    text = "\n".join(
        "  ".join(padded(cut(*each), each[1]) for each in zip(line, widths, strict=True)).rstrip() for line in lines
    )
    more = batch.facts.submissions - len(batch.rows)
    return text + (f"\n… and {more} more" if more else "")


def _row(view: SheetView) -> Row:
    points = f"{number(view.points)}/{number(view.max_points)}"
    return Row(view.submission, points, _verdicts(view), _remark(view))


def _verdicts(view: SheetView) -> str:
    tally: dict[str, int] = {}
    for case in view.cases:
        word = case.verdict.value if case.verdict else "?"
        tally[word] = tally.get(word, 0) + 1
    return " ".join(f"{word} {times}" for word, times in sorted(tally.items()))


def _remark(view: SheetView) -> str:
    if view.problem:
        return view.problem
    flaky = [note.message for note in view.notes if note.kind == "not-deterministic"]
    failed = next((case for case in view.cases if case.message), None)
    if flaky:
        return flaky[0]
    return f"{failed.facts.id}: {failed.message}" if failed else ""
