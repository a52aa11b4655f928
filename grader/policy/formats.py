"""Writes findings for people, editors and continuous integration."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import msgspec

from grader import __version__
from grader.model.result import Severity
from grader.policy.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.model.result import Finding

Findings = tuple["Finding", ...]
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def text(findings: Findings) -> str:
    """Write each finding with its line, a caret, the reason and what to use instead."""
    blocks = [_block(finding) for finding in findings]
    certain = sum(finding.severity is Severity.CERTAIN for finding in findings)
    notes = len(findings) - certain
    told = [f"{certain} finding{'s' * (certain != 1)}"] + ([f"{notes} for staff to look at"] if notes else [])
    return "\n".join([*blocks, ", ".join(told) if findings else "Nothing found."]) + "\n"


def _block(finding: Finding) -> str:
    note = "" if finding.severity is Severity.CERTAIN else "note: "
    lines = [f"{finding.path}:{finding.line}:{finding.column}: {note}{finding.message} [{finding.rule}]"]
    if finding.source.strip():
        lines += [f"    {_visible(finding.source)}", f"    {_caret(finding)}"]
    if finding.why:
        lines.append(f"  why: {finding.why}")
    if finding.instead:
        lines.append(f"  instead: {finding.instead}")
    return "\n".join(lines) + "\n"


def _visible(line: str) -> str:
    """Give a line without what could move the cursor; a tab takes one place, as the caret counts."""
    return "".join(character if character.isprintable() else " " for character in line)


def _caret(finding: Finding) -> str:
    width = max(finding.end_column - finding.column, 1)
    return " " * (finding.column - 1) + "^" * min(width, 80)


def as_json(findings: Findings) -> str:
    """Write the findings as they are, one JSON array."""
    return json.dumps(msgspec.to_builtins(findings), ensure_ascii=False, indent=1) + "\n"


def sarif(findings: Findings) -> str:
    """Write SARIF 2.1.0."""
    driver = {"name": "maze-grader", "version": __version__, "rules": [_sarif_rule(rule.PAGE) for rule in RULES]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(finding) for finding in findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"


def _sarif_rule(page: Any) -> dict[str, Any]:
    return {
        "id": page.name,
        "shortDescription": {"text": page.what},
        "fullDescription": {"text": page.why},
        "help": {"text": page.instead},
    }


def _sarif_result(finding: Finding) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": max(finding.line, 1), "startColumn": max(finding.column, 1)}
    if finding.end_column > finding.column:
        region["endColumn"] = finding.end_column
    if finding.source:
        region["snippet"] = {"text": finding.source}
    place = {"artifactLocation": {"uri": _uri(finding.path)}, "region": region}
    return {
        "ruleId": finding.rule,
        "level": "error" if finding.severity is Severity.CERTAIN else "note",
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"finding/v1": fingerprint(finding)},
    }


def _uri(path: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415  # only this format needs it

    return quote(path)


def github(findings: Findings) -> str:
    """Write workflow commands; nothing in a finding can end a command or begin another."""
    lines = []
    for finding in findings:
        level = "error" if finding.severity is Severity.CERTAIN else "notice"
        facts = {"file": finding.path, "line": finding.line, "col": finding.column, "title": finding.rule}
        words = ",".join(f"{name}={_property(str(value))}" for name, value in facts.items())
        lines.append(f"::{level} {words}::{_data(finding.message)}\n")
    return "".join(lines)


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def gitlab(findings: Findings) -> str:
    """Write GitLab's code quality report."""
    items = [
        {
            "description": finding.message,
            "check_name": finding.rule,
            "fingerprint": fingerprint(finding),
            "severity": "major" if finding.severity is Severity.CERTAIN else "info",
            "location": {"path": finding.path, "lines": {"begin": max(finding.line, 1)}},
        }
        for finding in findings
    ]
    return json.dumps(items, ensure_ascii=False, indent=1) + "\n"


def fingerprint(finding: Finding) -> str:
    """Name a finding by its line's text, so that it keeps its name when lines move."""
    facts = (finding.rule, finding.path, finding.source or str(finding.line), str(finding.column), finding.message)
    return hashlib.sha256("\0".join(facts).encode("utf-8", "surrogatepass")).hexdigest()


FORMATS: dict[str, Callable[[Findings], str]] = {
    "text": text,
    "json": as_json,
    "sarif": sarif,
    "github": github,
    "gitlab": gitlab,
}
