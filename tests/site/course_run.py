"""The course's side of a comparison: `grader check` on one program after the other, its sandbox kept warm."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from grader.catalogue.load import load_assignment
from grader.intake.entries import single_entry
from grader.model.verdict import Audience, Visibility
from grader.pipeline.grade import grade
from grader.pipeline.prepare import prepare
from grader.report.html import page
from grader.report.results import submission
from grader.report.view import view
from grader.wiring import Settings, open_grading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Told = tuple[list[dict[str, Any]], str]
"""The cases as `grader check --json` has them, and the page of `grader check --open`."""


@contextmanager
def course_run(catalogue: Path, name: str) -> Iterator[Callable[[Path], Told]]:
    """Open an assignment's visible cases as `grader check` does; give what checks a program."""
    whole = load_assignment(catalogue, name)
    cases, rules = (
        tuple(case for case in given if case.facts.visibility is Visibility.VISIBLE)
        for given in (whole.cases, whole.rules)
    )
    plan = prepare(replace(whole, cases=cases, rules=rules), timeouts=1)
    with open_grading(Settings(remember=False), plan) as grading:

        def check(path: Path) -> Told:
            shown = view(next(iter(grade(grading, [single_entry(path, plan.assignment)]))), Audience.STUDENT)
            return msgspec.to_builtins(submission(shown))["cases"], page.render(shown)

        yield check
