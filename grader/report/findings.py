"""Writes findings for people, editors, code scanners and GitLab."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

import msgspec

from grader import __version__
from grader.model.result import Finding, Severity
from grader.report.wording import remark_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.report.view import SheetView

Findings = tuple["Finding", ...]
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class RulePage(Protocol):
    """A rule's words, as the policy room has them."""

    @property
    def name(self) -> str: ...
    @property
    def what(self) -> str: ...
    @property
    def why(self) -> str: ...
    @property
    def instead(self) -> str: ...


def text(findings: Findings) -> str:
    """Write each finding with its line, a caret, the reason and what to do instead."""
    blocks = [block(finding) + "\n" for finding in findings]
    certain = sum(finding.severity is Severity.CERTAIN for finding in findings)
    notes = len(findings) - certain
    told = [f"{certain} finding{'s' * (certain != 1)}"] + ([f"{notes} for staff to look at"] if notes else [])
    return "\n".join([*blocks, ", ".join(told) if findings else "Nothing found."]) + "\n"


def block(finding: Finding) -> str:
    """Write one finding as a student reads it: place, what was found, the line, why, instead."""
    note = "" if finding.severity is Severity.CERTAIN else "note: "
    place = f"{finding.path}:{finding.line}:{finding.column}: " if finding.path else ""
    lines = [f"{place}{note}{finding.message} [{finding.rule}]"]
    if finding.source.strip():
        caret = "^" * min(max(finding.end_column - finding.column, 1), 80)
        lines += [f"    {_visible(finding.source)}", f"    {' ' * (finding.column - 1)}{caret}"]
    lines += [f"  why: {finding.why}"] if finding.why else []
    lines += [f"  instead: {finding.instead}"] if finding.instead else []
    return "\n".join(lines)


def as_json(findings: Findings) -> str:
    """Write the findings as they are, one JSON array."""
    return _json(msgspec.to_builtins(findings))


def sarif(findings: Findings, rules: Iterable[RulePage]) -> str:
    """Write SARIF 2.1.0."""
    told = [
        {
            "id": rule.name,
            "shortDescription": {"text": rule.what},
            "fullDescription": {"text": rule.why},
            "help": {"text": rule.instead},
        }
        for rule in rules
    ]
    run = {
        "tool": {"driver": {"name": "maze-grader", "version": __version__, "rules": told}},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(finding) for finding in findings],
    }
    return _json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _sarif_result(finding: Finding) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": max(finding.line, 1), "startColumn": max(finding.column, 1)}
    region |= {"endColumn": finding.end_column} if finding.end_column > finding.column else {}
    region |= {"snippet": {"text": finding.source}} if finding.source else {}
    place = {"artifactLocation": {"uri": quote(finding.path)}, "region": region}
    return {
        "ruleId": finding.rule,
        "level": "error" if finding.severity is Severity.CERTAIN else "note",
        "message": {"text": _message(finding)},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"finding/v1": _fingerprint(finding)},
    }


def gitlab(findings: Findings) -> str:
    """Write GitLab's code quality report."""
    items = [
        {
            "description": _message(finding),
            "check_name": finding.rule,
            "fingerprint": _fingerprint(finding),
            "severity": "major" if finding.severity is Severity.CERTAIN else "info",
            "location": {"path": finding.path, "lines": {"begin": max(1, finding.line)}},
        }
        for finding in findings
    ]
    return _json(items)


def code_quality(view: SheetView) -> str:
    """Render what is said of a view's source as GitLab's code quality report."""
    return gitlab(_placed(view))


def sarif_of(view: SheetView) -> str:
    """Render the same as SARIF."""
    return sarif(_placed(view), ())


def _placed(view: SheetView) -> Findings:
    """Return the findings that have a place, those of people last."""
    return (*(finding for finding in view.findings if finding.path), *_on_lines(view))


def _on_lines(view: SheetView) -> Findings:
    """Return what people said of lines of the source, as notes."""
    return tuple(
        Finding(
            rule="staff",
            path=said.path,
            line=said.line,
            column=1,
            message=remark_text(said),
            severity=Severity.REVIEW,
            source=said.source,
        )
        for said in view.remarks
        if said.path
    )


def _message(finding: Finding) -> str:
    return " ".join(part for part in (finding.message, finding.instead) if part)


def _fingerprint(finding: Finding) -> str:
    """Name a finding by its line's text, so that it keeps its name when lines move."""
    facts = (finding.rule, finding.path, finding.source or str(finding.line), str(finding.column), finding.message)
    return hashlib.sha256("\0".join(facts).encode("utf-8", "surrogatepass")).hexdigest()


def _visible(line: str) -> str:
    """Return a line without what could move the cursor; a tab takes one place, as the caret counts."""
    return "".join(character if character.isprintable() else " " for character in line)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
