"""Scans a submission's files against the assignment's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.log import log
from grader.model.result import Finding, Severity
from grader.policy.program import Program
from grader.policy.rule import TOP, Rule, clauses
from grader.policy.rules import RULES
from grader.policy.rules.files import scan_error
from grader.policy.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import PolicySpec
    from grader.model.run import File

_MOST = 500
"""Findings of one rule; who has more has seen the point."""


def scan(files: tuple[File, ...], policy: PolicySpec, runs: tuple[str, ...] = ()) -> tuple[Finding, ...]:
    """Return every finding, in the order of path, line and column; never raises.

    `runs` names the files that the assignment starts: what they don't reach is noted, and costs nothing.
    """
    program = Program(files, tuple(clause.name for clause in clauses(policy.ban, policy)), runs)
    findings = {finding for rule in RULES for finding in _check(rule, program, policy)}
    return tuple(sorted(findings, key=lambda f: (f.path, f.line, f.column, f.rule, f.message)))


def _check(rule: Rule, program: Program, policy: PolicySpec) -> Iterator[Finding]:
    """Apply one rule; what stops it is told to staff, and the other rules go on."""
    try:
        for finding, _ in zip(rule.check(rule, program, policy), range(_MOST), strict=False):
            yield _weighed(finding, program)
    except Exception as error:  # noqa: BLE001  # our own fault must stop neither the batch nor the other rules
        log().exception("the rule %s failed", rule.name)
        what = f"The rule {rule.name} failed in the grader ({type(error).__name__}); staff read the files themselves."
        yield scan_error.note(next(program.python(), Source("", b"")), TOP, what)


def _weighed(finding: Finding, program: Program) -> Finding:
    """Make a finding in a file that the program never reaches a note."""
    if finding.severity is Severity.REVIEW or finding.path in program.reached:
        return finding
    message = f"{finding.message} No file of the program imports this one, so it costs nothing: delete it."
    return msgspec.structs.replace(finding, message=message, severity=Severity.REVIEW)
