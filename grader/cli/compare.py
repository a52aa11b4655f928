"""The command `grader compare`: who rose and who fell between two runs."""

from __future__ import annotations

import os
from pathlib import Path

import click
import msgspec

from grader.report.compare import compare as compare_runs
from grader.report.compare import lines, page, read_run
from grader.report.layout import CLASS_PAGE, write_atomically


@click.command()
@click.argument("before", type=click.Path(exists=True, path_type=Path))
@click.argument("after", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Also write a page there.")
def compare(before: Path, after: Path, *, as_json: bool, html: Path | None) -> None:
    """Compare the runs BEFORE and AFTER (folders that `grade` wrote, or their results.json)."""
    found = compare_runs(read_run(before), read_run(after))
    if html:
        write_atomically(html, page(found, _classes(html, before, after)), private=True)
    click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2) if as_json else "\n".join(lines(found)))


def _classes(html: Path, before: Path, after: Path) -> list[tuple[str, str]]:
    """Return the class pages that the runs have, as addresses from the page."""
    found = [
        (words, (run if run.is_dir() else run.parent) / CLASS_PAGE)
        for words, run in (("First run", before), ("Second run", after))
    ]
    here = html.absolute().parent
    return [(words, Path(os.path.relpath(path, here)).as_posix()) for words, path in found if path.is_file()]
