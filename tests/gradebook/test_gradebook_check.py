"""Check: whatever is changed in a book is found, whoever changed it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import crowd
import msgspec
import pytest
from sqlalchemy import text

from grader.gradebook import schema
from grader.gradebook.check import check
from grader.gradebook.contents import kept_submission
from grader.gradebook.db_errors import BookError
from grader.gradebook.event import Event, Key, Posted, Voided
from grader.gradebook.history import histories
from grader.gradebook.ledger import open_ledger
from grader.gradebook.reserve import reserve
from grader.gradebook.settle import settle
from grader.model.run import File
from grader.model.submission import Submission

if TYPE_CHECKING:
    from pathlib import Path

    from grader.gradebook.ledger import Ledger

pytest_plugins = ["books"]


def push(ledger: Ledger, tag: str, points: float = 5.0) -> str:
    """Settle an attempt with everything that lies beside it."""
    reservation = reserve(ledger, crowd.arrival(tag), regulations=crowd.RULES, now=crowd.NOW)
    assert reservation.ticket is not None
    submission = Submission(id="s1", files=(File(path="maze.py", content=b"print(1)\n" * 9),))
    settle(ledger, reservation.ticket, sheet=crowd.sheet(points), now=crowd.NOW, submission=submission)
    return reservation.attempt.id


def test_an_untouched_book_holds(ledger: Ledger) -> None:
    """Its events and contents are counted, and its head grows out of the one before."""
    push(ledger, "v1")
    first = check(ledger)
    push(ledger, "v2")
    second = check(ledger, head=first.head)
    assert (first.events, first.contents, second.events, second.contents) == (3, 2, 6, 4)
    assert first.head != second.head


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE events SET student = 'x' WHERE number = 2", "event 2 doesn't fit its checksum"),
        ("UPDATE events SET at_us = at_us + 1 WHERE number = 5", "event 5 doesn't fit its checksum"),
        ("UPDATE events SET digest = 'x' WHERE number = 6", "event 6 doesn't fit its checksum"),
        ("DELETE FROM events WHERE number = 2", "event 3 doesn't fit its checksum"),
        ("UPDATE events SET number = 9 WHERE number = 4", "event 5 doesn't fit its checksum"),
        ("DELETE FROM contents WHERE number = 1", "isn't what was kept"),
        ("UPDATE contents SET content = (SELECT content FROM contents WHERE number = 1)", "isn't what was kept"),
        ("UPDATE contents SET attempt = 'x' WHERE number = 1", "isn't what was kept"),
        ("UPDATE contents SET what = 'sheep' WHERE number = 1", "isn't what was kept"),
        (
            "UPDATE contents SET what = CASE what WHEN 'sheet' THEN 'submission' ELSE 'sheet' END",
            "isn't what was kept",
        ),
    ],
)
def test_whatever_is_changed_is_found(ledger: Ledger, statement: str, told: str) -> None:
    """Also by somebody who takes the database's own guards away first."""
    push(ledger, "v1", 3)
    push(ledger, "v2", 5)
    with ledger.writing() as connection, schema.unguarded(connection):
        connection.execute(text(statement))
    with pytest.raises(BookError, match=told):
        check(ledger)


def test_a_change_with_a_fresh_digest_is_missed_by_the_next(ledger: Ledger) -> None:
    """Whoever computes the event's own digest again has changed every one after it."""
    push(ledger, "v1")
    push(ledger, "v2")
    with ledger.writing() as connection, schema.unguarded(connection):
        row = connection.execute(text("SELECT * FROM events WHERE number = 3")).one()
        before = connection.execute(text("SELECT digest FROM events WHERE number = 2")).scalar_one()
        fact = row.fact.replace('"points":5.0', '"points":9.0')
        forged = schema.event_digest(before, *(getattr(row, n) for n in schema.COLUMNS[:-1]), fact)
        connection.execute(schema.events.update().where(schema.events.c.number == 3).values(fact=fact, digest=forged))
    with pytest.raises(BookError, match="event 4 doesn't fit its checksum"):
        check(ledger)


def test_events_cut_off_at_the_end_are_missed_by_an_earlier_head(ledger: Ledger) -> None:
    """Events can't know their own end: whoever noted a head finds out."""
    push(ledger, "v1")
    push(ledger, "v2")
    noted = check(ledger).head
    with ledger.writing() as connection, schema.unguarded(connection):
        connection.execute(text("DELETE FROM contents WHERE number > 2"))
        connection.execute(text("DELETE FROM events WHERE number > 3"))
    assert check(ledger).events == 3
    with pytest.raises(BookError, match="its events never passed"):
        check(ledger, head=noted)


@pytest.mark.parametrize("seed", range(4))
def test_no_flipped_byte_goes_unnoticed_where_it_matters(tmp_path: Path, seed: int) -> None:
    """Places of the file at random: the check names it, or all that anybody reads of the book is as before."""
    path = tmp_path / "book.sqlite"
    ledger = open_ledger(str(path), create=True)
    names = [push(ledger, f"v{number}", float(number)) for number in range(4)]
    right, proof = histories(ledger, "runner"), check(ledger)
    content = bytearray(path.read_bytes())
    chance, told = random.Random(seed), 0
    for _ in range(40):
        place, flip = chance.randrange(100, len(content)), chance.randrange(1, 256)
        content[place] ^= flip
        path.write_bytes(content)
        content[place] ^= flip
        try:
            again = open_ledger(str(path))
            assert check(again) == proof
        except BookError:
            told += 1
        else:
            assert histories(again, "runner") == right, place
            assert all(kept_submission(again, name) for name in names), place
    assert told, "some flips hit what is read"


def test_two_parties_at_once_make_one_chain(ledger: Ledger) -> None:
    """Each has a lock of its own, and still one event follows the other."""
    keys = [Key(assignment="runner", party=f"s{number}") for number in range(3)]
    for key in keys * 2:
        with ledger.writing(key.party) as connection:
            fact = Voided(by="ta", why="x") if key == keys[0] else Posted()
            ledger.append(connection, Event(at=crowd.NOW, key=key, student=key.party, attempt="a", fact=fact))
    assert check(ledger).events == 6
    assert msgspec.json.encode(check(ledger))
