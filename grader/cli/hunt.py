"""Shows the smallest puzzle on which a submission differs from the reference."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec
from rich.console import Console

from grader.catalogue.kits import kit_of
from grader.catalogue.writing.new_case import block, head
from grader.catalogue.writing.record import flow
from grader.catalogue.writing.transcripts import plain
from grader.cli.options import as_value, assignment_option, cases_option, isolation_option, required
from grader.errors import RefusedError, UsageError
from grader.hunt.hunt import Counterexample, Hunt
from grader.hunt.hunt import hunt as hunt_for
from grader.intake.collect import collect_one
from grader.judge import registry
from grader.model.assignment import HuntBy
from grader.model.verdict import Level
from grader.pipeline.find_assignment import choose_assignment, marked_in
from grader.wiring import Settings, open_asker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.model.assignment import Assignment
    from grader.model.submission import Submission


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    name: str | None
    cases: Path | None
    seconds: float
    seed: int
    kind: str | None
    save: Path | None
    staff: bool
    require_isolation: str | None


@click.command()
@click.argument("path", type=click.Path(path_type=Path, exists=True), default=Path())
@assignment_option
@cases_option
@click.option("--seconds", type=click.FloatRange(min=0.1), default=30.0, show_default=True, help="Time to hunt.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed hunts the same puzzles.")
@click.option("--kind", metavar="KIND", help="Only this kind of case.")
@click.option("--save", type=click.Path(path_type=Path, dir_okay=False), help="Write what was found as a case file.")
@click.option("--staff", is_flag=True, help="Hunt although the assignment keeps it for staff.")
@isolation_option
@click.pass_context
@as_value(_Options, "options")
def hunt(context: click.Context, /, path: Path, options: _Options) -> None:
    """Find the smallest input that the solution in PATH gets wrong."""
    assignment = choose_assignment(options.name or marked_in(path), [path], cases=options.cases)
    submission = collect_one(path, assignment)
    if submission.problem:
        raise UsageError(submission.problem)
    plan = Hunt(seconds=options.seconds, seed=options.seed, kind=options.kind)
    settings = Settings(require=required(options.require_isolation))
    found = hunt_and_show(assignment, submission, plan, settings, is_staff=options.staff)
    if found.result is None:
        return
    if options.save:
        save(found, options.save)
    context.exit(1)


def hunt_and_show(
    assignment: Assignment, submission: Submission, plan: Hunt, settings: Settings, *, is_staff: bool
) -> Counterexample:
    """Hunt with a running count, then show both answers and the reason; name a sandbox that isn't the strongest."""
    if assignment.hunt is HuntBy.STAFF and not is_staff:
        raise RefusedError(
            f"hunting in {assignment.name} is for staff", hint="the course keeps its puzzles to itself"
        )
    with open_asker(assignment, settings) as asker, _counter() as tell:
        if asker.engine.isolation.level != Level.ISOLATED:
            click.echo(f"isolation: {asker.engine.isolation.level}", err=True)
        found = hunt_for(asker, submission, plan, tell=tell)
    if found.result is None:
        click.echo(f"Nothing wrong found in {found.tried} inputs (seed {plan.seed}).")
    else:
        _show(found)
    return found


@contextmanager
def _counter() -> Iterator[Callable[[int], None]]:
    """Count on the terminal while the hunt goes on; quiet elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with Console(stderr=True).status("hunting …") as status:
        yield lambda count: status.update(f"hunting … {count} inputs tried")


def _show(found: Counterexample) -> None:
    result = found.result
    assert result is not None
    assert found.kind is not None
    what = "The smallest input" if found.is_smallest else "An input, not yet the smallest,"
    click.echo(f"{what} that your program gets wrong ({found.tried} tried):\n")
    click.echo(_indented(found.text))
    if "\r\n" in found.text:
        click.echo("(its lines end as Windows writes them, with \\r\\n)")
    elif not found.text.endswith("\n"):
        click.echo("(its last line has no line end)")
    click.echo(f"{result.verdict.meaning} ({result.verdict}): {result.message}")
    mismatch = result.mismatch
    if mismatch is not None and (mismatch.expected or mismatch.found):
        click.echo(f"\nthe reference:\n{_indented(mismatch.expected)}\nyours:\n{_indented(mismatch.found)}")
    stdout = result.evidence.stdout.head(2000).decode("utf-8", "replace")
    if stdout.strip() and not (mismatch and mismatch.found):
        click.echo(f"\nyour program printed:\n{_indented(stdout)}")


def _indented(text: str) -> str:
    printable = "".join(letter if letter.isprintable() or letter == "\n" else "�" for letter in text)
    return "\n".join(f"    {line}".rstrip() for line in printable.splitlines()) + "\n"


def save(found: Counterexample, path: Path) -> None:
    """Write the puzzle as a case file; `grader cases record` fills in the answer key."""
    if path.exists():
        raise UsageError(f"{path} exists already", hint="give another name")
    assert found.kind is not None
    told = {"id": path.stem.lower(), "title": "Found by grader hunt", "kind": found.kind.name, "tags": ["hunt"]}
    lines = [*head(told), *_input(found.text), *_answer(found)]
    path.write_text("\n".join(lines) + "\n")
    click.echo(f"wrote {path}; put it beside the assignment's other cases")


def _input(text: str) -> list[str]:
    """Write the puzzle as a block; a block can't hold carriage returns, a quoted text can."""
    return [f"    input: {flow(text)}"] if "\r" in text else block(text)


def _answer(found: Counterexample) -> list[str]:
    """Give the answer key where it is short; a transcript is recorded by `grader cases record`."""
    assert found.kind is not None
    kit = kit_of(found.kind)
    key = plain(registry.key(registry.find(found.kind.judge), kit, kit.parse(found.text)))
    return [f"    expect: {flow(key)}"] if key else []
