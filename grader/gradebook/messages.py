"""The words in which students read regulations and decisions."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from grader.gradebook.event import Via
from grader.gradebook.regulations import rules_of
from grader.gradebook.regulations.quota import Quota
from grader.model import moments
from grader.model.regulations import Counts
from grader.model.words import number_text, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.gradebook.event import Received
    from grader.gradebook.regulations.rule import Rule, Situation
    from grader.model.regulations import Regulations

_PLACEHOLDER = re.compile(r"\{([a-z_]+(?:\.[a-z_]+)?)\}")
_NOT_GRADED = "Not graded, and not counted:"
SPARED = "It uses no attempt:"
OPEN = (
    "Whether your repository is private can't be found out at this moment. The tag is kept with the time of its push "
    "and is decided on as soon as that is known; nothing is counted until then."
)


def describe(regulations: Regulations) -> str:
    """Return the regulations as a Markdown list: the course's own text with its values filled in, or ours."""
    if regulations.text:
        return _PLACEHOLDER.sub(lambda match: _value(regulations, match), regulations.text).strip()
    lines = [line for rule in rules_of(regulations) for line in rule.lines()]
    if not lines:
        return "- You may submit at any time, as often as you like."
    lines.append(f"Your {'best' if regulations.counts is Counts.BEST else 'last'} attempt counts")
    lines.append("An attempt that fails through our fault is given back")
    return "\n".join(f"- {line}" for line in lines)


def moment_text(moment: datetime, regulations: Regulations) -> str:
    """Write a moment in the due date's zone."""
    return moments.moment_text(moment, regulations.due, regulations.zone)


def accepted_text(rules: Iterable[Rule], push: Situation, *, room: int | None) -> str:
    """Say which attempt it is, what it costs and what is left."""
    told = [rule.remark(push, room=room) for rule in rules]
    return " ".join([f"This is attempt {push.number}{_of(rules, push)}.", *(each for each in told if each)])


def refused_text(regulations: Regulations, why: str, next_allowed: datetime | None) -> str:
    """Say why it isn't graded, that it costs nothing, and when it would be."""
    wait = f" The next one is possible from {moment_text(next_allowed, regulations)}." if next_allowed else ""
    return f"{_NOT_GRADED} {why}.{wait}"


def came_text(received: Received) -> str:
    """Say how an attempt came that its student didn't push or upload; empty otherwise."""
    match received.via:
        case Via.STAFF:
            return f"Handed in by the staff: {received.why}"
        case Via.SNAPSHOT:
            return f"Taken by the staff from the repository as it was when the assignment was due: {received.why}"
        case _:
            return ""


def moved_text(tag: str, *, first: str, found: str) -> str:
    return (
        f"{_NOT_GRADED} the tag {tag!r} came with commit {first[:10]} and now points to {found[:10]}. "
        "A tag keeps the commit it first came with: make a new tag and push that."
    )


def same_text(tag: str) -> str:
    return f"{SPARED} its files are those of {tag!r}, whose result stands. Change something, then push a new tag."


def unreadable_text(problem: str) -> str:
    return f"{SPARED} {problem.rstrip('.')}. Fix that, then push a new tag."


def too_many_text(most: int) -> str:
    return (
        f"{_NOT_GRADED} one push may bring at most {plural(most, 'tag')}. "
        "Push this tag again by itself: git push origin :TAG && git push origin TAG."
    )


def _of(rules: Iterable[Rule], push: Situation) -> str:
    quotas = [rule.own_attempts(push) for rule in rules if isinstance(rule, Quota)]
    return "".join(f" of {most}" for most in quotas if push.number <= most)


def _value(regulations: Regulations, match: re.Match[str]) -> str:
    """Fill one placeholder; braces that name no value stay as they are."""
    value: object = regulations
    for name in match[1].split("."):
        value = getattr(value, name, None)
    if isinstance(value, datetime):
        return moment_text(value, regulations)
    return number_text(value) if isinstance(value, int | float) else match[0] if value is None else str(value)
