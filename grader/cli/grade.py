"""Grades a batch for an instructor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from tabulate import tabulate

from grader.cli.options import assignment_option, cases_option, running_options, settings_of
from grader.cli.progress import progress
from grader.intake.collect import collect, count
from grader.model.verdict import Audience
from grader.pipeline.choose import choose_assignment
from grader.pipeline.grade import grade as grade_all
from grader.pipeline.prepare import fits, prepare
from grader.report.formats import chosen
from grader.report.layout import CLASS_PAGE
from grader.report.writer import RunWriter
from grader.wiring import open_engine

if TYPE_CHECKING:
    from grader.pipeline.prepare import Plan
    from grader.report.view import SheetView
    from grader.wiring import Settings

_MOST_ROWS = 60
_REMARK = 76


@click.command()
@click.argument("submissions", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@assignment_option
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("grader-out"),
    show_default=True,
    help="Where the reports go.",
)
@click.option("--format", "formats", multiple=True, metavar="LIST", help="html,json,junit,ctrf,gradescope,md,csv …")
@click.option("--only", default="*", metavar="GLOB", help="Only cases whose id or tag fits.")
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
def grade(submissions: tuple[Path, ...], **options: Any) -> None:
    """Grade SUBMISSIONS: files, folders, zips, or a folder of submissions."""
    formats = chosen(options["formats"])
    assignment = choose_assignment(options["name"], submissions, cases=options["cases"])
    plan = prepare(assignment, lambda case: fits(case, options["only"]), repeat=options["repeat"])
    if not plan.cases:
        raise click.UsageError(f"no case of {assignment.name} fits --only {options['only']}")
    audience = Audience(options["audience"])
    writer = RunWriter(options["out"], audience=audience, formats=formats, keep_sheets=audience is Audience.STAFF)
    settings = settings_of(options, remember=options["repeat"] == 1)
    rows = grade_batch(plan, submissions, writer=writer, settings=settings, meter=options["meter"])
    click.echo(table(rows))
    page = f"; open {options['out'] / CLASS_PAGE}" if "html" in formats else ""
    click.echo(f"\nisolation: {rows[0].level if rows else 'none'}; reports are in {options['out']}{page}")


class Row(NamedTuple):
    """What the table on the terminal shows of one submission."""

    submission: str
    points: str
    verdicts: str
    remark: str
    level: str


def grade_batch(
    plan: Plan, submissions: tuple[Path, ...], *, writer: RunWriter, settings: Settings, meter: str
) -> list[Row]:
    """Grade and write every report as it comes; keep of each only its row."""
    total = count(submissions, plan.assignment) * len(plan.cases) * plan.repeat
    with open_engine(settings) as engine, progress(meter, total=total) as seen, writer:
        sheets = grade_all(plan, collect(submissions, plan.assignment), engine=engine, seen=seen)
        rows = sorted(_row(writer.add(sheet)) for sheet in sheets)
        writer.finish()
    return rows


def table(rows: list[Row]) -> str:
    """Lay out the rows, the first ones of a large class; the class page shows all."""
    shown = [(*row[:3], row.remark[:_REMARK]) for row in rows[:_MOST_ROWS]]
    text = tabulate(shown, headers=("submission", "points", "verdicts", ""), disable_numparse=True)
    return text + (f"\n… and {len(rows) - _MOST_ROWS} more" if len(rows) > _MOST_ROWS else "")


def _row(view: SheetView) -> Row:
    points = f"{view.points:g}/{view.max_points:g}"
    return Row(view.submission, points, _verdicts(view), _remark(view), view.level)


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
    return f"{failed.id}: {failed.message}" if failed else ""
