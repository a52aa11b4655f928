"""Read a whole assignment from the ledger, party by party."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from grader.gradebook import schema
from grader.gradebook.event import EVERYBODY, Key, Received
from grader.gradebook.history import by_key, fold, late_days_used, people_in

if TYPE_CHECKING:
    from collections import Counter

    from grader.gradebook.event import Event
    from grader.gradebook.history import Attempt, History
    from grader.gradebook.ledger import Ledger


def histories(ledger: Ledger, assignment: str) -> dict[str, History]:
    """Return every party's history in this assignment, by the party's name, from a book that was looked through."""
    with ledger.reading() as connection:
        ledger.check(connection)
        events = ledger.events(connection)
    found = by_key(events)
    used = late_days_used(assignment, found)
    own = sorted((key.party, key) for key in found if key.assignment == assignment)
    return {party: _history(key, found[key], used) for party, key in own}


def _history(key: Key, events: list[Event], used: Counter[str]) -> History:
    elsewhere = max((used[name] for name in people_in(key, events)), default=0)
    return msgspec.structs.replace(fold(events), late_days_elsewhere=elsewhere)


def find_attempt(past: dict[str, History], student: str, tag: str) -> tuple[str, Attempt] | None:
    """Return the party and the latest attempt of a student's tag that wasn't refused, or else the latest at all."""
    found = [
        (party, each)
        for party, history in past.items()
        for each in history.attempts
        if (each.student, each.tag) == (student, tag)
    ]
    taken = [pair for pair in found if pair[1].state != "refused"] or found
    return taken[-1] if taken else None


def attempts_of(ledger: Ledger, assignment: str, student: str) -> list[tuple[Key, Attempt]]:
    """Return what came from a student's repository, under whichever party it came."""
    with ledger.reading() as connection:
        events = ledger.events(connection, assignment=assignment, student=student)
    keys = dict.fromkeys(event.key for event in events)
    return [(key, each) for key in keys for each in fold(event for event in events if event.key == key).attempts]


def received_elsewhere(ledger: Ledger, assignment: str, student: str) -> list[Received]:
    """Return what came from a student's repositories for other assignments."""
    with ledger.reading() as connection:
        events = ledger.events(connection, student=student)
    return [each.fact for each in events if isinstance(each.fact, Received) and each.key.assignment != assignment]


def party_of(ledger: Ledger, assignment: str, *, student: str, tag: str) -> str | None:
    """Return under whose quota this tag came first, whatever the class list says by now."""
    with ledger.reading() as connection:
        events = ledger.events(connection, assignment=assignment, student=student)
    tags = (each for each in events if isinstance(each.fact, Received) and each.fact.tag == tag)
    return next((each.key.party for each in tags), None)


def assignments(ledger: Ledger) -> set[str]:
    """Return the assignments of which the book has events."""
    with ledger.reading() as connection:
        return {*connection.execute(select(schema.events.c.assignment).distinct()).scalars()}


def known_names(ledger: Ledger) -> set[str]:
    """Return every student, member and party that the book speaks of."""
    with ledger.reading() as connection:
        events = ledger.events(connection)
    names = {name for each in events for name in (each.student, each.key.party)}
    members = {name for each in events if isinstance(each.fact, Received) for name in each.fact.members}
    return (names | members) - {EVERYBODY}
