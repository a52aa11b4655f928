"""`grader cases mistakes`: the known mistakes of an assignment, listed, written out, tried."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec
from tabulate import tabulate

from grader.catalogue.load import find_catalogue, load, load_assignment
from grader.catalogue.mistakes import MISTAKES, load_mistakes
from grader.catalogue.placed_yaml.messages import did_you_mean
from grader.cli.options import folder_option, isolation_option, name_option, only_option, required
from grader.errors import UsageError
from grader.model.submission import Submission
from grader.model.verdict import Audience
from grader.pipeline.grade import grade
from grader.pipeline.prepare import ALL_CASES, prepare
from grader.report.text import terminal
from grader.report.view import view
from grader.wiring import Settings, open_grading

if TYPE_CHECKING:
    from grader.catalogue.mistakes import Mistake
    from grader.model.assignment import Assignment


@click.group()
def mistakes() -> None:
    """List the known mistakes, show or try one."""


@mistakes.command("list")
@folder_option
@only_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object per mistake.")
def list_mistakes(folder: Path | None, name: str | None, *, as_json: bool) -> None:
    """List the known mistakes with the verdict and the sentence that students read."""
    known = {each.name: load_mistakes(each) for each in load(find_catalogue(folder), names=(name,) if name else None)}
    if as_json:
        rows = [{"assignment": name, **_summary(mistake)} for name, found in known.items() for mistake in found]
        click.echo(msgspec.json.format(msgspec.json.encode(rows), indent=2))
        return
    for assignment, found in known.items():
        click.echo(f"{assignment}: {len(found)} known mistakes\n")
        table = [(mistake.name, mistake.verdict, mistake.says) for mistake in found]
        click.echo(tabulate(table, headers=("name", "verdict", "says"), maxcolwidths=(None, None, 80)) + "\n")


def _summary(mistake: Mistake) -> dict[str, str]:
    place = f"{mistake.path}:{mistake.line}"
    return {"name": mistake.name, "verdict": mistake.verdict, "says": mistake.says, "place": place}


@mistakes.command("show")
@click.argument("mistake_name", metavar="NAME")
@folder_option
@name_option
@click.option("-o", "--out", type=click.Path(path_type=Path, file_okay=False), help="Write the files there.")
def show(mistake_name: str, folder: Path | None, name: str, *, out: Path | None) -> None:
    """Print the program with this mistake in it, or write it out."""
    mistake = _find(load_assignment(find_catalogue(folder), name), mistake_name)
    for file in mistake.files:
        if out is None:
            click.echo((f"# {file.path}\n" if len(mistake.files) > 1 else "") + file.content.decode(), nl=False)
            continue
        path = out / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
        click.echo(f"wrote {path}")


@mistakes.command("run")
@click.argument("mistake_name", metavar="NAME")
@folder_option
@name_option
@isolation_option
def run(mistake_name: str, folder: Path | None, name: str, *, require_isolation: str | None) -> None:
    """Grade the program with this mistake on every case, and show what its author would read."""
    assignment = load_assignment(find_catalogue(folder), name)
    mistake = _find(assignment, mistake_name)
    plan = prepare(assignment, timeouts=ALL_CASES)
    with open_grading(Settings(require=required(require_isolation), remember=False), plan) as grading:
        (sheet,) = grade(grading, [Submission(id=mistake.name, files=mistake.files)])
    click.echo(terminal.render(view(sheet, Audience.STAFF)), nl=False)


def _find(assignment: Assignment, name: str) -> Mistake:
    known = {mistake.name: mistake for mistake in load_mistakes(assignment)}
    bare = name.rpartition("/")[2]
    if bare not in known:
        raise UsageError(
            f"{assignment.name} has no mistake {name}",
            hint=did_you_mean(bare, known) or f"they are written in {assignment.folder}/{MISTAKES}",
        )
    return known[bare]
