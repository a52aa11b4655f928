"""Renders a view as CTRF, the common test report format.

CTRF forbids keys of one's own: points go into `extra`, the verdict into `rawStatus`. A sheet knows no clock time, so
`start` is 0 and `stop` the time used.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from grader.report.view import Outcome
from grader.report.wording import explanation, remark_text, verdict

if TYPE_CHECKING:
    from grader.report.view import CaseView, SheetView

_SPEC = "0.0.0"
_STATUS = {
    Outcome.PASSED: "passed",
    Outcome.PARTLY: "failed",
    Outcome.FAILED: "failed",
    Outcome.SKIPPED: "skipped",
    Outcome.ERROR: "other",
    Outcome.UNTOLD: "pending",
}


def render(view: SheetView) -> str:
    tests = [_test(view, case) for case in view.cases]
    tally = Counter(test["status"] for test in tests)
    summary = {"tests": len(tests)}
    summary |= {status: tally[status] for status in ("passed", "failed", "skipped", "pending", "other")}
    summary |= {"start": 0, "stop": sum(test["duration"] for test in tests)}
    extra: dict[str, Any] = {
        "points": view.points,
        "max_points": view.max_points,
        "unjudged": view.unjudged,
        "final": view.is_final,
        "submission": view.submission,
    }
    if view.remarks:
        extra |= {
            "people_points": view.people_points,
            "total_points": view.total_points,
            "total_max_points": view.total_max_points,
            "staff": [remark_text(each) for each in view.remarks],
        }
    report = {
        "reportFormat": "CTRF",
        "specVersion": _SPEC,
        "generatedBy": "maze-grader",
        "results": {
            "tool": {"name": "maze-grader", "version": view.grader},
            "summary": {**summary, "extra": extra},
            "tests": tests,
        },
    }
    return json.dumps(report, ensure_ascii=False, indent=1) + "\n"


def _test(view: SheetView, case: CaseView) -> dict[str, Any]:
    test: dict[str, Any] = {
        "name": case.facts.title or case.facts.id,
        "status": _STATUS[case.outcome],
        "duration": round(case.measured.wall_s * 1000) if case.measured else 0,
        "suite": [view.assignment, view.submission],
        "rawStatus": str(case.verdict or case.outcome),
        "extra": {"id": case.facts.id, "points": case.points, "max_points": case.facts.points},
    }
    if case.facts.tags:
        test["tags"] = list(case.facts.tags)
    if case.outcome is not Outcome.PASSED:
        test["message"] = f"{verdict(case)}. {case.message}"
        test["trace"] = explanation(case)
    return test
