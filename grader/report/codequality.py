"""Renders the findings as a GitLab code quality report."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from grader.model.result import Severity

if TYPE_CHECKING:
    from grader.model.result import Finding
    from grader.report.view import SheetView

_SEVERITIES = {Severity.CERTAIN: "major", Severity.REVIEW: "info"}


def render(view: SheetView) -> str:
    return json.dumps([_item(finding) for finding in view.findings], ensure_ascii=False, indent=1) + "\n"


def _item(finding: Finding) -> dict[str, Any]:
    # The line's text, not its number: the finding keeps its name when lines move.
    identity = "\0".join((finding.rule, finding.path, finding.source or str(finding.line), str(finding.column)))
    return {
        "description": " ".join(part for part in (finding.message, finding.instead) if part),
        "check_name": finding.rule,
        "fingerprint": hashlib.sha256(identity.encode()).hexdigest(),
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": finding.path, "lines": {"begin": max(1, finding.line)}},
    }
