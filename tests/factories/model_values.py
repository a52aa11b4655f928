"""Assignments, cases and sheets as small as they can be; a test names only what it is about."""

from __future__ import annotations

from typing import Any

from grader.model.assignment import Assignment, Case, CaseFacts, Handin, Kind, RunAs, RunSpec
from grader.model.result import CaseResult, GradeSheet, Isolation
from grader.model.verdict import Verdict


def make_assignment(*files: str, **fields: Any) -> Assignment:
    """Return an assignment that wants these files, and has no cases of its own."""
    handins = tuple(Handin(name=name) for name in files or ("hello.py",))
    return Assignment(**{"name": "hello", "title": "Hello", "files": handins, "kinds": {}, **fields})


def make_kind(judge: str = "stdout", *, name: str = "k", **run: Any) -> Kind:
    """Return a kind of case without a kit; `run` says how it is run."""
    spec = RunSpec(**{"run_as": RunAs.PROGRAM, "module": "hello.py", **run})
    return Kind(name=name, run=spec, kit="none", judge=judge)


def make_case(kind: Kind, name: str = "c", **fields: Any) -> Case:
    """Return a case with an empty input; facts and other fields by their names."""
    return Case(**{"facts": _facts(name, fields, "points"), "kind": kind, "input": "", "raw": b"", **fields})


def make_result(name: str = "c", verdict: Verdict = Verdict.AC, **fields: Any) -> CaseResult:
    """Return a result with all points or none; `max_points` is what the case is worth."""
    points = 1.0 if verdict is Verdict.AC else 0.0
    return CaseResult(**{"facts": _facts(name, fields, "max_points"), "verdict": verdict, "points": points, **fields})


def make_sheet(submission: str = "s1", *cases: CaseResult, **fields: Any) -> GradeSheet:
    """Return the sheet of these results, summed up."""
    judged = [case for case in cases if case.verdict is not Verdict.JE]
    sums: dict[str, Any] = {
        "points": sum(case.points for case in judged),
        "max_points": sum(case.facts.points for case in judged),
        "isolation": Isolation(level="isolated"),
    }
    named: dict[str, Any] = {"submission": submission, "assignment": "hello", "title": "Hello", "grader": "0"}
    return GradeSheet(**{**named, **sums, "cases": cases, **fields})


def _facts(name: str, fields: dict[str, Any], worth: str) -> CaseFacts:
    """Take the facts out of the fields; `worth` is the field that says what the case is worth."""
    told: dict[str, Any] = {
        field: fields.pop(field) for field in ("title", "visibility", "hint", "tags") if field in fields
    }
    most: dict[str, Any] = {"points": fields.pop(worth)} if worth in fields else {}
    return CaseFacts(**{"id": name, "title": name.capitalize(), **told, **most})
