"""Read a whole assignment from the ledger, party by party."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.gradebook.event import Received
from grader.gradebook.history import fold, history_in

if TYPE_CHECKING:
    from grader.gradebook.event import Event, Key
    from grader.gradebook.history import Attempt, History
    from grader.gradebook.ledger import Ledger


def histories(ledger: Ledger, assignment: str) -> dict[str, History]:
    """Return every party's history in this assignment, by the party's name, from a book that was looked through."""
    with ledger.reading() as connection:
        ledger.check(connection)
        events = ledger.events(connection)
    parties = sorted({event.key.party for event in events if event.key.assignment == assignment})
    own: dict[str, list[Event]] = {party: [] for party in parties}
    for event in events:
        if event.key.party in own:
            own[event.key.party].append(event)
    return {party: history_in(assignment, each) for party, each in own.items()}


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


def party_of(ledger: Ledger, assignment: str, *, student: str, tag: str) -> str | None:
    """Return under whose quota this tag came first, whatever the class list says by now."""
    with ledger.reading() as connection:
        events = ledger.events(connection, assignment=assignment, student=student)
    tags = (each for each in events if isinstance(each.fact, Received) and each.fact.tag == tag)
    return next((each.key.party for each in tags), None)


def known_names(ledger: Ledger) -> set[str]:
    """Return every student, member and party that the book speaks of."""
    with ledger.reading() as connection:
        events = ledger.events(connection)
    names = {name for each in events for name in (each.student, each.key.party)}
    return names | {name for each in events if isinstance(each.fact, Received) for name in each.fact.members}
