"""Copies, erasure and signatures: proved by standings, by bytes, and without the book."""

from __future__ import annotations

from typing import TYPE_CHECKING

import crowd
import msgspec
import pytest
from sqlalchemy import text

from grader.errors import GraderError, UsageError
from grader.gradebook import signing, staff
from grader.gradebook.check import check
from grader.gradebook.contents import kept_sheet, kept_submission
from grader.gradebook.copying import back_up, restore
from grader.gradebook.db_errors import BookError
from grader.gradebook.event import Adjusted, Extended, Forgotten, Key, Received, Voided
from grader.gradebook.forgetting import forget
from grader.gradebook.ledger import open_ledger
from grader.gradebook.queries import histories, known_names
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


def test_a_backup_is_the_book_at_one_moment(ledger: Ledger, tmp_path: Path) -> None:
    """Taken while the book is open; restored, it has the same standings, sheets and chain, and goes on."""
    played(ledger)
    saved = back_up(ledger, tmp_path / "saved" / "monday.sqlite")
    assert saved == check(ledger)
    push(ledger, "dan", "dan", 1)
    assert restore(tmp_path / "saved" / "monday.sqlite", str(tmp_path / "again.sqlite")) == saved
    again = open_ledger(str(tmp_path / "again.sqlite"))
    assert {**histories(again, "runner")} == {k: v for k, v in histories(ledger, "runner").items() if k != "dan"}
    push(again, "eve", "eve", 3)
    assert check(again, head=saved.head).contents == saved.contents + 2
    assert [path.name for path in (tmp_path / "saved").iterdir()] == ["monday.sqlite"]


def test_a_backup_becomes_a_book_of_either_kind(ledger: Ledger, book: str, tmp_path: Path) -> None:
    """Into an empty one only: nothing that is there is replaced, and contents are numbered on."""
    played(open_ledger(str(tmp_path / "first.sqlite"), create=True))
    first = open_ledger(str(tmp_path / "first.sqlite"))
    back_up(first, tmp_path / "saved.sqlite")
    assert restore(tmp_path / "saved.sqlite", book) == check(first)
    assert marks(ledger) == marks(first)
    push(ledger, "eve", "eve", 3)
    check(ledger)
    with pytest.raises(UsageError, match="is not empty"):
        restore(tmp_path / "saved.sqlite", book)
    with pytest.raises(UsageError, match="is there already"):
        back_up(ledger, tmp_path / "saved.sqlite")


def test_a_damaged_backup_is_told_and_makes_nothing(tmp_path: Path) -> None:
    """A byte that flipped in it is found before a book is made of it."""
    played(open_ledger(str(tmp_path / "book.sqlite"), create=True))
    back_up(open_ledger(str(tmp_path / "book.sqlite")), tmp_path / "saved.sqlite")
    content = bytearray((tmp_path / "saved.sqlite").read_bytes())
    content[content.index(b"Meyer")] ^= 1
    (tmp_path / "saved.sqlite").write_bytes(content)
    with pytest.raises(BookError, match="is damaged"):
        restore(tmp_path / "saved.sqlite", str(tmp_path / "new.sqlite"))
    assert not (tmp_path / "new.sqlite").exists()


def test_a_forgotten_student_is_in_no_byte(tmp_path: Path) -> None:
    """Name, other names, code and printed words are gone from the file and its log; marks and the chain are not."""
    place = tmp_path / "book.sqlite"
    ledger = played(open_ledger(str(place), create=True))
    before, head = marks(ledger), check(ledger).head
    fact = Forgotten(by="ta", why="asked for it")
    done = forget(ledger, "anneliese", names=["Anneliese Meyer"], fact=fact, now=NOW)
    assert (done.contents, done.still_named) == (4, ())
    assert marks(ledger) == before
    assert check(ledger, head=head).contents == 4, "the others' are there"
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
    with pytest.raises(UsageError, match="is not in the book"):
        forget(ledger, "anneliese", names=[], fact=fact, now=NOW)


def test_forgetting_is_as_tamper_evident_as_the_rest(ledger: Ledger) -> None:
    """On both databases; a second student can be forgotten; what was rewritten can't be rewritten again unseen."""
    played(ledger)
    before = marks(ledger)
    for name in ("anneliese", "cat"):
        forget(ledger, name, names=[], fact=Forgotten(by="ta", why="x"), now=NOW)
        assert marks(ledger) == before
        check(ledger)
    assert not {"anneliese", "cat"} & known_names(ledger)
    with pytest.raises(BookError, match="append-only"), ledger.writing() as connection:
        connection.execute(text("DELETE FROM events"))


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
    done = forget(ledger, "anneliese", names=[], fact=Forgotten(by="ta", why="x"), now=NOW)
    assert done.still_named == ("dan v9",)


def test_a_signature_proves_whose_report_it_is(tmp_path: Path) -> None:
    """Every file of the folder, by the public key alone; one changed letter, file or key is told."""
    key, other = tmp_path / "course.key", tmp_path / "other.key"
    public = signing.make_key(key)
    assert key.stat().st_mode & 0o077 == 0
    folder = tmp_path / "v1"
    folder.mkdir()
    (folder / "results.json").write_text('{"points": 3}')
    (folder / "report.md").write_text("3 points")
    said = signing.Statement(assignment="runner", student="ann", tag="v1", received=NOW, signed=NOW, files={})
    signing.sign(folder, said, key)
    statement, names = signing.verify(folder, public)
    assert (statement.student, names) == ("ann", ("report.md", "results.json"))
    assert signing.verify(folder / "report.md", public)[1] == ("report.md",)
    with pytest.raises(GraderError, match="not signed with this key"):
        signing.verify(folder, signing.make_key(other))
    with pytest.raises(GraderError, match="can't be read"):
        signing.verify(folder, "ed25519:nonsense")
    (folder / "results.json").write_text('{"points": 4}')
    with pytest.raises(GraderError, match="was changed"):
        signing.verify(folder, public)
    (folder / "more.txt").write_text("x")
    with pytest.raises(GraderError, match="not among the files"):
        signing.verify(folder / "more.txt", public)
    forged = (folder / "signature.json").read_text().replace("ann", "bob")
    (folder / "signature.json").write_text(forged)
    with pytest.raises(GraderError, match="not signed with this key"):
        signing.verify(folder / "report.md", public)
    with pytest.raises(UsageError, match="is there already"):
        signing.make_key(key)
