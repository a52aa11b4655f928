"""An assignment to collect for, with inputs that a submission can get in the way of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model_values import make_assignment, make_case, make_kind

from grader.intake.collect import collect
from grader.model.run import Limits

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model.assignment import Assignment
    from grader.model.submission import Submission

INPUTS = ("maze.txt", "data/in.txt")


def asked(*handins: str, disk_mib: int = 16, inputs: tuple[str, ...] = INPUTS) -> Assignment:
    """Return an assignment that wants these files and has one case per input."""
    names = handins or ("solve.py",)
    numbered = {f"k{number}": name for number, name in enumerate(inputs)}
    kinds = {key: make_kind(name=key, module=names[0], file=name) for key, name in numbered.items()}
    limits = Limits(disk_mib=disk_mib)
    cases = tuple(make_case(kind, name, limits=limits, raw=b"#" * 5000) for name, kind in kinds.items())
    return make_assignment(*names, kinds=kinds, cases=cases)


def gather(*paths: Path, assignment: Assignment | None = None) -> dict[str, Submission]:
    """Return the submissions by id; two with one id would be a fault."""
    found = list(collect(paths, assignment or asked()))
    assert len({submission.id for submission in found}) == len(found)
    return {submission.id: submission for submission in found}
