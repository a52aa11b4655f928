"""The book's evidence by its commands alone: check, backup, restore, key, verify, forget."""

from __future__ import annotations

from typing import TYPE_CHECKING

import course
import gitrepo
from test_submit_book import book

if TYPE_CHECKING:
    from pathlib import Path

    from course import Done

CODE = b"print('ok')  # by Zebedee Quartz, SOURCE-CANARY\n"


def plain(folder: Path, *words: str) -> Done:
    return course.grader(folder, "book", *words, "--book", "book.sqlite")


def played(folder: Path) -> Path:
    """Give a course in which zebedee and bob have an attempt each, signed."""
    made = course.make(folder)
    assert plain(made, "key").stdout.startswith("ed25519:")
    for name, code in (("zebedee", CODE), ("bob", course.WRONG)):
        repository = gitrepo.new_repository(made / name)
        gitrepo.commit(repository, {"hello.py": code}, tag="v1")
        done = course.grader(made, "submit", "--tag", "v1", "--repo", name, *course.entering(made))
        assert done.returncode == 1, done.stderr
    return made


def test_a_term_is_checked_copied_and_restored(tmp_path: Path) -> None:
    """The head of today is in the chain of tomorrow; the copy has the very marks."""
    made = played(tmp_path)
    told = plain(made, "check").stdout
    assert "6 events and 4 contents as they were written; head " in told
    head = told.split()[-1]
    assert plain(made, "backup", "saved.sqlite").stdout.endswith(f"head {head}\n")
    marks = book(made, "export").stdout
    assert book(made, "adjust", "bob", "--points", "1", "--why", "x").returncode == 0
    assert plain(made, "check", "--head", head).returncode == 0
    restored = course.grader(made, "book", "restore", "saved.sqlite", "--book", "new.sqlite")
    assert restored.stdout.endswith(f"head {head}\n")
    again = course.grader(made, "book", "export", "-a", "hello", "--cases", "cases", "--book", "new.sqlite")
    assert again.stdout == marks
    assert plain(made, "check", "--head", "0" * 32).returncode == 70
    content = bytearray((made / "new.sqlite").read_bytes())
    content[content.index(b'"points":1.0')] ^= 1
    (made / "new.sqlite").write_bytes(content)
    broken = course.grader(made, "book", "check", "--book", "new.sqlite")
    assert (broken.returncode, "is damaged" in broken.stderr) == (70, True)


def test_whoever_has_the_public_key_can_check_a_report(tmp_path: Path) -> None:
    """Offline and without the book; the private key is in no report; a change of the mark is signed again."""
    made = played(tmp_path)
    public = plain(made, "key").stdout.strip()
    report = made / "out" / "hello" / "bob" / "v1"
    book(made, "adjust", "bob", "--points", "1", "--why", "well done")
    (made / "elsewhere").mkdir()
    report.rename(made / "elsewhere" / "v1")
    right = course.grader(made / "elsewhere", "verify", "v1", "--key", public)
    assert (right.returncode, right.stdout.startswith("bob, hello, tag v1, received ")) == (0, True)
    private = (made / "book.sqlite.key").read_text().splitlines()[1]
    assert all(private not in path.read_text() for path in (made / "elsewhere" / "v1").iterdir())
    page = made / "elsewhere" / "v1" / "report.md"
    page.write_text(page.read_text().replace("1 / 4", "4 / 4"))
    wrong = course.grader(made, "verify", "elsewhere/v1/report.md", "--key", public)
    assert (wrong.returncode, "it is not the file that was signed" in wrong.stderr) == (70, True)
    unnamed = course.grader(made, "verify", "elsewhere/v1")
    assert (unnamed.returncode, "public key" in unnamed.stderr) == (2, True)


def test_a_student_is_forgotten_in_every_byte(tmp_path: Path) -> None:
    """Book, log, cache and reports: neither id, name nor code; the sums, the others and the chain stay."""
    made = played(tmp_path)
    graded = course.grader(
        made, "grade", "zebedee", "-a", "hello", "--cases", "cases", "-o", "graded", "--format", "csv"
    )
    assert graded.returncode in {0, 1}, graded.stderr
    (made / "roster.csv").write_text("student,name\nzebedee,Zebedee Quartz\nbob,Bob\n")
    head = plain(made, "check").stdout.split()[-1]
    why = ["--why", "Zebedee asked", "--roster", "roster.csv", "--yes"]
    assert plain(made, "forget", "zebede", *why).returncode == 2
    done = plain(made, "forget", "zebedee", *why)
    assert (done.returncode, "3 events rewritten, 2 contents erased" in done.stdout) == (0, True)
    assert plain(made, "check", "--head", head).returncode == 0
    for place in (made / "book.sqlite", made / "book.sqlite-wal", made / "cache", made / "out"):
        for path in [place, *place.rglob("*")] if place.exists() else []:
            found = str(path.relative_to(made)).encode() + (path.read_bytes() if path.is_file() else b"")
            for secret in (b"zebedee", b"quartz", b"source-canary"):
                assert secret not in found.lower(), path
    (made / "roster.csv").write_text("student\nbob\n")
    exported = book(made, "export", "--roster", "roster.csv")
    assert (exported.returncode, "not in the export: forgotten-" in exported.stderr) == (1, True)
    assert "1 point: isn't in the class list" in exported.stderr
