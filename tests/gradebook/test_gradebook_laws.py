"""Laws of a whole book: no point is lost, whatever staff, rosters, erasure and kills do to it."""

from __future__ import annotations

import random
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import crowd
import pytest
from model_values import make_assignment

from grader.gradebook import staff
from grader.gradebook.check import check
from grader.gradebook.event import Adjusted, Forgotten, Key, Received, Withdrawn
from grader.gradebook.export import export
from grader.gradebook.forgetting import Person, forget
from grader.gradebook.history import histories, people_of
from grader.gradebook.ledger import open_ledger
from grader.gradebook.reserve import Arrival, reserve
from grader.gradebook.roster import Roster
from grader.gradebook.settle import settle
from grader.gradebook.staff import Change
from grader.gradebook.standing import standing
from grader.model.lms import Student
from grader.model.regulations import Late, Regulations

if TYPE_CHECKING:
    from grader.gradebook.history import Attempt
    from grader.gradebook.ledger import Ledger

pytest_plugins = ["books"]

RULES = Regulations(due=crowd.NOW, late=Late(percent=10, days=2), attempts=50)
ASKED = make_assignment(regulations=RULES)
SCRIPT = str(Path(crowd.__file__))


class Term:
    """A book to which a term happens by chance."""

    def __init__(self, ledger: Ledger, chance: random.Random) -> None:
        self.ledger, self.chance = ledger, chance
        self.names = ["ann", "bob", "cat", "dan", "eve"]
        self.tags = 0
        self.edit()

    def step(self) -> None:
        kinds = (self.push, self.push, self.push, self.adjust, self.adjust, self.withdraw, self.regrade, self.edit)
        self.chance.choice(kinds)()

    def edit(self) -> None:
        """Let people come, go and change their groups."""
        listed = [name for name in self.names if self.chance.random() < 0.9]
        groups = {name: self.chance.choice(("", "red", "blue")) for name in listed}
        self.roster = Roster(entries=tuple(Student(student=name, group=group) for name, group in groups.items()))

    def push(self) -> None:
        student = self.chance.choice(self.names)
        party = self.roster.party(student)
        self.tags += 1
        received = Received(tag=f"t{self.tags}", commit="c" * 40, members=self.roster.members(party))
        at = crowd.NOW + timedelta(hours=self.chance.randrange(-90, 90))
        arrival = Arrival(key=Key(assignment="hello", party=party), student=student, at=at, received=received)
        ticket = reserve(self.ledger, arrival, regulations=RULES, now=at).ticket
        assert ticket is not None
        settle(self.ledger, ticket, sheet=crowd.sheet(self.chance.randrange(11)), now=at)

    def some(self) -> tuple[Key, Attempt] | None:
        past = histories(self.ledger, "hello")
        able = [(party, each) for party, own in past.items() for each in own.attempts if each.counts]
        if not able:
            return None
        party, attempt = self.chance.choice(able)
        return Key(assignment="hello", party=party), attempt

    def adjust(self) -> None:
        if found := self.some():
            points, item = self.chance.choice((-20.0, -1.5, 0.5, 2.0)), self.chance.choice(("", "style"))
            fact = Adjusted(points=points, item=item, about="x", by="ta", why="y")
            staff.adjust(self.ledger, found[0], found[1].id, [fact], now=crowd.NOW)

    def withdraw(self) -> None:
        if (found := self.some()) and found[1].adjustments:
            fact = Withdrawn(event=found[1].adjustments[0].number, by="ta", why="z")
            staff.withdraw(self.ledger, found[0], fact, attempt=found[1], now=crowd.NOW)

    def regrade(self) -> None:
        if found := self.some():
            key, own = found
            sheet = crowd.sheet(self.chance.randrange(11))
            change = Change(party=key.party, attempt=own, sheet=sheet, reasons=())
            staff.regrade(self.ledger, key, change, fact=staff.regraded(sheet, by="ta", why="key"), now=crowd.NOW)
            after = {each.id: each for each in histories(self.ledger, "hello")[key.party].attempts}[own.id]
            assert (after.adjustments, after.points) == (own.adjustments, sheet.points)

    def forget(self) -> None:
        before, name = marks(self.ledger), self.names.pop()
        past = histories(self.ledger, "hello").values()
        if any(name in {each.student, *each.received.members} for own in past for each in own.attempts):
            forget(self.ledger, Person(student=name), fact=Forgotten(by="ta", why="left"), now=crowd.NOW)
        assert sorted(marks(self.ledger).values()) == pytest.approx(sorted(before.values()))


