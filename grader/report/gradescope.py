"""Renders a view as Gradescope's results.json.

Gradescope keeps to each test's visibility itself, and hides the total from students while a test is hidden. A staff
view therefore goes out whole, with each case's own visibility, but the text at the top is the student's. In a
student's view closed cases hold nothing but title and points, and may be shown. A sheet with a case that could not be
judged has no score at all: Gradescope then asks staff to look, where a part of the points would stand as the mark.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from grader.model.verdict import Audience
from grader.report.view import Outcome, redact
from grader.report.wording import counts, explanation, verdict

if TYPE_CHECKING:
    from grader.model.result import Finding, Remark
    from grader.report.view import CaseView, SheetView


def render(view: SheetView) -> str:
    shown = redact(view, Audience.STUDENT) if view.audience is Audience.STAFF else view
    report: dict[str, Any] = {
        "output": "\n".join(_words(shown)),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "stdout_visibility": "hidden",
        "extra_data": {"grader": view.grader, "isolation": view.level, "final": view.is_final},
    }
    wall_s = sum(case.measured.wall_s for case in shown.cases if case.measured)
    report |= {"execution_time": round(wall_s, 3)} if wall_s else {}
    report |= {} if view.unjudged else {"score": round(max(0.0, view.total_points), 6)}
    report["tests"] = [_test(view, case) for case in view.cases]
    report["tests"] += [_remark(each, is_scored=not view.unjudged) for each in shown.remarks]
    return json.dumps(report, ensure_ascii=False, indent=1) + "\n"


def _words(shown: SheetView) -> list[str]:
    """Tell what students may know: Gradescope shows them this text whatever the tests' visibility."""
    lines = [f"{counts(shown).capitalize()}.", shown.standing]
    lines += [shown.problem] if shown.problem else []
    lines += [note.message for note in shown.notes]
    return lines + [_finding(found) for found in shown.findings]


def _finding(found: Finding) -> str:
    place = f"{found.path}:{found.line}: " if found.path else ""
    return f"{place}{found.message} ({found.rule})"


def _remark(said: Remark, *, is_scored: bool) -> dict[str, Any]:
    """Show a person's judgement as a test of its own."""
    test: dict[str, Any] = {"name": said.title, "output": said.message, "visibility": "visible"}
    if is_scored and (said.points or said.max_points):
        test |= {"score": said.points} if said.points is not None else {}
        test |= {"max_score": max(0.0, said.max_points)}
    return test


def _test(view: SheetView, case: CaseView) -> dict[str, Any]:
    facts = case.facts
    is_known = case.outcome not in {Outcome.UNTOLD, Outcome.ERROR}
    passed = case.outcome is Outcome.PASSED
    test: dict[str, Any] = {
        "name": facts.title,
        "number": str(case.number),
        "output": "" if passed else f"{verdict(case)}\n{explanation(case)}",
        "tags": list(facts.tags),
        "visibility": str(facts.visibility) if view.audience is Audience.STAFF else "visible",
        "extra_data": {"id": facts.id, "verdict": str(case.verdict or case.outcome)},
    }
    test |= {"status": "passed" if passed else "failed"} if is_known else {}
    if view.unjudged:  # Gradescope would add the scores up, and a part of the points would stand as the mark
        return test
    return test | ({"score": case.points} if is_known else {}) | {"max_score": facts.points}
