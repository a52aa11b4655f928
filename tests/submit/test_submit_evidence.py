"""The book's evidence by its commands alone: check, backup, forget."""

from __future__ import annotations

from typing import TYPE_CHECKING

import course
import gitrepo
from test_submit_book import book

from grader.cli.course import book as book_commands

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from course import Done

CODE = b"print('ok')  # by Zebedee Quartz, SOURCE-CANARY\n"


def plain(folder: Path, *words: str) -> Done:
    return course.grader(folder, "book", *words, "--book", "book.sqlite")


def played(folder: Path) -> Path:
    """Give a course in which zebedee and bob have an attempt each."""
    made = course.make(folder)
    for name, code in (("zebedee", CODE), ("bob", course.WRONG)):
        repository = gitrepo.new_repository(made / name)
        gitrepo.commit(repository, {"hello.py": code}, tag="v1")
        done = course.grader(made, "submit", "--tag", "v1", "--repo", name, *course.entering(made))
        assert done.returncode == 1, done.stderr
    return made


def test_a_term_is_checked_and_copied(tmp_path: Path) -> None:
    """The head of today is in the book of tomorrow; the copy is a book with the very marks."""
    made = played(tmp_path)
    told = plain(made, "check").stdout
    assert "6 events and 4 contents as they were written; head " in told
    head = told.split()[-1]
    assert plain(made, "backup", "saved.sqlite").stdout.endswith(f"head {head}\n")
    marks = book(made, "export").stdout
    assert book(made, "adjust", "bob", "--points", "1", "--why", "x").returncode == 0
    assert plain(made, "check", "--head", head).returncode == 0
    again = course.grader(made, "book", "export", "-a", "hello", "--cases", "cases", "--book", "saved.sqlite")
    assert again.stdout == marks
    assert plain(made, "check", "--head", "0" * 32).returncode == 70
    content = bytearray((made / "saved.sqlite").read_bytes())
    content[content.index(b'"points":1.0')] ^= 1
    (made / "saved.sqlite").write_bytes(content)
    broken = course.grader(made, "book", "check", "--book", "saved.sqlite")
    assert (broken.returncode, "is damaged" in broken.stderr) == (70, True)


def test_a_student_is_forgotten_in_every_byte(tmp_path: Path) -> None:
    """Book, log, cache and reports: neither id, name nor code; the sums and the others stay."""
    made = played(tmp_path)
    graded = course.grader(
        made, "grade", "zebedee", "-a", "hello", "--cases", "cases", "-o", "graded", "--format", "csv"
    )
    assert graded.returncode in {0, 1}, graded.stderr
    (made / "roster.csv").write_text("student,name\nzebedee,Zebedee Quartz\nbob,Bob\n")
    why = ["--why", "Zebedee asked", "--roster", "roster.csv", "--yes"]
    assert plain(made, "forget", "zebede", *why).returncode == 2
    done = plain(made, "forget", "zebedee", *why)
    assert (done.returncode, "3 events rewritten, 2 contents erased" in done.stdout) == (0, True)
    assert plain(made, "check").returncode == 0
    for place in (made / "book.sqlite", made / "book.sqlite-wal", made / "cache", made / "out"):
        for path in [place, *place.rglob("*")] if place.exists() else []:
            found = str(path.relative_to(made)).encode() + (path.read_bytes() if path.is_file() else b"")
            for secret in (b"zebedee", b"quartz", b"source-canary"):
                assert secret not in found.lower(), path
    (made / "roster.csv").write_text("student\nbob\n")
    exported = book(made, "export", "--roster", "roster.csv")
    assert (exported.returncode, "not in the export: forgotten-" in exported.stderr) == (1, True)
    assert "1 point: isn't in the class list" in exported.stderr


def test_forgetting_that_was_killed_can_be_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it had done by then: the book comes last, so the student is known until all else is gone."""
    made = played(tmp_path)
    order = ("forget", "zebedee", "--why", "asked", "--yes")

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(book_commands, "erase", killed)
        assert plain(made, *order).returncode != 0
    assert plain(made, *order).returncode == 0
    assert not (made / "out" / "hello" / "zebedee").exists()
