"""A file couldn't be scanned as it should be."""

from __future__ import annotations

from grader.policy.rule import Findings, Page, PolicySpec, Program
from grader.policy.source import Source, Unreadable

PAGE = Page(
    name="scan-error",
    what="The scan couldn't read a file to its end: it is too large, nested too deeply, or the grader itself failed. "
    "The file is run all the same. A note for staff: it costs nothing.",
    why="What wasn't read may hold what the homework rules out.",
    example="# 2 MB of numbers in a .py file",
    instead="Hand in the program itself; keep data in a data file.",
    written="# always on",
)


def check(program: Program, _: PolicySpec) -> Findings:
    for source in program.python():
        if isinstance(source.tree, Unreadable) and source.tree.too_much:
            yield PAGE.note(source, (1, 1), source.tree.what)


def limits(program: Program) -> Findings:
    """Yield a note for each file whose trace was cut short; asked last."""
    for path, what in program.limited.items():
        yield PAGE.note(program.sources[path], (1, 1), f"The program {what}; staff read it themselves.")


def stopped(program: Program, rule: str, what: str) -> Findings:
    """Yield one note for a rule that couldn't be applied."""
    source = next(program.python(), Source("", b""))
    yield PAGE.note(source, (1, 1), f"The rule {rule} {what}; staff read the files themselves.")
