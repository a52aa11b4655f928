"""Copies and erasure: proved by standings and by bytes."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import crowd
import msgspec
import pytest
from sqlalchemy import text

from grader.errors import UsageError
from grader.gradebook import staff
from grader.gradebook.check import back_up, check
from grader.gradebook.contents import kept_sheet, kept_submission
from grader.gradebook.db_errors import BookError
from grader.gradebook.event import Adjusted, Event, Extended, Forgotten, Key, Received, Voided
from grader.gradebook.forgetting import Erased, Person, forget, reports_of
from grader.gradebook.history import assignments, histories, known_names
from grader.gradebook.ledger import open_ledger
from grader.gradebook.reserve import Arrival, reserve
from grader.gradebook.settle import settle
from grader.gradebook.standing import standing
from grader.model.run import File
from grader.model.submission import Submission

if TYPE_CHECKING:
    from pathlib import Path

    from grader.gradebook.ledger import Ledger

pytest_plugins = ["books"]

NOW = crowd.NOW
SECRET = b"CANARY-of-anneliese = 1\n"


def push(ledger: Ledger, party: str, student: str, points: float, *members: str, tag: str = "v1") -> str:
    received = Received(tag=tag, commit="c" * 40, members=members, origin=f"/git/{student}.git", reports="")
    arrival = Arrival(key=Key(assignment="runner", party=party), student=student, at=NOW, received=received)
    reservation = reserve(ledger, arrival, regulations=crowd.RULES, now=NOW)
    assert reservation.ticket is not None
    code = SECRET if student == "anneliese" else b"# of my own\n"
    sheet = msgspec.structs.replace(crowd.sheet(points), submission=student, sources={"m.py": code.decode()})
    submission = Submission(id=student, files=(File(path="m.py", content=code * 50),), origin=f"/git/{student}.git")
    settle(ledger, reservation.ticket, sheet=sheet, now=NOW, submission=submission)
    return reservation.attempt.id


def played(ledger: Ledger) -> Ledger:
    """Let one student work alone and in a group, and let the staff say something about her."""
    own = push(ledger, "anneliese", "anneliese", 5)
    push(ledger, "bob", "bob", 7)
    push(ledger, "red", "cat", 8, "anneliese", "cat", tag="v2")
    push(ledger, "red", "anneliese", 9, "anneliese", "cat", tag="v3")
    key = Key(assignment="runner", party="anneliese")
    staff.extend(ledger, key, Extended(attempts=1, by="ta", why="Anneliese Meyer was ill"), now=NOW)
    staff.adjust(ledger, key, own, [Adjusted(points=2, about="x", by="ta", why="well done, Anneliese")], now=NOW)
    attempt = histories(ledger, "runner")["bob"].attempts[0]
    fact = Voided(by="ta", why="copied from anneliese")
    staff.void(ledger, Key(assignment="runner", party="bob"), attempt, fact=fact, now=NOW)
    return ledger


def marks(ledger: Ledger) -> list[float]:
    return sorted(standing(crowd.RULES, each).points for each in histories(ledger, "runner").values())


def erase(ledger: Ledger, student: str, *names: str, also: tuple[str, ...] = ()) -> Erased:
    person = Person(student=student, names=names, also=also)
    return forget(ledger, person, fact=Forgotten(by="ta", why="asked for it"), now=NOW)


def test_a_backup_is_the_book_at_one_moment(tmp_path: Path) -> None:
    """Taken while the book is open; a book again, with the same standings and sheets, which goes on."""
    ledger = played(open_ledger(str(tmp_path / "book.sqlite"), create=True))
    with ledger.writing("anybody"):
        saved = back_up(ledger, tmp_path / "saved" / "monday.sqlite")
    assert saved == check(ledger)
    push(ledger, "dan", "dan", 1)
    again = open_ledger(str(tmp_path / "saved" / "monday.sqlite"))
    assert {**histories(again, "runner")} == {k: v for k, v in histories(ledger, "runner").items() if k != "dan"}
    assert [path.name for path in (tmp_path / "saved").iterdir()] == ["monday.sqlite"]
    assert (tmp_path / "saved" / "monday.sqlite").stat().st_mode & 0o077 == 0
    push(again, "eve", "eve", 3)
    assert check(again, head=saved.head).contents == saved.contents + 2
    with pytest.raises(UsageError, match="is there already"):
        back_up(ledger, tmp_path / "saved" / "monday.sqlite")


def test_a_damaged_book_has_no_backup(tmp_path: Path) -> None:
    """A byte that flipped is found before the copy has its name."""
    played(open_ledger(str(tmp_path / "book.sqlite"), create=True))
    content = bytearray((tmp_path / "book.sqlite").read_bytes())
    content[content.index(b"Meyer")] ^= 1
    (tmp_path / "book.sqlite").write_bytes(content)
    with pytest.raises(BookError, match="is damaged"):
        back_up(open_ledger(str(tmp_path / "book.sqlite")), tmp_path / "saved.sqlite")
    assert [path.name for path in tmp_path.iterdir()] == ["book.sqlite"]


def test_postgresql_has_tools_of_its_own(postgres_url: str, tmp_path: Path) -> None:
    ledger = open_ledger(postgres_url, create=True)
    with pytest.raises(UsageError, match="pg_dump"):
        back_up(ledger, tmp_path / "saved.sqlite")


def test_a_forgotten_student_is_in_no_byte(tmp_path: Path) -> None:
    """Names, code and printed words are gone from the file and its log; marks are not."""
    place = tmp_path / "book.sqlite"
    ledger = played(open_ledger(str(place), create=True))
    before = marks(ledger)
    done = erase(ledger, "anneliese", "Anneliese Meyer", also=("anneliese",))
    assert (done.contents, done.still_named) == (4, ())
    assert marks(ledger) == before
    assert check(ledger).contents == 4, "the others' are there"
    for path in tmp_path.iterdir():
        content = path.read_bytes().lower()
        assert b"anneliese" not in content, path
        assert b"meyer" not in content, path
        assert b"canary" not in content, path
    for party, history in histories(ledger, "runner").items():
        for each in history.attempts:
            is_own = each.student == done.pseudonym
            assert (kept_submission(ledger, each.id) is None) == is_own, party
            assert (kept_sheet(ledger, each.id) is None) == is_own, party
    assert done.pseudonym in known_names(ledger)
    assert assignments(ledger) == {"runner"}
    with pytest.raises(UsageError, match="is not in the book"):
        erase(ledger, "anneliese")


def test_a_name_in_staffs_words_about_others_is_told(ledger: Ledger) -> None:
    """A student may be called like any word, so it stays there unless staff ask; on both databases."""
    played(ledger)
    before = marks(ledger)
    assert any("about bob" in each for each in erase(ledger, "anneliese", "Anneliese Meyer").still_named)
    assert histories(ledger, "runner")["bob"].attempts[0].text == "copied from anneliese"
    assert erase(ledger, "cat").still_named == ()
    assert marks(ledger) == before
    check(ledger)
    assert not {"anneliese", "cat"} & known_names(ledger)
    with pytest.raises(BookError, match="append-only"), ledger.writing() as connection:
        connection.execute(text("DELETE FROM events"))


def test_what_comes_while_a_student_is_forgotten_fits(ledger: Ledger) -> None:
    """An attempt that is being entered is waited for; the book is whole afterwards, and has both."""
    played(ledger)
    key = Key(assignment="runner", party="zoe")
    with ledger.writing("zoe") as connection:
        said = Extended(attempts=1, by="ta", why="was ill")
        ledger.append(connection, Event(at=NOW, key=key, student="zoe", fact=said))
        forgetting = threading.Thread(target=erase, args=(ledger, "anneliese"))
        forgetting.start()
        forgetting.join(0.5)
    forgetting.join()
    check(ledger)
    assert {"anneliese", "zoe"} & known_names(ledger) == {"zoe"}


def test_a_student_called_like_a_word_takes_nothing_from_others(ledger: Ledger) -> None:
    """Neither a reason nor the folder of another's reports has another word since."""
    received = Received(tag="v1", commit="c" * 40, reports="/srv/key/reports/ann/v1")
    for name in ("key", "ann"):
        arrival = Arrival(key=Key(assignment="runner", party=name), student=name, at=NOW, received=received)
        reservation = reserve(ledger, arrival, regulations=crowd.RULES, now=NOW)
        assert reservation.ticket is not None
        settle(ledger, reservation.ticket, sheet=crowd.sheet(5), now=NOW)
    fact = Voided(by="ta", why="the key was wrong")
    own = histories(ledger, "runner")["ann"].attempts[0]
    staff.void(ledger, Key(assignment="runner", party="ann"), own, fact=fact, now=NOW)
    assert reports_of(ledger, "key") == ("/srv/key/reports/ann/v1",)
    erase(ledger, "key", "Key", "key@example.org")
    attempt = histories(ledger, "runner")["ann"].attempts[0]
    assert (attempt.text, attempt.received.reports) == ("the key was wrong", "/srv/key/reports/ann/v1")


def test_what_others_wrote_is_theirs_and_is_told(ledger: Ledger) -> None:
    """A name in another's files is named to the staff and left alone."""
    push(ledger, "anneliese", "anneliese", 5)
    key = Key(assignment="runner", party="dan")
    received = Received(tag="v9", commit="d" * 40)
    reservation = reserve(
        ledger, Arrival(key=key, student="dan", at=NOW, received=received), regulations=crowd.RULES, now=NOW
    )
    assert reservation.ticket is not None
    files = (File(path="m.py", content=b"# with anneliese\n"),)
    settle(ledger, reservation.ticket, sheet=crowd.sheet(), now=NOW, submission=Submission(id="dan", files=files))
    assert erase(ledger, "anneliese").still_named == ("the files of dan v9",)
