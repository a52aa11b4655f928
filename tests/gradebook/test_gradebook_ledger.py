"""The ledger: append-only, versioned, idempotent, plain about its troubles."""

from __future__ import annotations

import random
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import crowd
import msgspec
import pytest
from model_values import make_result
from sqlalchemy import event, text
from sqlalchemy.exc import DBAPIError

from grader.errors import GraderError, UsageError
from grader.gradebook import schema
from grader.gradebook.contents import kept_sheet, kept_submission
from grader.gradebook.db_errors import BookError, told_plainly
from grader.gradebook.event import Event, Extended, Key, Posted, Received, Refused, Regraded, Voided
from grader.gradebook.history import State, histories
from grader.gradebook.ledger import Ledger, microseconds, open_ledger
from grader.gradebook.reserve import Arrival, Outcome, read_history, receive, reserve
from grader.gradebook.settle import give_back, renewing, settle
from grader.model.regulations import Late, Regulations
from grader.model.run import File
from grader.model.submission import Submission
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

pytest_plugins = ["books"]

NOW = crowd.NOW


def push(ledger: Ledger, tag: str, *, points: float = 5.0, rules: Regulations = crowd.RULES) -> Outcome:
    reservation = reserve(ledger, crowd.arrival(tag), regulations=rules, now=NOW)
    if reservation.ticket is not None:
        settle(ledger, reservation.ticket, sheet=crowd.sheet(points), now=NOW)
    return reservation.outcome


def arrived(tag: str, **facts: Any) -> Arrival:
    """Give an arrival of which the server saw something special."""
    usual = crowd.arrival(tag)
    return msgspec.structs.replace(usual, received=msgspec.structs.replace(usual.received, **facts))


def attempts(ledger: Ledger, key: Key = crowd.KEY) -> list[tuple[str, State]]:
    with ledger.reading() as connection:
        return [(each.tag, each.state) for each in read_history(ledger, connection, key).attempts]


def test_events_survive_as_they_were_written(ledger: Ledger) -> None:
    """Every kind of fact comes back equal, in order, numbered by the ledger."""
    facts = (
        Refused(reason="window", text="wait\n\u2028 é"),
        Voided(by="ta", why="copied"),
        Regraded(points=1.5, max_points=2, by="ta", why="case mended"),
        Extended(due=NOW + timedelta(days=1, microseconds=1), attempts=2, by="ta", why="ill"),
        Posted(changes=1),
    )
    for fact in facts:
        with ledger.writing("s1") as connection:
            ledger.append(connection, Event(number=0, at=NOW, key=crowd.KEY, student="s1", attempt="a", fact=fact))
    with ledger.reading() as connection:
        found = ledger.events(connection, party="s1")
    assert tuple(each.fact for each in found) == facts
    assert [each.number for each in found] == sorted(each.number for each in found)
    assert [each.kind for each in found] == ["refused", "voided", "regraded", "extended", "posted"]


@pytest.mark.parametrize("statement", ["UPDATE events SET party = 'x'", "DELETE FROM events"])
def test_nobody_can_rewrite_the_ledger(ledger: Ledger, statement: str) -> None:
    """The database itself refuses to change or delete an event."""
    push(ledger, "v1")
    with pytest.raises(BookError, match="append-only"), ledger.writing() as connection:
        connection.execute(text(statement))
    assert attempts(ledger) == [("v1", State.SETTLED)]


def test_the_same_tag_again_costs_nothing(ledger: Ledger) -> None:
    """A tag that was graded shows its first result, however often it comes."""
    assert [push(ledger, "v1") for _ in range(3)] == [Outcome.GRADE, Outcome.KNOWN, Outcome.KNOWN]
    assert attempts(ledger) == [("v1", State.SETTLED)]


def test_a_moved_tag_is_told_and_refused(ledger: Ledger) -> None:
    """A graded tag that now points elsewhere is refused with both commits named, and costs nothing."""
    push(ledger, "v1")
    moved = arrived("v1", commit="d" * 40)
    reservation = reserve(ledger, moved, regulations=crowd.RULES, now=NOW)
    assert reservation.outcome is Outcome.REFUSED
    assert "came with commit cccccccccc and now points to dddddddddd" in reservation.text
    assert attempts(ledger) == [("v1", State.SETTLED), ("v1", State.REFUSED)]
    assert push(ledger, "v1") is Outcome.KNOWN


