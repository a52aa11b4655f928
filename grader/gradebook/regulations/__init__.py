"""The regulations, one file each, in the order in which they are asked and told.

A new one is a file here that says what it refuses, costs and tells, its class in `RULES`, and its key in
`model/regulations.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.gradebook.regulations.due_date import DueDate
from grader.gradebook.regulations.privacy import Privacy
from grader.gradebook.regulations.quota import Quota
from grader.gradebook.regulations.rolling_window import RollingWindow

if TYPE_CHECKING:
    from grader.gradebook.regulations.rule import Rule
    from grader.model.regulations import Regulations

RULES: tuple[type[Rule], ...] = (DueDate, Quota, RollingWindow, Privacy)


def rules_of(regulations: Regulations) -> tuple[Rule, ...]:
    """Return the rules that these regulations have."""
    return tuple(rule for kind in RULES if (rule := kind.of(regulations)) is not None)
