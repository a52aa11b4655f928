"""`grader doctor`: which protections work on this machine, and what would add more."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from grader.model.result import Isolation

MEANING = {
    "isolated": "Each case runs in a container of its own: it reaches no file, process or network of this machine.",
    "confined": "Each case is confined by the kernel: it can't read your files, use the network or start programs.",
    "none": "Each case has limits, but runs with your own rights; nothing gives marks here unless that is accepted.",
}


@click.command()
@click.argument("repositories", nargs=-1, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the statement as JSON.")
@click.option("--server", is_flag=True, help="Look at a grading server: course, book, disk, REPOSITORIES and hooks.")
def doctor(repositories: tuple[Path, ...], *, as_json: bool, server: bool) -> int:
    """Test the sandbox on this machine by running attacks, and suggest improvements."""
    if server:
        return _server(repositories)
    if repositories:
        raise click.UsageError("REPOSITORIES are looked at with --server")
    from grader.sandbox.levels import probe  # noqa: PLC0415 -- --help stays quick
    from grader.sandbox.supervisor import shortage  # noqa: PLC0415 -- the same

    shortage.refuse()
    isolation = probe()
    click.echo(_json(isolation) if as_json else f"{_text(isolation)}\n\n{_speed()}")
    return 0


def _server(repositories: tuple[Path, ...]) -> int:
    """Say of each part of a server whether it works; 1 when one doesn't."""
    from grader.cli.options import of_course  # noqa: PLC0415 -- the same
    from grader.model.verdict import Level  # noqa: PLC0415 -- the same
    from grader.sandbox.levels import probe  # noqa: PLC0415 -- the same
    from grader.submit.server_check import look_at_server  # noqa: PLC0415 -- the same

    book = os.environ.get("GRADER_BOOK") or of_course(lambda course: course.book, "gradebook.sqlite")
    out = of_course(lambda course: course.reports, Path("grader-out"))
    found = look_at_server(book, out, repositories)
    level = Level(probe().level)
    (found.fine if level.reaches(Level.CONFINED) else found.wrong)(f"isolation: {level}")
    for each in found:
        click.echo(f"{'✓' if each.is_fine else '✗'} {each.text}")
    return 0 if all(each.is_fine for each in found) else 1


def _json(isolation: Isolation) -> str:
    import msgspec  # noqa: PLC0415 -- the same

    from grader.pipeline.speed import factor, measured  # noqa: PLC0415 -- the same

    speed = {"slowness": round(measured(), 2), "limits_factor": factor()}
    return msgspec.json.format(msgspec.json.encode(msgspec.to_builtins(isolation) | speed)).decode()


def _speed() -> str:
    from grader.pipeline.speed import factor, measured  # noqa: PLC0415 -- the same

    return (
        f"Speed: a small calculation takes {measured():.1f} times as long as on the reference machine,\n"
        f"  so time limits are multiplied by {factor():g}."
    )


def _text(isolation: Isolation) -> str:
    lines = [f"Isolation: {isolation.level}", f"  {MEANING[isolation.level]}", "", "These protections work:"]
    lines += [f"  ✓ {mechanism}" for mechanism in isolation.mechanisms]
    for gap in isolation.missing:
        lines += ["", f"Missing: {gap['what']}", f"  why: {gap['why']}", f"  so: {gap['consequence']}"]
        if gap.get("remedy"):
            lines.append(f"  to fix it: {gap['remedy']}")
    if not isolation.missing:
        lines += ["", "Nothing is missing: this is the strongest level there is."]
    return "\n".join(lines)