def test_a_refused_tag_may_come_again(ledger: Ledger) -> None:
    """A tag refused because the repository was public is graded once it is private."""
    rules = Regulations(private_repository=True)
    public, private = arrived("v1", private=False), arrived("v1", private=True)
    assert reserve(ledger, public, regulations=rules, now=NOW).outcome is Outcome.REFUSED
    assert reserve(ledger, private, regulations=rules, now=NOW).outcome is Outcome.GRADE


def test_our_fault_is_refunded_and_the_tag_starts_anew(ledger: Ledger) -> None:
    """One case with a judge error gives the attempt back; the same tag is graded again under its first time."""
    reservation = reserve(ledger, crowd.arrival("v1"), regulations=crowd.RULES, now=NOW)
    assert reservation.ticket is not None
    case = make_result("x", Verdict.JE, message="ours", outage=True)
    spoiled = msgspec.structs.replace(crowd.sheet(), cases=(case,))
    assert settle(ledger, reservation.ticket, sheet=spoiled, now=NOW).our_fault
    assert attempts(ledger) == [("v1", State.REFUNDED)]
    later = msgspec.structs.replace(crowd.arrival("v1"), at=NOW + timedelta(days=400))
    again = reserve(ledger, later, regulations=crowd.RULES, now=NOW + timedelta(days=400))
    assert (again.outcome, again.attempt.at) == (Outcome.GRADE, NOW)


def test_a_crash_of_the_grader_gives_the_attempt_back(ledger: Ledger) -> None:
    """An attempt ended by hand as our fault holds no lease and takes no quota."""
    reservation = reserve(ledger, crowd.arrival("v1"), regulations=crowd.RULES, now=NOW)
    assert reservation.ticket is not None
    give_back(ledger, reservation.ticket, problem="the disk is full", now=NOW)
    assert attempts(ledger) == [("v1", State.REFUNDED)]


def test_group_members_share_one_quota(ledger: Ledger) -> None:
    """Two students of one group push the same tag name from their own repositories: two attempts of one party."""
    rules = Regulations(attempts=2)
    key = Key(assignment="runner", party="group-1")
    outcomes = []
    for student, tag in [("ann", "v1"), ("bob", "v1"), ("ann", "v2")]:
        arrival = Arrival(key=key, student=student, at=NOW, received=Received(tag=tag, commit="c" * 40))
        outcomes.append(reserve(ledger, arrival, regulations=rules, now=NOW).outcome)
    assert outcomes == [Outcome.GRADE, Outcome.GRADE, Outcome.REFUSED]


def test_late_days_are_one_purse_for_the_whole_book(ledger: Ledger) -> None:
    """A late day spent in one assignment is missing in the next."""
    rules = Regulations(due=NOW - timedelta(hours=1), late=Late(days=1))
    first = msgspec.structs.replace(crowd.arrival("v1"), key=Key(assignment="lefthand", party="s1"))
    assert reserve(ledger, first, regulations=rules, now=NOW).outcome is Outcome.GRADE
    assert reserve(ledger, crowd.arrival("v1"), regulations=rules, now=NOW).outcome is Outcome.REFUSED


def test_sheet_and_submission_are_kept(ledger: Ledger) -> None:
    """What was handed in and how it was graded can be read back whole."""
    submission = Submission(id="s1", files=(File(path="maze.py", content=b"\xff\x00"),))
    reservation = reserve(ledger, crowd.arrival("v1"), regulations=crowd.RULES, now=NOW)
    assert reservation.ticket is not None
    settle(ledger, reservation.ticket, sheet=crowd.sheet(), now=NOW, submission=submission)
    assert kept_sheet(ledger, reservation.attempt.id) == crowd.sheet()
    assert kept_submission(ledger, reservation.attempt.id) == submission
    assert kept_sheet(ledger, "another") is None


def test_a_living_worker_keeps_its_lease(ledger: Ledger) -> None:
    """Renewals carry a lease beyond its first end."""
    reservation = reserve(ledger, crowd.arrival("v1"), regulations=crowd.RULES, now=NOW, lease_s=0.01)
    assert reservation.ticket is not None
    with renewing(ledger, reservation.ticket, lease_s=0.02):
        for _ in range(3000):
            with ledger.reading() as connection:
                until = connection.scalar(text("SELECT until_us FROM leases"))
            if until > microseconds(NOW + timedelta(seconds=1)):
                return
            time.sleep(0.01)
    raise AssertionError("the lease was never renewed")


