"""What a hook left undone is done as the hook would have done it, and nothing else is."""

from __future__ import annotations

import shutil
import sqlite3
from typing import TYPE_CHECKING

import course
import gitrepo
import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a course of two assignments, and Ann's bare repository with tags that no hook has seen."""
    folder = course.make(tmp_path)
    shutil.copytree(folder / "cases" / "hello", folder / "cases" / "second")
    gitrepo.new_repository(folder / "work")
    gitrepo.git(folder, "init", "-q", "--bare", "ann.git")
    for tag, text in (("hw1/v1", course.RIGHT), ("hw2/v1", course.WRONG), ("mine", b"")):
        gitrepo.commit(folder / "work", {"hello.py": text}, tag=tag)
    return folder


def bring(folder: Path) -> None:
    """Let the tags reach the repository while its hook is dead."""
    gitrepo.git(folder / "ann.git", "fetch", "-q", str(folder / "work"), "refs/tags/*:refs/tags/*")


def install(folder: Path, name: str, *more: str) -> None:
    options = [part if part != "hello" else name for part in course.entering(folder)]
    done = course.grader(folder, "hook", "install", "ann.git", *options, *more)
    assert done.returncode == 0, done.stderr


def received(folder: Path) -> list[tuple[str, str]]:
    book = sqlite3.connect(folder / "book.sqlite")
    query = (
        "SELECT assignment, json_extract(fact, '$.tag') FROM events WHERE fact LIKE '%\"received\"%' ORDER BY 1, 2"
    )
    found = book.execute(query).fetchall()
    book.close()
    return found


def test_each_tag_is_graded_as_its_hook_grades_it(folder: Path) -> None:
    """With nothing but the repository named, every tag is its own assignment's, and a free tag nobody's."""
    install(folder, "hello", "--tags", "hw1/*")
    install(folder, "second", "--tags", "hw2/*")
    bring(folder)
    done = course.grader(folder, "hook", "catch-up", "ann.git")
    assert done.returncode == 0, done.stderr
    assert received(folder) == [("hello", "hw1/v1"), ("second", "hw2/v1")]
    assert course.grader(folder, "hook", "catch-up", "ann.git").returncode == 0
    assert len(received(folder)) == 2


def test_nothing_typed_makes_a_tag_another_assignments(folder: Path) -> None:
    """Neither -a nor --tags widens what the hook grades; an assignment that it doesn't grade is refused."""
    install(folder, "hello", "--tags", "hw1/*")
    bring(folder)
    done = course.grader(folder, "hook", "catch-up", "ann.git", *course.entering(folder), "--tags", "*")
    assert (done.returncode, received(folder)) == (0, [("hello", "hw1/v1")])
    other = course.grader(folder, "hook", "catch-up", "ann.git", "-a", "second", "--tags", "*")
    assert (other.returncode, "grades the tags hw1/* as hello, and none as second" in other.stderr) == (1, True)
    assert received(folder) == [("hello", "hw1/v1")]


def test_a_replaced_hook_leaves_the_tags_of_the_former(folder: Path) -> None:
    """Tags that are another assignment's in the book stay that, though the new hook takes every tag."""
    install(folder, "hello")
    bring(folder)
    course.grader(folder, "hook", "catch-up", "ann.git")
    install(folder, "second", "--replace")
    gitrepo.commit(folder / "work", {"hello.py": course.RIGHT}, tag="new")
    bring(folder)
    done = course.grader(folder, "hook", "catch-up", "ann.git")
    assert done.returncode == 0, done.stderr
    assert [tag for name, tag in received(folder) if name == "second"] == ["new"]


def test_a_hook_that_cannot_start_logs_beside_the_reports(folder: Path) -> None:
    """Nothing of ours is left in the student's repository, whatever is wrong with the hook's line or the course."""
    out = str(folder / "reports")
    for options, place in ((["--gone", "--out", out], "reports/hook.log"), (["--gone"], "grader-out/hook.log")):
        done = course.grader(folder, "hook", "receive", *options)
        assert (done.returncode, "Your tag is kept" in done.stdout) == (70, True)
        assert "No such option" in (folder / place).read_text()
    (folder / "course.yaml").write_text("nonsense")
    done = course.grader(folder / "work", "hook", "receive", GRADER_COURSE=str(folder / "course.yaml"))
    assert (done.returncode, (folder / "hook.log").is_file()) == (70, True)
    assert not (folder / "work" / "hook.log").exists()


def test_mirrors_go_by_the_course(folder: Path) -> None:
    """Without a hook the course says whose a tag is; where it doesn't, nothing is graded."""
    text = "format: 1\ntitle: C\nbook: book.sqlite\nassignments:\n  hello: {TAGS1}\n  second: {TAGS2}\n"
    (folder / "course.yaml").write_text(text.replace("TAGS1", "").replace("TAGS2", ""))
    bring(folder)
    done = course.grader(folder, "hook", "catch-up", "ann.git", "-a", "hello")
    assert (done.returncode, "which tags are hello's is said neither" in done.stderr) == (1, True)
    assert received(folder) == []
    (folder / "course.yaml").write_text(text.replace("TAGS1", "tags: hw1/*").replace("TAGS2", "tags: hw2/*"))
    done = course.grader(folder, "hook", "catch-up", "ann.git", "-a", "second")
    assert (done.returncode, received(folder)) == (0, [("second", "hw2/v1")]), done.stderr
    assert course.grader(folder, "hook", "catch-up", "ann.git").returncode == 0
    assert received(folder) == [("hello", "hw1/v1"), ("second", "hw2/v1")]
    assert course.grader(folder, "hook", "install", "ann.git", "-a", "hello").stdout.count("hw1/*") == 1
