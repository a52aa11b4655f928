"""The course folder: what its file says holds for every command below it."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import course as pushes
import gitrepo
import msgspec
import pytest
from courses import DUE, grader, make

from grader.course.folder import CourseAssignment, CourseFile, read_course
from grader.errors import CatalogueError
from grader.gradebook.roster import read_roster
from grader.model.regulations import Regulations

if TYPE_CHECKING:
    from pathlib import Path

CANVAS = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Hello (5150),Final Score\r\n"
    ",,,,,Manual Posting,\r\n"
    '"    Points Possible",,,,,4,(read only)\r\n'
    '"Doe, Ann",101,u1,ann@uni.example,S1,,\r\n'
    '"Roe, Bob",102,u2,bob@uni.example,S1,3,75\r\n'
    '"Student, Test",999,,,S1,,\r\n'
)
MOODLE = (
    'Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",'
    '"Last modified (submission)","Last modified (grade)","Feedback comments"\n'
    'Participant 7,"Ann Doe",ann@uni.example,Submitted,,4.00,Yes,"Tuesday, 10 March 2026, 11:59 PM",-,\n'
)


def test_what_the_course_says_is_typed_nowhere(tmp_path: Path) -> None:
    """Book, class list, assignment and dates come from course.yaml, also in a folder below it."""
    make(tmp_path)
    pushes.student(tmp_path, "ann")
    done = grader(tmp_path, "submit", "--tag", "v1", "--repo", "ann", "--received", "2026-03-10T23:59:00+08:00")
    assert done.returncode == 0, done.stderr
    (tmp_path / "below").mkdir()
    done = grader(tmp_path / "below", "book", "export")
    assert (tmp_path / "reports" / "hello" / "ann" / "v1" / "report.html").exists()
    assert 'ann,,"Doe, Ann",4,4,v1' in done.stdout


def test_the_command_line_wins_over_the_course(tmp_path: Path) -> None:
    """An option that is given is taken, whatever course.yaml says."""
    make(tmp_path)
    done = grader(tmp_path, "book", "history", "--book", "elsewhere.sqlite")
    assert "There is no gradebook at elsewhere.sqlite" in done.stderr


def test_the_courses_regulations_hold(tmp_path: Path) -> None:
    """Keys that the course writes replace the assignment's; the others stay."""
    assignment = read_course(make(tmp_path)).load("hello")
    assert assignment.regulations.attempts == 3
    assert assignment.regulations.due is not None
    assert assignment.regulations.due.isoformat() == DUE


def test_null_takes_a_limit_away(tmp_path: Path) -> None:
    assert read_course(make(tmp_path, "{attempts: null}")).load("hello").regulations == Regulations()


def test_regulations_that_make_no_sense_together_have_their_place(tmp_path: Path) -> None:
    """What only the assignment and the course together get wrong is told where the course says it."""
    make(tmp_path, "{attempts: null, extra_percent: 10}")
    done = grader(tmp_path, "course", "show")
    assert done.returncode == 3
    assert "course.yaml:7:50: regulations: extra_percent needs attempts" in done.stderr


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("titel: x", "course.yaml:8:1: unknown key titel\n  did you mean title?"),
        ("book: [1]", "course.yaml:8:7: book must be text"),
        ("host: gitlub", "did you mean gitlab?"),
        ("catalogue: nowhere", "there is no catalogue"),
    ],
)
def test_faults_have_their_place(tmp_path: Path, wrong: str, told: str) -> None:
    """A slip is told with file, line and column, and the nearest word."""
    make(tmp_path)
    with (tmp_path / "course.yaml").open("a") as file:
        file.write(f"{wrong}\n")
    done = grader(tmp_path, "book", "history")
    assert done.returncode == 3
    assert told in done.stderr


def test_unknown_zones_lists_and_assignments_are_refused(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "roster.csv").unlink()
    text = (tmp_path / "course.yaml").read_text().replace("Asia/Taipei", "Mars/Base").replace("hello:", "helo:")
    (tmp_path / "course.yaml").write_text(text)
    with pytest.raises(CatalogueError) as caught:
        read_course(tmp_path)
    assert [fault.line for fault in caught.value.faults] == [3, 4, 7]
    assert "did you mean hello?" in str(caught.value)


