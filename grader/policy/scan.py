"""Scans a submission's files against the assignment's rules."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

from grader.policy import library
from grader.policy.desk import Desk
from grader.policy.rule import clauses
from grader.policy.rules import RULES
from grader.policy.sources import gather

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import PolicySpec
    from grader.model.result import Finding
    from grader.model.run import File


def scan(files: tuple[File, ...], policy: PolicySpec) -> tuple[Finding, ...]:
    """Give every finding, in the order of path, line and column."""
    with _uncollected():
        findings = _find(files, policy)
    return tuple(sorted(findings, key=lambda f: (f.path, f.line, f.column, f.rule)))


def _find(files: tuple[File, ...], policy: PolicySpec) -> list[Finding]:
    names = (clause.name for clause in clauses(policy.ban, policy))
    desk = Desk(gather(files), tuple(name for name in names if name not in library.BUILTINS))
    findings = [finding for rule in RULES for finding in rule.check(desk, policy)]
    desk.close()
    return findings


@contextmanager
def _uncollected() -> Iterator[None]:
    """Pause the collector: it would go through the syntax trees again and again, and find nothing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
