"""An assignment to collect for, with inputs that a submission can get in the way of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.intake.collect import collect
from grader.model.assignment import Assignment, Case, CaseFacts, Handin, Kind, RunAs, RunSpec
from grader.model.run import Limits

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model.submission import Submission

INPUTS = ("maze.txt", "data/in.txt")


def asked(*handins: str, disk_mib: int = 16, inputs: tuple[str, ...] = INPUTS) -> Assignment:
    """Return an assignment that wants these files and has one case per input."""
    names = handins or ("solve.py",)
    kinds = {f"k{number}": _kind(f"k{number}", names[0], name) for number, name in enumerate(inputs)}
    cases = tuple(_case(kind, disk_mib) for kind in kinds.values())
    files = tuple(Handin(name=name) for name in names)
    return Assignment(name="a", title="A", files=files, kinds=kinds, cases=cases)


def gather(*paths: Path, assignment: Assignment | None = None) -> dict[str, Submission]:
    """Return the submissions by id; two with one id would be a fault."""
    found = list(collect(paths, assignment or asked()))
    assert len({submission.id for submission in found}) == len(found)
    return {submission.id: submission for submission in found}


def _kind(name: str, module: str, file: str) -> Kind:
    return Kind(name=name, run=RunSpec(run_as=RunAs.PROGRAM, module=module, file=file), kit="none", judge="stdout")


def _case(kind: Kind, disk_mib: int) -> Case:
    limits = Limits(disk_mib=disk_mib)
    return Case(facts=CaseFacts(id=kind.name, title="T"), kind=kind, limits=limits, input="#", raw=b"#" * 5000)
