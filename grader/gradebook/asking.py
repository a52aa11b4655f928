"""Say where a party stands and what a push would cost, without an attempt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.gradebook.decide import decide
from grader.gradebook.messages import moment_text
from grader.gradebook.regulations import rules_of
from grader.gradebook.regulations.due_date import DueDate
from grader.gradebook.regulations.quota import Quota
from grader.gradebook.standing import standing
from grader.model.words import number_text, plural

if TYPE_CHECKING:
    from datetime import datetime

    from grader.gradebook.history import History
    from grader.gradebook.regulations.rule import Situation
    from grader.model.assignment import Assignment


def answer(
    assignment: Assignment, history: History, *, at: datetime, private: bool | None, is_silent: bool
) -> list[str]:
    """Return what a push at this moment would meet; silent where a sum would tell of hidden cases."""
    regulations = assignment.regulations
    push = history.before(at, private=private)
    decision = decide(regulations, push)
    now = standing(regulations, history)
    lines = [f"A push at {moment_text(at, regulations)}: {_would(decision.text)}"]
    lines += [f"Attempts used: {now.used}.{_own_limits(assignment, push)}"]
    for rule in rules_of(regulations):
        if isinstance(rule, DueDate):
            lines.append(f"Due: {moment_text(rule.own_due(push), regulations)}.{_late_days(rule, history)}")
    if now.counted is None:
        lines.append("Nothing counts yet.")
    elif is_silent:
        lines.append(f"What counts by now: {now.counted.attempt.tag} ({regulations.counts} attempt).")
    else:
        most = number_text(now.counted.attempt.max_points + assignment.rubric_points)
        lines.append(f"What counts by now: {number_text(now.points)} of {most} points ({now.counted.attempt.tag}).")
    return lines


def _would(text: str) -> str:
    return text.replace("This is attempt", "it would be attempt", 1).replace("Not graded, and not counted", "no", 1)


def _own_limits(assignment: Assignment, push: Situation) -> str:
    quotas = [rule for rule in rules_of(assignment.regulations) if isinstance(rule, Quota)]
    return "".join(f" The limit is {rule.own_attempts(push)}." for rule in quotas)


def _late_days(rule: DueDate, history: History) -> str:
    if rule.late is None or not rule.late.days:
        return ""
    left = max(0, rule.late.days - history.late_days - history.late_days_elsewhere)
    return f" {plural(left, 'free late day')} left, of {rule.late.days} for all assignments."
