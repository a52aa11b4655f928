"""Scans a submission's files against the assignment's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.log import log
from grader.model.result import Finding, Severity
from grader.policy.program import Program
from grader.policy.rule import TOP, Rule, clauses
from grader.policy.rules.banned import banned_builtin, banned_import, banned_use, hidden_way
from grader.policy.rules.files import scan_error, stray_file, syntax_error
from grader.policy.rules.modules import only, own_module, pasted_library
from grader.policy.rules.recursion import recursion
from grader.policy.rules.shape import banned_syntax, max_lines, required
from grader.policy.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import PolicySpec
    from grader.model.run import File

_MODULES = (banned_import, banned_use, pasted_library, banned_builtin, only)
_SHAPE = (banned_syntax, required, recursion, max_lines)
RULES = (syntax_error, *_MODULES, *_SHAPE, own_module, hidden_way, stray_file, scan_error)
"""In the order in which they are asked; `scan_error` comes last: it says what the others couldn't read."""
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
            is_noted = finding.severity is Severity.REVIEW or finding.path in program.reached
            yield finding if is_noted else _unreached(finding)
    except Exception as error:  # noqa: BLE001  # our own fault must stop neither the batch nor the other rules
        log().exception("the rule %s failed", rule.name)
        what = f"The rule {rule.name} failed in the grader ({type(error).__name__}); staff read the files themselves."
        yield scan_error.note(next(program.python(), Source("", b"")), TOP, what)


def _unreached(finding: Finding) -> Finding:
    message = f"{finding.message} No file of the program imports this one, so it costs nothing: delete it."
    return msgspec.structs.replace(finding, message=message, severity=Severity.REVIEW)
