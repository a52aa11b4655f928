"""Scans a submission's files against the assignment's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.policy import library
from grader.policy.desk import Desk
from grader.policy.rule import clauses
from grader.policy.rules import RULES
from grader.policy.sources import gather

if TYPE_CHECKING:
    from grader.model.assignment import PolicySpec
    from grader.model.result import Finding
    from grader.model.run import File


def scan(files: tuple[File, ...], policy: PolicySpec) -> tuple[Finding, ...]:
    """Give every finding, in the order of path, line and column."""
    names = (clause.name for clause in clauses(policy.ban, policy))
    desk = Desk(gather(files), tuple(name for name in names if name not in library.BUILTINS))
    findings = [finding for rule in RULES for finding in rule.check(desk, policy)]
    return tuple(sorted(findings, key=lambda f: (f.path, f.line, f.column, f.rule)))
