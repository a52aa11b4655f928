"""The command `grader compare`: who rose and who fell between two runs."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from grader.report.compare import compare as compare_runs
from grader.report.compare import lines, page, read_run
from grader.report.layout import write_atomically


@click.command()
@click.argument("before", type=click.Path(exists=True, path_type=Path))
@click.argument("after", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Also write a page there.")
def compare(before: Path, after: Path, *, as_json: bool, html: Path | None) -> None:
    """Compare the runs BEFORE and AFTER (folders that `grade` wrote, or their results.json)."""
    found = compare_runs(read_run(before), read_run(after))
    if html:
        write_atomically(html, page(found), private=True)
    click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2) if as_json else "\n".join(lines(found)))
