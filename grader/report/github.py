"""Renders findings and failures as GitHub workflow annotations.

Every character that could end the command or begin another is escaped, so no student's text becomes a command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.model.result import Severity
from grader.report.view import Outcome
from grader.report.wording import verdict

if TYPE_CHECKING:
    from grader.report.view import SheetView

MOST = 50
"""GitHub shows no more annotations than this for one job."""


def render(view: SheetView) -> str:
    lines = [
        _annotation(
            "error" if finding.severity is Severity.CERTAIN else "notice",
            {
                "file": finding.path,
                "line": max(1, finding.line),
                "col": max(1, finding.column),
                "title": finding.rule,
            },
            finding.message,
        )
        for finding in view.findings
    ]
    lines += [
        _annotation("error", {"title": f"{case.title}: {verdict(case)}"}, case.message)
        for case in view.cases
        if case.outcome in {Outcome.FAILED, Outcome.PARTLY, Outcome.ERROR}
    ]
    return "".join(f"{line}\n" for line in lines[:MOST])


def _annotation(level: str, properties: dict[str, str | int], message: str) -> str:
    words = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{level} {words}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A").replace("##[", "## [")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
