"""Renders a view as JUnit XML.

A wrong answer is a failure, a judge error an error, a case not run is skipped; points are properties of the suite.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from grader.model.words import number
from grader.report.view import Outcome
from grader.report.wording import explanation, points, remark_text, verdict

if TYPE_CHECKING:
    from grader.report.view import CaseView, SheetView

_TAGS = {
    Outcome.PARTLY: "failure",
    Outcome.FAILED: "failure",
    Outcome.SKIPPED: "skipped",
    Outcome.ERROR: "error",
    Outcome.UNTOLD: "skipped",
}


def render(view: SheetView) -> str:
    tally = Counter(_TAGS.get(case.outcome, "") for case in view.cases)
    totals = {
        "tests": str(len(view.cases)),
        "failures": str(tally["failure"]),
        "errors": str(tally["error"]),
        "skipped": str(tally["skipped"]),
        "time": _time(sum(case.measured.wall_s for case in view.cases if case.measured)),
    }
    root = ET.Element("testsuites", {"name": view.assignment, **totals})
    suite = ET.SubElement(root, "testsuite", {"name": f"{view.assignment}: {view.submission}", **totals})
    _properties(suite, view)
    for case in view.cases:
        _case(suite, view, case)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _properties(suite: ET.Element, view: SheetView) -> None:
    facts = {
        "points": number(view.points),
        "max_points": number(view.max_points),
        "unjudged": str(view.unjudged),
        "final": str(view.is_final).lower(),
        "grader": view.grader,
        "isolation": view.level,
    }
    if view.remarks:
        facts |= {
            "people_points": number(view.people_points),
            "total_points": number(view.total_points),
            "total_max_points": number(view.total_max_points),
        }
        facts |= {f"staff {place}": remark_text(each) for place, each in enumerate(view.remarks, 1)}
    facts |= {f"points of {case.facts.id}": points(case) for case in view.cases}
    properties = ET.SubElement(suite, "properties")
    for name, value in facts.items():
        ET.SubElement(properties, "property", {"name": name, "value": value})


def _case(suite: ET.Element, view: SheetView, case: CaseView) -> None:
    # GitLab drops a case whose name came before, and titles may repeat: the id makes it unique.
    facts = {"classname": f"{view.assignment}.{view.submission}", "name": f"{case.facts.title} ({case.facts.id})"}
    node = ET.SubElement(suite, "testcase", {**facts, "time": _time(case.measured.wall_s if case.measured else 0.0)})
    tag = _TAGS.get(case.outcome)
    if tag:
        first = case.message.split("\n", 1)[0]
        ET.SubElement(node, tag, {"message": f"{verdict(case)}. {first}"}).text = explanation(case)
    if tag and case.exhibit.stdout:
        ET.SubElement(node, "system-out").text = case.exhibit.stdout
    if tag and case.exhibit.stderr:
        ET.SubElement(node, "system-err").text = case.exhibit.stderr


def _time(seconds: float) -> str:
    return f"{seconds:.3f}"
