"""The words in which students read regulations and decisions."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from grader.gradebook.event import Refusal
from grader.model.regulations import Counts

if TYPE_CHECKING:
    from grader.gradebook.decide import Decision
    from grader.gradebook.terms import Terms
    from grader.model.regulations import Late, Regulations

# strftime would follow the server's locale
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_PLACEHOLDER = re.compile(r"\{([a-z_]+(?:\.[a-z_]+)?)\}")


def describe(regulations: Regulations) -> str:
    """Give the regulations as a Markdown list: the course's own text with its values filled in, or ours."""
    if regulations.text:
        return _PLACEHOLDER.sub(lambda match: _value(regulations, match), regulations.text).strip()
    return (
        "\n".join(f"- {line}" for line in _lines(regulations))
        or "- You may submit at any time, as often as you like."
    )


def moment_text(moment: datetime, regulations: Regulations) -> str:
    """Write a moment in the due date's zone, such as `23:59:59, April 4, 2019, CST`."""
    zone = regulations.due.tzinfo if regulations.due else UTC
    local = moment.astimezone(zone)
    name = regulations.zone if regulations.due and regulations.zone else str(local.tzname())
    return f"{local:%H:%M:%S}, {_MONTHS[local.month - 1]} {local.day}, {local.year}, {name}"


def number_text(number: float) -> str:
    """Write 10.0 as 10 and 2.5 as 2.5."""
    return f"{number:g}"


def plural(number: float, noun: str) -> str:
    return f"{number_text(number)} {noun}" if number == 1 else f"{number_text(number)} {noun}s"


def accepted_text(regulations: Regulations, own: Terms, decision: Decision) -> str:
    """Say which attempt it is, what it costs and what is left."""
    of = f" of {own.attempts}" if own.attempts is not None and decision.number <= own.attempts else ""
    parts = [f"This is attempt {decision.number}{of}."]
    if decision.late_days:
        parts.append(f"It uses {plural(decision.late_days, 'late day')}.")
    if decision.late_percent:
        parts.append(f"It is late: {number_text(decision.late_percent)}% is taken off its points.")
    if decision.extra_percent:
        parts.append(
            f"It comes after your {plural(own.attempts or 0, 'attempt')}: "
            f"{number_text(decision.extra_percent)}% is taken off its points."
        )
    if decision.remaining is not None:
        parts.append(f"{plural(decision.remaining, 'attempt')} left.")
    if regulations.window and decision.room is not None and decision.room != decision.remaining:
        hours = number_text(regulations.window.hours)
        parts.append(f"You may submit {plural(decision.room, 'more time')} within these {hours} hours.")
    return " ".join(parts)


def refused_text(regulations: Regulations, own: Terms, decision: Decision) -> str:
    """Say why it isn't graded, that it costs nothing, and when or how it would be."""
    lines = {
        Refusal.NOT_PRIVATE: "your repository is not private. Make it private, then push a new tag",
        Refusal.LATE: _late_text(regulations, own),
        Refusal.ATTEMPTS: "your one attempt is used"
        if own.attempts == 1
        else f"all {own.attempts} attempts are used",
        Refusal.WINDOW: _window_text(regulations),
        Refusal.ACCRUAL: _accrual_text(regulations),
    }
    why = lines.get(decision.reason, "") if decision.reason else ""
    wait = ""
    if decision.next_allowed is not None:
        wait = f" The next one is possible from {moment_text(decision.next_allowed, regulations)}."
    return f"Not graded, and not counted: {why}.{wait}"


def moved_text(tag: str, *, graded: str, found: str) -> str:
    return (
        f"Not graded, and not counted: the tag {tag!r} was graded at commit {graded[:10]} and now points to "
        f"{found[:10]}. A graded tag keeps its commit: make a new tag and push that."
    )


def too_many_text(most: int) -> str:
    return (
        f"Not graded, and not counted: one push may bring at most {plural(most, 'tag')}. "
        "Push this tag again by itself: git push origin :TAG && git push origin TAG."
    )


def _late_text(regulations: Regulations, own: Terms) -> str:
    last = own.until or own.due
    when = moment_text(last, regulations) if last else ""
    return f"the last moment was {when}, by the server's clock"


def _window_text(regulations: Regulations) -> str:
    window = regulations.window
    return f"at most {plural(window.attempts, 'attempt')} in {number_text(window.hours)} hours" if window else ""


def _accrual_text(regulations: Regulations) -> str:
    accrual = regulations.accrual
    return f"you gain one attempt every {number_text(accrual.hours)} hours, and have none left" if accrual else ""


def _value(regulations: Regulations, match: re.Match[str]) -> str:
    """Fill one placeholder; braces that name no value stay as they are."""
    if match[1] == "due":
        return moment_text(regulations.due, regulations) if regulations.due else match[0]
    value: object = regulations
    for name in match[1].split("."):
        value = getattr(value, name, None)
    if isinstance(value, datetime):
        return moment_text(value, regulations)
    return number_text(value) if isinstance(value, int | float) else match[0] if value is None else str(value)


def _lines(regulations: Regulations) -> list[str]:
    lines = []
    if regulations.due:
        lines.append(f"Due: {moment_text(regulations.due, regulations)}")
        lines.append(
            _late_rule(regulations, regulations.late) if regulations.late else "No late submission is accepted"
        )
    if regulations.attempts is not None:
        lines.append(f"You have {plural(regulations.attempts, 'attempt')}" + _extra_rule(regulations))
    if regulations.window:
        lines.append(f"At most {_window_text(regulations).removeprefix('at most ')}")
    if regulations.accrual:
        hours = number_text(regulations.accrual.hours)
        most = plural(regulations.accrual.most, "attempt")
        lines.append(f"You start with {most}, gain one every {hours} hours, and can save up {most}")
    if regulations.private_repository:
        lines.append("A repository that is not private is neither graded nor counted")
    if lines:
        lines.append(f"Your {'best' if regulations.counts is Counts.BEST else 'last'} attempt counts")
        lines.append("An attempt that fails through our fault is given back")
    return lines


def _late_rule(regulations: Regulations, late: Late) -> str:
    parts = []
    if late.days:
        parts.append(f"You have {plural(late.days, 'free late day')} in all")
    if late.percent:
        cap = f", at most {number_text(late.cap_percent)}%" if late.cap_percent < 100 else ""
        after = "beyond them each" if late.days else "each"
        parts.append(f"{after} started {late.per} late costs {number_text(late.percent)}%{cap}")
    if not parts:
        parts.append("late submissions cost nothing")
    if late.until:
        parts.append(f"nothing is accepted after {moment_text(late.until, regulations)}")
    text = "; ".join(parts)
    return text[0].upper() + text[1:]


def _extra_rule(regulations: Regulations) -> str:
    if regulations.extra_percent is None:
        return ""
    return f"; each further one costs {number_text(regulations.extra_percent)}% more than the one before"
