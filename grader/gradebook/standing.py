"""What counts finally, what each attempt costs, and where a party stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.gradebook.decide import cost_percent, decide
from grader.gradebook.history import Attempt
from grader.gradebook.messages import moment_text
from grader.gradebook.regulations import rules_of
from grader.gradebook.regulations.due_date import DueDate
from grader.gradebook.regulations.quota import Quota
from grader.model.regulations import Counts
from grader.model.verdict import Verdict
from grader.model.words import number_text, plural

if TYPE_CHECKING:
    from datetime import datetime

    from grader.gradebook.history import History
    from grader.gradebook.regulations.rule import Situation
    from grader.model.assignment import Assignment
    from grader.model.regulations import Regulations


class Charged(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt with what it costs by now."""

    attempt: Attempt
    number: int | None
    """Its place among the attempts that take quota; None for one that takes none."""
    cost_percent: float

    @property
    def points(self) -> float:
        """The machine's, less the cost; then what people gave or took, as they said it. Never less than nothing."""
        machine = (self.attempt.points or 0.0) * (1 - self.cost_percent / 100)
        return max(0.0, machine + self.attempt.people_points) if self.attempt.adjustments else machine

    @property
    def is_whole(self) -> bool:
        """Tell whether every case was judged; otherwise a regrade has to complete the mark."""
        return not self.attempt.verdicts.get(Verdict.JE)


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """What a party has in an assignment."""

    counted: Charged | None = None
    used: int = 0
    refused: int = 0
    attempts: tuple[Charged, ...] = ()

    @property
    def points(self) -> float:
        return self.counted.points if self.counted else 0.0


def standing(regulations: Regulations, history: History) -> Standing:
    """Choose the attempt that counts; of equal ones the earliest is best."""
    charged = charge(regulations, history)
    able = [each for each in charged if each.attempt.counts]
    counted = None
    if able:
        counted = able[-1] if regulations.counts is Counts.LAST else max(able, key=lambda each: each.points)
    return Standing(
        counted=counted,
        used=sum(1 for each in charged if each.number is not None),
        refused=sum(1 for each in charged if each.attempt.state == "refused"),
        attempts=charged,
    )


def charge(regulations: Regulations, history: History) -> tuple[Charged, ...]:
    """Return every attempt with its cost of now: refunds and extensions lower it, nothing raises what was quoted."""
    if not history.attempts:
        return ()
    rules, now = rules_of(regulations), history.before(history.attempts[0].at)
    charged, number = [], 0
    for each in history.attempts:
        number += each.takes_quota
        push = msgspec.structs.replace(now, at=each.at, number=number if each.takes_quota else 0)
        quoted = 100.0 if each.quoted_percent is None else each.quoted_percent
        is_late = any(isinstance(rule, DueDate) and rule.lateness(push) is None for rule in rules)
        cost = quoted if is_late else min(quoted, cost_percent(rules, push))
        charged.append(Charged(attempt=each, number=number if each.takes_quota else None, cost_percent=cost))
    return tuple(charged)


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