def marks(ledger: Ledger) -> dict[str, float]:
    found = {party: standing(RULES, own) for party, own in histories(ledger, "hello").items()}
    return {party: each.points for party, each in found.items() if each.counted}


@pytest.mark.parametrize("seed", range(3))
def test_what_is_exported_and_what_is_named_is_the_book(tmp_path: Path, seed: int) -> None:
    """After pushes, adjustments, regrades, edits and students who left: every mark is in a line or named."""
    ledger = open_ledger(str(tmp_path / "book.sqlite"), create=True)
    term = Term(ledger, random.Random(seed))
    for number in range(30):
        term.step()
        if number in {15, 25}:
            term.forget()
    past, book = histories(ledger, "hello"), marks(ledger)
    found = export(ASKED, past, term.roster)
    lines = {line.party: line.standing.points for line in found.lines if line.standing.counted}
    lost = set(book) - set(lines)
    named = {(each.who, each.points) for each in found.unmatched}
    for party in lost:
        people = people_of(party, ((each.student, each.received) for each in past[party].attempts))
        assert any((who, book[party]) in named for who in people | {party}), party
    assert sum(lines.values()) + sum(book[party] for party in lost) == pytest.approx(sum(book.values()))
    assert check(ledger).events > 30


@pytest.mark.parametrize("seed", range(2))
def test_staff_killed_at_any_moment_leave_a_whole_book(book: str, seed: int) -> None:
    """After kill -9 each judgement is there or not, never half; the same command again completes it, once."""
    ledger = open_ledger(book, create=True)
    reservation = reserve(ledger, crowd.arrival("v1"), regulations=crowd.RULES, now=crowd.NOW)
    assert reservation.ticket is not None
    settle(ledger, reservation.ticket, sheet=crowd.sheet(), now=crowd.NOW)
    with subprocess.Popen([sys.executable, SCRIPT, "judge", book, "30"], stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        for _ in range(random.Random(seed).randrange(1, 20)):
            worker.stdout.readline()
        worker.kill()
    check(ledger)
    there = len(histories(ledger, "runner")["s1"].attempts[0].adjustments)
    crowd.judge(book, 30)
    (own,) = histories(ledger, "runner")["s1"].attempts
    assert (len(own.adjustments), own.people_points) == (30, 30.0)
    with ledger.reading() as connection:
        written = [each for each in ledger.events(connection, party="s1") if isinstance(each.fact, Adjusted)]
    assert (len(written), there <= 30) == (30, True), "what was there isn't written twice"
    check(ledger)


def test_judging_and_regrading_at_once_loses_neither(book: str) -> None:
    """Two processes on one attempt: all judgements and the last regrade stand, and the chain is one."""
    ledger = open_ledger(book, create=True)
    reservation = reserve(ledger, crowd.arrival("v1"), regulations=crowd.RULES, now=crowd.NOW)
    assert reservation.ticket is not None
    settle(ledger, reservation.ticket, sheet=crowd.sheet(), now=crowd.NOW)
    own = histories(ledger, "runner")["s1"].attempts[0]
    with subprocess.Popen([sys.executable, SCRIPT, "judge", book, "20"], stdout=subprocess.DEVNULL) as worker:
        for points in range(20):
            sheet = crowd.sheet(float(points))
            change = Change(party="s1", attempt=own, sheet=sheet, reasons=())
            staff.regrade(ledger, crowd.KEY, change, fact=staff.regraded(sheet, by="ta", why="k"), now=crowd.NOW)
    assert worker.returncode == 0
    (after,) = histories(ledger, "runner")["s1"].attempts
    assert (after.points, after.people_points) == (19.0, 20.0)
    check(ledger)
