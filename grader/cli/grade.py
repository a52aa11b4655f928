"""Grades a batch for an instructor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from grader.again.keep import Keeper
from grader.catalogue.find import HERE, assignment_names, find_catalogue
from grader.cli.options import assignment_option, cases_option, running_options, settings_of
from grader.cli.progress import progress
from grader.intake.collect import collect, count
from grader.model.verdict import Audience, Verdict
from grader.pipeline.choose import choose_assignment
from grader.pipeline.grade import grade as grade_all
from grader.pipeline.prepare import fits, prepare
from grader.report.formats import chosen
from grader.report.layout import CLASS_PAGE, SIMILAR_PAGE
from grader.report.writer import RunWriter
from grader.wiring import open_engine, open_memory

if TYPE_CHECKING:
    from grader.again.code import Source
    from grader.again.look import Look
    from grader.pipeline.prepare import Plan
    from grader.report.view import SheetView
    from grader.wiring import Settings

_HEADS = ("submission", "points", "verdicts", "")
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
@click.pass_obj
def grade(look: Look | None, /, submissions: tuple[Path, ...], **options: Any) -> None:
    """Grade SUBMISSIONS: files, folders, zips, or a folder of submissions."""
    keeper = _keeper(look, submissions, options) if look and look.facts else None
    formats = chosen(options["formats"])
    assignment = choose_assignment(options["name"], submissions, cases=options["cases"])
    plan = prepare(assignment, lambda case: fits(case, options["only"]), repeat=options["repeat"])
    if not plan.cases:
        raise click.UsageError(f"no case of {assignment.name} fits --only {options['only']}")
    audience = Audience(options["audience"])
    writer = RunWriter(options["out"], audience=audience, formats=formats, keep_sheets=audience is Audience.STAFF)
    settings = settings_of(options, remember=options["repeat"] == 1)
    batch = grade_batch(plan, submissions, writer=writer, settings=settings, meter=options["meter"])
    page = f"; open {options['out'] / CLASS_PAGE}" if "html" in formats else ""
    level = batch.rows[0].level if batch.rows else "none"
    text = f"{table(batch.rows)}\n\nisolation: {level}; reports are in {options['out']}{page}"
    click.echo(text)
    if keeper and batch.is_settled and batch.source:
        beside = (str(options["out"] / SIMILAR_PAGE),)  # the class page has a link to it, if it is there
        keeper.keep(source=batch.source, outputs=writer.outputs, beside=beside, text=text)


def _keeper(look: Look, submissions: tuple[Path, ...], options: dict[str, Any]) -> Keeper | None:
    """Note what goes in, where the same command could later be answered without running anything."""
    if options["fresh"] or options["repeat"] > 1 or options["meter"] == "json":
        return None
    folder = find_catalogue(options["cases"])
    if options["name"] and options["name"] not in assignment_names(folder):
        return None
    nearer = () if options["cases"] or folder == HERE else (str(HERE),)  # it would be taken if it came to be
    catalogue = str(folder / options["name"] if options["name"] else folder)
    return Keeper(look, tuple(map(str, submissions)), (catalogue, *nearer))


class Row(NamedTuple):
    """What the table on the terminal shows of one submission."""

    submission: str
    points: str
    verdicts: str
    remark: str
    level: str


class Batch(NamedTuple):
    """What is left of a batch when its reports are written."""

    rows: list[Row]
    is_settled: bool
    """No case failed through our own fault, and so none has to be tried again."""
    source: Source | None
    """What the marks hang on besides the inputs; None when it can't be told."""


def grade_batch(
    plan: Plan, submissions: tuple[Path, ...], *, writer: RunWriter, settings: Settings, meter: str
) -> Batch:
    """Grade and write every report as it comes; keep of each only its row."""
    total = count(submissions, plan.assignment) * len(plan.cases) * plan.repeat
    rows, is_settled = [], True
    with open_engine(settings) as engine, progress(meter, total=total) as seen, writer:
        memory = open_memory(engine, plan, settings)
        sheets = grade_all(plan, collect(submissions, plan.assignment), engine=engine, seen=seen, memory=memory)
        for sheet in sheets:
            rows.append(_row(writer.add(sheet)))
            is_settled = is_settled and not any(case.verdict is Verdict.JE for case in sheet.cases)
        writer.finish()
    return Batch(sorted(rows), is_settled, memory.source if memory else None)


def table(rows: list[Row]) -> str:
    """Lay out the rows, the first ones of a large class; the class page shows all."""
    shown = [(*row[:3], row.remark.partition("\n")[0][:_REMARK]) for row in rows[:_MOST_ROWS]]
    widths = [max((len(head) + 2, *map(len, cells))) for head, *cells in zip(_HEADS, *shown, strict=True)]
    lines = (_HEADS, tuple("-" * width for width in widths), *shown)
    text = "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)
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