@pytest.mark.parametrize("version", [4, 99])
def test_a_book_of_another_format_is_left_alone(ledger: Ledger, book: str, version: int) -> None:
    """An older or newer one is neither read nor brought up: one true sentence says so."""
    with ledger.writing() as connection:
        connection.execute(schema.versions.update().values(version=version))
    for create in (False, True):
        with pytest.raises(BookError, match=f"has format {version}, and this grader knows format {schema.VERSION}"):
            open_ledger(book, create=create)


def test_a_missing_book_is_never_made_in_passing(tmp_path: Path) -> None:
    """A book that is gone is an error with the command to make one, not a fresh quota for everybody."""
    with pytest.raises(BookError, match=r"There is no gradebook at .*\n.*grader book init"):
        open_ledger(str(tmp_path / "book.sqlite"))
    assert not list(tmp_path.iterdir())


def test_a_book_that_goes_away_is_noticed_at_once(tmp_path: Path) -> None:
    """A file removed under a running grader isn't silently replaced by an empty one."""
    open_ledger(str(tmp_path / "book.sqlite"), create=True)
    ledger = open_ledger(str(tmp_path / "book.sqlite"))
    for path in tmp_path.iterdir():
        path.unlink()
    with pytest.raises(BookError, match="is gone or can't be opened"):
        push(ledger, "v1")
    assert not (tmp_path / "book.sqlite").exists()


def test_a_locked_book_says_so(ledger: Ledger, book: str) -> None:
    """When another program holds the party's lock, the wait is bounded and the message names the cause."""
    impatient = open_ledger(book, wait_s=0.1)
    with ledger.writing("s1"), pytest.raises(BookError, match="is locked by another program"):
        push(impatient, "v1")
    assert push(impatient, "v1") is Outcome.GRADE
    assert attempts(ledger) == [("v1", State.SETTLED)]


def test_parties_do_not_wait_for_each_other_on_postgresql(ledger: Ledger, book: str) -> None:
    """One student's open transaction keeps no other student waiting; SQLite has one lock for all."""
    if ledger.engine.dialect.name == "sqlite":
        return
    impatient = open_ledger(book, wait_s=0.1)
    with ledger.writing("someone else"):
        assert push(impatient, "v1") is Outcome.GRADE


def test_a_full_book_says_so_and_keeps_the_attempt(tmp_path: Path) -> None:
    """When the disk is full at the end, the result is not half written; with room again the tag goes on."""
    path = tmp_path / "book.sqlite"
    ledger = open_ledger(str(path), create=True)
    reservation = reserve(ledger, crowd.arrival("v1"), regulations=crowd.RULES, now=NOW)
    assert reservation.ticket is not None
    full = Ledger(ledger.engine, ledger.name)

    def no_more_pages(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA max_page_count = 1")  # SQLite itself then answers SQLITE_FULL, as a full disk does

    event.listen(full.engine, "connect", no_more_pages)
    large = msgspec.structs.replace(crowd.sheet(), sources={"a": "".join(map(chr, range(60, 50_000)))})
    with pytest.raises(BookError, match="has no room left"):
        settle(full, reservation.ticket, sheet=large, now=NOW)
    event.remove(full.engine, "connect", no_more_pages)
    assert attempts(ledger) == [("v1", State.STARTED)]
    settle(ledger, reservation.ticket, sheet=large, now=NOW)
    assert attempts(ledger) == [("v1", State.SETTLED)]


def test_a_file_that_is_no_book_says_so(tmp_path: Path) -> None:
    """A text file given as the book is named as such."""
    path = tmp_path / "book.sqlite"
    path.write_text("not a database, but long enough to be read as one " * 20)
    with pytest.raises(BookError, match="is no SQLite file"):
        open_ledger(str(path))


def test_a_server_that_is_gone_says_so(tmp_path: Path) -> None:
    """No PostgreSQL at the address: one clear line, and the password isn't shown."""
    with pytest.raises(BookError, match="is gone: no connection to the server") as caught:
        open_ledger(f"postgresql+psycopg://grader:secret@/book?host={tmp_path}")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["mysql://x/y", "://", "postgresql+nothing://x/y"])
def test_a_url_of_nothing_known_is_a_usage_error(url: str) -> None:
    """Only SQLite files and PostgreSQL are books."""
    with pytest.raises(UsageError):
        open_ledger(url)


def test_every_complaint_is_for_people(ledger: Ledger) -> None:
    """Whatever the database says becomes a GraderError, never a bare database error."""
    with pytest.raises(GraderError) as caught, ledger.writing() as connection:
        connection.execute(text("SELECT * FROM nothing_here"))
    assert isinstance(caught.value.__cause__, DBAPIError)


