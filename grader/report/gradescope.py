"""Renders a view as Gradescope's results.json.

Gradescope keeps to each test's visibility itself. A staff view therefore goes out whole, with the case's own
visibility; in a student's view closed cases hold nothing but title and points, and may be shown.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from grader.model.result import Severity
from grader.model.verdict import Audience
from grader.report.view import Outcome
from grader.report.wording import counts, explanation, verdict

if TYPE_CHECKING:
    from grader.report.view import CaseView, SheetView


def render(view: SheetView) -> str:
    wall_s = sum(case.measured.wall_s for case in view.cases if case.measured)
    report: dict[str, Any] = {
        "score": round(max(0.0, view.points), 6),
        "execution_time": round(wall_s, 3),
        "output": "\n".join(_words(view)),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "stdout_visibility": "hidden",
        "extra_data": {"grader": view.grader, "isolation": view.level, "final": view.is_final},
        "tests": [_test(view, case) for case in view.cases],
    }
    return json.dumps(report, ensure_ascii=False, indent=1) + "\n"


def crash(message: str) -> str:
    """Give the valid file that is owed even when grading broke down: no score, so that staff must look."""
    report = {
        "output": f"The grader broke down; this is not your fault and costs you nothing. {message}",
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": [],
        "score": 0,
    }
    return json.dumps(report, ensure_ascii=False, indent=1) + "\n"


def _words(view: SheetView) -> list[str]:
    lines = [f"{counts(view).capitalize()}.", view.standing]
    lines += [view.problem] if view.problem else []
    lines += [note.message for note in view.notes]
    certain = [found for found in view.findings if found.severity is Severity.CERTAIN]  # students read this text
    lines += [f"{found.path}:{found.line}: {found.message} ({found.rule})" for found in certain]
    return lines


def _test(view: SheetView, case: CaseView) -> dict[str, Any]:
    passed = case.outcome is Outcome.PASSED
    return {
        "name": case.title,
        "number": str(case.number),
        "score": case.points,
        "max_score": case.max_points,
        "status": "passed" if passed else "failed",
        "output": "" if passed else f"{verdict(case)}\n{explanation(case)}",
        "tags": list(case.tags),
        "visibility": str(case.visibility) if view.audience is Audience.STAFF else "visible",
        "extra_data": {"id": case.id, "verdict": str(case.verdict or case.outcome)},
    }