def test_a_course_is_made_from_both_platforms_lists(tmp_path: Path) -> None:
    """A Canvas gradebook names the students, a Moodle worksheet adds its numbers; it works at once."""
    (tmp_path / "canvas.csv").write_bytes(CANVAS.encode())
    (tmp_path / "moodle.csv").write_text(MOODLE)
    done = grader(tmp_path, "course", "init", "canvas.csv", "moodle.csv", "-a", "lefthand")
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "roster.csv").read_text().splitlines()
    assert lines[1] == 'ann,,"Doe, Ann",ann@uni.example,101,u1,ann@uni.example,S1,7'
    assert lines[2].startswith("bob,")
    assert len(lines) == 3
    assert "lefthand" in grader(tmp_path, "course", "show").stdout
    assert grader(tmp_path, "book", "history").returncode == 0


def test_groups_come_from_a_list_of_their_own(tmp_path: Path) -> None:
    """A plain list adds groups for the course, and those of one assignment."""
    (tmp_path / "canvas.csv").write_bytes(CANVAS.encode())
    (tmp_path / "teams.csv").write_text("student,group,group:runner\nbob,red,blue\nann,red,\n")
    done = grader(tmp_path, "course", "init", "canvas.csv", "teams.csv")
    assert done.returncode == 0, done.stderr
    roster = read_roster(tmp_path / "roster.csv")
    assert (roster.party("bob"), roster.of("runner").party("bob"), roster.of("runner").party("ann")) == (
        "red",
        "blue",
        "ann",
    )


def test_whoever_fits_nobody_is_named(tmp_path: Path) -> None:
    """Nothing is guessed: a line of the second list without a student makes the exit status 1."""
    (tmp_path / "canvas.csv").write_bytes(CANVAS.encode())
    (tmp_path / "moodle.csv").write_text(MOODLE.replace("ann@uni.example", "ann@other.example"))
    done = grader(tmp_path, "course", "init", "canvas.csv", "moodle.csv")
    assert done.returncode == 1
    assert "moodle.csv:2: Ann Doe" in done.stderr


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("a,b\n1,2\n", "is no class list's: a, b"),
        ("student\nann\nann\n", "list.csv:3: ann is listed twice"),
        ("student,name\n,Ann\n", "list.csv:2: this line names no student"),
        ('student,name\nann,"Ann\n', "list.csv:2: a quoted cell begins here and never ends"),
        ('student,name\n"a"b,Ann\n', "list.csv:2: something stands here after a closing quote"),
        ("", "is empty"),
    ],
)
def test_a_list_with_faults_is_told_with_its_line(tmp_path: Path, content: str, told: str) -> None:
    (tmp_path / "list.csv").write_text(content)
    done = grader(tmp_path, "course", "init", "list.csv")
    assert done.returncode in {2, 3}
    assert told in done.stderr
    assert not (tmp_path / "course.yaml").exists()


def test_a_hook_follows_the_course(tmp_path: Path) -> None:
    """What course.yaml says at the time of a push holds, though the hook was written before."""
    make(tmp_path, "{due: 2026-03-10T23:59:59+08:00}")
    done = grader(tmp_path, "serve-git", "git", "--install-only", "--create", "ann")
    assert done.returncode == 0, done.stderr
    (tmp_path / "course.yaml").write_text((tmp_path / "course.yaml").read_text().replace("2026-03", "2199-03"))
    work = gitrepo.new_repository(tmp_path / "work")
    gitrepo.commit(work, {"hello.py": pushes.RIGHT}, tag="v1")
    told = subprocess.run(
        ["git", "-C", str(work), "push", str(tmp_path / "git" / "ann.git"), "v1"],
        env={**gitrepo.ENVIRONMENT, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    assert "4 / 4 points" in told
    assert "v1" in grader(tmp_path, "book", "history").stdout


def test_every_key_is_documented(pytestconfig: pytest.Config) -> None:
    """docs/operations/course.md names each key of course.yaml."""
    page = (pytestconfig.rootpath / "docs" / "operations" / "course.md").read_text()
    fields = [*msgspec.structs.fields(CourseFile), *msgspec.structs.fields(CourseAssignment)]
    assert [field.name for field in fields if f"| `{field.name}` |" not in page] == []
