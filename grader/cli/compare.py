"""The command `grader compare`: who rose and who fell between two runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
import msgspec

from grader.report.compare import compare as compare_runs
from grader.report.compare import lines, page, read_run
from grader.report.layout import CLASS_PAGE, REPORT_PAGE, folder_name, write_atomically

if TYPE_CHECKING:
    from grader.report.compare import Comparison


@click.command()
@click.argument("before", type=click.Path(exists=True, path_type=Path))
@click.argument("after", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Also write a page there.")
def compare(before: Path, after: Path, *, as_json: bool, html: Path | None) -> None:
    """Compare the runs BEFORE and AFTER (folders that `grade` wrote, or their results.json)."""
    found = compare_runs(read_run(before), read_run(after))
    if html:
        there = _Addresses(html.absolute().parent)
        text = page(found, there.classes(before, after), there.submissions(found, after))
        write_atomically(html, text, private=True)
    click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2) if as_json else "\n".join(lines(found)))


class _Addresses(NamedTuple):
    """Addresses of the runs' pages, from the folder in which the comparison lies."""

    here: Path

    def classes(self, before: Path, after: Path) -> list[tuple[str, str]]:
        """Return the class pages that the runs have."""
        found = [(words, _folder(run) / CLASS_PAGE) for words, run in (("First run", before), ("Second run", after))]
        return [(words, self._of(path)) for words, path in found if path.is_file()]

    def submissions(self, comparison: Comparison, run: Path) -> dict[str, str]:
        """Return the pages of those who changed, as far as the run has them."""
        changed = (*comparison.fell, *comparison.rose, *comparison.other)
        paths = {each.submission: _folder(run) / folder_name(each.submission) / REPORT_PAGE for each in changed}
        return {name: self._of(path) for name, path in paths.items() if path.is_file()}

    def _of(self, path: Path) -> str:
        return Path(os.path.relpath(path, self.here)).as_posix()


def _folder(run: Path) -> Path:
    return run if run.is_dir() else run.parent
