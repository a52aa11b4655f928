"""Whatever kills a command between the book and the report files: the student hears of it all the same."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import course
import gitrepo
import pytest
from test_submit_book import book
from test_submit_push import bare, install, pushed

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a course in which attempts cost something for being late, and Ann's repository with a wrong one."""
    folder = course.make(tmp_path, "{due: 2026-01-01T00:00:00Z, late: {percent: 50}}")
    course.student(folder, "ann", course.WRONG)
    return folder


def submit(folder: Path) -> course.Done:
    options = ("--tag", "v1", "--repo", "ann", "--received", "2026-01-01T12:00:00Z")
    return course.grader(folder, "submit", *options, *course.entering(folder))


def killed(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def report(folder: Path) -> str:
    return (folder / "out" / "hello" / "ann" / "v1" / "report.md").read_text()


def test_catch_up_writes_the_report_of_a_killed_hook(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed once the attempt was settled, before or among its files: the next catch-up writes them, once."""
    with monkeypatch.context() as dying:
        dying.setattr("grader.submit.attempt.publish", killed)
        assert submit(folder).returncode == 130
    assert not (folder / "out").exists()
    assert course.grader(folder, "hook", "catch-up", "ann", *course.entering(folder)).returncode == 0
    assert "1 / 4 points" in report(folder)
    (folder / "out" / "hello" / "ann" / "v1" / "results.json").unlink()
    course.grader(folder, "hook", "catch-up", "ann", *course.entering(folder))
    assert (folder / "out" / "hello" / "ann" / "v1" / "results.json").exists()
    with monkeypatch.context() as again:
        again.setattr("grader.submit.publish.publish_change", killed)
        assert course.grader(folder, "hook", "catch-up", "ann", *course.entering(folder)).returncode == 0


def test_the_next_push_writes_what_is_missing(tmp_path: Path) -> None:
    """Another tag of the same student brings the report that a killed hook didn't write."""
    folder = course.make(tmp_path)
    clone = bare(folder, "ann", content=course.WRONG)
    install(folder, "ann")
    gitrepo.git(clone, "tag", "v1")
    pushed(clone, "v1")
    shutil.rmtree(folder / "out" / "hello" / "ann" / "v1")
    gitrepo.git(clone, "tag", "v2")
    pushed(clone, "v2")
    assert "1 / 4 points" in report(folder)


CHANGES = [
    ("adjust", "ann", "v1", "--points", "1", "--why", "SAID"),
    ("void", "ann", "v1", "--why", "SAID"),
    ("extend", "ann", "--days", "1", "--why", "SAID"),
    ("regrade", "--apply", "--why", "SAID"),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change[0])
@pytest.mark.parametrize("way", ["same", "catch-up"])
def test_a_killed_change_is_told_by_the_next_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, change: tuple[str, ...], way: str
) -> None:
    """Killed once the book has it: the same command again tells it, and so does a catch-up."""
    submit(folder)
    cases = folder / "cases" / "hello" / "cases.yaml"
    cases.write_text(cases.read_text().replace('"CANARY\\n"', '"ok\\n"'))
    with monkeypatch.context() as dying:
        dying.setattr("grader.submit.publish._make", killed)
        assert book(folder, *change).returncode == 130
    assert "SAID" not in report(folder)
    if way == "same":
        done = book(folder, *change)
    else:
        done = course.grader(folder, "hook", "catch-up", "ann", *course.entering(folder))
    assert done.returncode == 0, done.stderr
    assert "SAID" in report(folder)
