"""Kind regulations: what uses no attempt, what a push would cost, and what is spent only when asked."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import course
import gitrepo
from test_submit_book import book, kinds
from test_submit_push import bare, install, pushed, states

from grader.gradebook.roster import read_roster

if TYPE_CHECKING:
    from pathlib import Path


def test_equal_files_use_no_attempt(tmp_path: Path) -> None:
    """Another tag of the same files shows the first result; told again, it writes nothing."""
    folder = course.make(tmp_path, "{attempts: 2}")
    repository = course.student(folder, content=course.WRONG)
    course.submit(folder, "v1")
    gitrepo.commit(repository, {}, tag="v2")
    for _ in range(2):
        done = course.submit(folder, "v2")
        assert "It uses no attempt: its files are those of 'v1', whose result stands." in done.stdout
        assert "What counts by now: 1 of 4 points" in done.stdout
        assert done.returncode == 1
    assert kinds(folder) == ["received", "started", "settled", "received", "refused"]
    gitrepo.commit(repository, {"hello.py": course.RIGHT}, tag="v3")
    assert "This is attempt 2 of 2" in course.submit(folder, "v3").stdout


def test_whoever_goes_back_where_the_last_counts_is_graded(tmp_path: Path) -> None:
    """Earlier files handed in again are a choice there; those of the last attempt are not."""
    folder = course.make(tmp_path, "{attempts: 9, counts: last}")
    repository = course.student(folder, content=course.RIGHT)
    course.submit(folder, "v1")
    gitrepo.commit(repository, {"hello.py": course.WRONG}, tag="v2")
    course.submit(folder, "v2")
    gitrepo.commit(repository, {"hello.py": course.RIGHT}, tag="v3")
    assert "This is attempt 3 of 9" in course.submit(folder, "v3").stdout
    gitrepo.git(repository, "tag", "v4")
    assert "It uses no attempt" in course.submit(folder, "v4").stdout


def test_what_staff_struck_out_is_no_result_for_others(tmp_path: Path) -> None:
    """The same files after a void are graded again."""
    folder = course.make(tmp_path)
    repository = course.student(folder)
    course.submit(folder, "v1")
    book(folder, "void", "student", "v1", "--why", "x")
    gitrepo.git(repository, "tag", "v2")
    assert "1 of 1 visible cases judged" in course.submit(folder, "v2").stdout


def test_a_pusher_may_ask_first(tmp_path: Path) -> None:
    """`git push -o ask` tells limits, cost and what counts; neither repository nor ledger know of it."""
    folder = course.make(tmp_path, "{attempts: 3, due: 2020-01-01T00:00:00Z, late: {percent: 10, cap_percent: 50}}")
    clone = bare(folder, "ann", content=course.WRONG)
    install(folder, "ann")
    gitrepo.git(clone, "tag", "v1")
    told = pushed(clone, "-o", "ask", "v1")
    assert "it would be attempt 1 of 3. It is late: 50% is taken off its points. 2 attempts left." in told
    assert "Attempts used: 0. The limit is 3." in told
    assert "Nothing counts yet." in told
    assert "the same command without -o ask hands it in" in told
    assert states(folder) == {}
    assert gitrepo.git(folder / "ann.git", "tag") == ""
    assert "This is attempt 1 of 3" in pushed(clone, "v1")
    assert "What counts by now: 0.5 of 4 points (v1)." in pushed(clone, "-o", "ask", "main")
    asked = course.grader(folder, "standing", "ann", "-a", "hello", "--book", "book.sqlite", "--cases", "cases")
    assert (asked.returncode, "What counts by now: 0.5 of 4 points (v1)." in asked.stdout) == (0, True)


def test_one_repository_serves_several_assignments(tmp_path: Path) -> None:
    """Each has tags of its own, pushed in one go; other tags are free; the first is never replaced unasked."""
    folder = course.make(tmp_path)
    shutil.copytree(folder / "cases" / "hello", folder / "cases" / "second")
    clone = bare(folder, "ann", content=course.WRONG)
    other = [part if part != "hello" else "second" for part in course.entering(folder)]
    assert install(folder, "ann", more=("--tags", "hw1/*")).returncode == 0
    for tags in ("*", "hw1/*", "hw*"):
        assert course.grader(folder, "hook", "install", "ann.git", *other, "--tags", tags).returncode == 2
    assert course.grader(folder, "hook", "install", "ann.git", *other, "--tags", "hw2/*").returncode == 0
    for tag in ("hw1/a", "hw2/a", "mine"):
        gitrepo.git(clone, "tag", tag)
    told = pushed(clone, "hw1/a", "hw2/a", "mine")
    assert told.count("1 of 1 visible cases judged") == 2
    assert states(folder) == {"received": 2, "started": 2, "settled": 2}
    assert "1 of 4 points" in pushed(clone, "-o", "ask", "mine:refs/tags/hw2/b")
    assert install(folder, "ann", more=("--tags", "hw1/*")).returncode == 0, "the same again is no conflict"
    caught = course.grader(folder, "hook", "catch-up", "ann.git", *course.entering(folder), "--tags", "hw1/*")
    assert caught.returncode == 0
    assert states(folder) == {"received": 2, "started": 2, "settled": 2}


def test_groups_are_of_one_assignment(tmp_path: Path) -> None:
    """A column of its own says who works with whom; an empty cell works alone."""
    path = tmp_path / "roster.csv"
    path.write_text("student,group,group:runner\nann,red,blue\nbob,red,\ncat,,blue\n")
    roster = read_roster(path)
    assert [roster.of("lefthand").party(name) for name in ("ann", "bob", "cat")] == ["red", "red", "cat"]
    assert [roster.of("runner").party(name) for name in ("ann", "bob", "cat")] == ["blue", "bob", "blue"]
    assert roster.of("runner").members("blue") == ("ann", "cat")


def test_what_is_promised_to_a_new_group_is_what_its_push_meets(tmp_path: Path) -> None:
    """Free late days that one of them used alone are gone for a group of which nothing came yet."""
    due = (datetime.now(UTC) - timedelta(hours=47)).isoformat()
    folder = course.make(tmp_path, f"{{due: {due}, late: {{days: 3}}}}")
    shutil.copytree(folder / "cases" / "hello", folder / "cases" / "second")
    (folder / "roster.csv").write_text("student,group,group:second\nann,,g\nbob,,g\n")
    for name in ("ann", "bob"):
        course.student(folder, name)
    options = [*course.entering(folder), "--roster", str(folder / "roster.csv"), "--tag", "v1", "--repo"]
    assert "It uses 2 late days." in course.grader(folder, "submit", *options, "ann").stdout
    places = ("-a", "second", "--book", "book.sqlite", "--cases", "cases", "--roster", "roster.csv")
    asked = course.grader(folder, "standing", "bob", *places).stdout
    pushed_now = course.grader(folder, "submit", *options, "bob", "-a", "second")
    assert pushed_now.returncode == 4
    assert ": no: the last moment was" in asked
    assert " 1 free late day left, of 3 for all assignments." in asked


def test_the_rules_are_told_without_a_name(tmp_path: Path) -> None:
    """`grader standing` alone says what holds for everybody."""
    folder = course.make(tmp_path, "{attempts: 2, counts: last}")
    told = course.grader(folder, "standing", "-a", "hello", "--book", "book.sqlite", "--cases", "cases").stdout
    assert told.splitlines()[:2] == ["- You have 2 attempts", "- Your last attempt counts"]
