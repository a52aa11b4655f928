"""Speak to GitHub Actions: log without commands, job summary, annotations."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_LARGEST_SUMMARY = (1 << 20) - 1024  # GitHub drops a step's summary beyond 1 MiB


@contextmanager
def no_commands(environment: Mapping[str, str], write: Callable[[str], None]) -> Iterator[None]:
    """Keep GitHub from reading commands in what is written, since a student's words may be among it."""
    if environment.get("GITHUB_ACTIONS") != "true":
        yield
        return
    token = secrets.token_hex(16)
    write(f"::stop-commands::{token}")
    try:
        yield
    finally:
        write(f"::{token}::")


def add_summary(environment: Mapping[str, str], report: Path) -> None:
    """Append a Markdown report to the job's summary, as far as it fits."""
    place = environment.get("GITHUB_STEP_SUMMARY")
    if not place or not report.exists():
        return
    summary = Path(place)
    taken = summary.stat().st_size if summary.exists() else 0
    text = report.read_bytes()
    if taken + len(text) > _LARGEST_SUMMARY:
        text = b"\nThe report is too long for this summary; it is among the job's artifacts.\n"
    with summary.open("ab") as file:
        file.write(text + b"\n")


def annotate(environment: Mapping[str, str], annotations: Path, write: Callable[[str], None]) -> None:
    """Write annotations, which the report room has escaped, to the log."""
    if environment.get("GITHUB_ACTIONS") == "true" and annotations.exists():
        for line in annotations.read_text(encoding="utf-8").splitlines():
            write(line)