def test_a_changed_event_is_told_and_never_taken_for_another(tmp_path: Path) -> None:
    """A bit that flips in an event, or an index that lost its way, is damage; no answer comes out of it."""
    path = tmp_path / "book.sqlite"
    ledger = open_ledger(str(path), create=True)
    push(ledger, "v1", points=5.0)
    with ledger.writing() as connection:
        connection.execute(text("DROP TRIGGER events_UPDATE"))
        connection.execute(text("UPDATE events SET fact = replace(fact, '5.0', '9.0') WHERE fact LIKE '%settled%'"))
    with pytest.raises(BookError, match=r"is damaged \(event 3 doesn't fit its checksum\)"):
        histories(ledger, "runner")


@pytest.mark.parametrize("seed", range(4))
def test_no_flipped_bit_gives_another_answer(tmp_path: Path, seed: int) -> None:
    """Places of the file at random: the same marks as before, or a message that the book can't be used."""
    path = tmp_path / "book.sqlite"
    ledger = open_ledger(str(path), create=True)
    for number in range(6):
        push(ledger, f"v{number}", points=float(number))
    right = histories(ledger, "runner")
    assert not path.with_name("book.sqlite-wal").exists()
    content = bytearray(path.read_bytes())
    chance, told = random.Random(seed), 0
    for _ in range(40):
        place, bit = chance.randrange(100, len(content)), 1 << chance.randrange(8)
        content[place] ^= bit
        path.write_bytes(content)
        content[place] ^= bit
        try:
            found = histories(open_ledger(str(path)), "runner")
        except BookError:
            told += 1
        else:
            assert found == right, place
    assert told, "some flips hit what is read"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ('FATAL:  database "book" does not exist', "createdb makes it"),
        ('FATAL:  role "grader" does not exist', "createuser makes it"),
        ('FATAL:  password authentication failed for user "grader"', "refuses this user's password"),
        ("connection refused", "no connection to the server"),
    ],
)
def test_what_a_server_says_before_a_connection_is_understood(words: str, message: str) -> None:
    """The database or role is missing, the password wrong, or nobody there: four things to do."""
    refused = DBAPIError("", None, Exception(f"connection failed: {words}"))
    with pytest.raises(BookError, match=message), told_plainly("book"):
        raise refused


@pytest.mark.parametrize("url", ["postgres://u:secretpw@h/db", "mysql://u:secretpw@h/db", "x://u:secretpw@h:no/db"])
def test_no_message_shows_a_password(url: str) -> None:
    """Neither of a URL that is understood nor of one that isn't."""
    with pytest.raises(GraderError) as caught:
        open_ledger(url)
    assert "secretpw" not in str(caught.value)


def test_a_book_is_staffs_alone(tmp_path: Path) -> None:
    """Marks and everybody's code: nobody else may read the file."""
    open_ledger(str(tmp_path / "book.sqlite"), create=True)
    assert (tmp_path / "book.sqlite").stat().st_mode & 0o077 == 0


def test_what_waits_is_decided_under_its_first_time(ledger: Ledger) -> None:
    """A push whose privacy nobody knows is kept; a moved tag isn't taken for it; known, it is decided on."""
    rules = Regulations(private_repository=True, due=NOW)
    assert reserve(ledger, crowd.arrival("v1"), regulations=rules, now=NOW).outcome is Outcome.OPEN
    assert attempts(ledger) == [("v1", State.RECEIVED)]
    later = NOW + timedelta(days=1)
    moved = msgspec.structs.replace(arrived("v1", commit="d" * 40, private=True), at=later)
    assert reserve(ledger, moved, regulations=rules, now=later).outcome is Outcome.REFUSED
    known = msgspec.structs.replace(arrived("v1", private=True), at=later)
    decided = reserve(ledger, known, regulations=rules, now=later)
    assert (decided.outcome, decided.attempt.at) == (Outcome.GRADE, NOW)


def test_what_waits_takes_no_quota(ledger: Ledger) -> None:
    """All tags of a push are noted before the first is graded; each is decided on in its turn."""
    rules = Regulations(attempts=1)
    receive(ledger, [crowd.arrival("v1"), crowd.arrival("v2")])
    receive(ledger, [crowd.arrival("v1")])
    assert [push(ledger, tag, rules=rules) for tag in ("v1", "v2")] == [Outcome.GRADE, Outcome.REFUSED]
    assert attempts(ledger) == [("v1", State.SETTLED), ("v2", State.REFUSED)]
