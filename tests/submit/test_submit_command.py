"""`grader submit`: one attempt for a tagged push, from the command line down."""

from __future__ import annotations

import json
import shutil
import sqlite3
from typing import TYPE_CHECKING

import course
import gitrepo
import pytest

if TYPE_CHECKING:
    from pathlib import Path


def kinds(folder: Path) -> list[str]:
    """Give the kinds of events in the book, in order."""
    book = sqlite3.connect(folder / "book.sqlite")
    rows = [json.loads(fact)["type"] for (fact,) in book.execute("SELECT fact FROM events ORDER BY number")]
    book.close()
    return rows


def test_a_right_solution_passes_and_every_report_is_written(tmp_path: Path) -> None:
    """Exit 1, three formats in OUT/ASSIGNMENT/STUDENT/TAG, three events; no word of the hidden case."""
    folder = course.make(tmp_path)
    course.student(folder, content=course.WRONG)
    done = course.submit(folder, "v1")
    assert (done.returncode, done.stderr) == (1, "")
    assert "This is attempt 1 of 3. 2 attempts left." in done.stdout
    assert "What counts by now: 1 of 4 points (best attempt, v1)." in done.stdout
    written = {path.name for path in (folder / "out" / "hello" / "student" / "v1").iterdir()}
    assert written == {"report.html", "report.md", "results.json"}
    assert not any("CANARY" in path.read_text() for path in (folder / "out" / "hello" / "student" / "v1").iterdir())
    assert kinds(folder) == ["received", "started", "settled"]


def test_two_assignments_with_tags_of_one_name_keep_their_reports(tmp_path: Path) -> None:
    """Each has a folder below its assignment's; neither a later push nor a regrade touches the other's."""
    folder = course.make(tmp_path)
    shutil.copytree(folder / "cases" / "hello", folder / "cases" / "second")
    course.student(folder, content=course.WRONG)
    course.submit(folder, "v1")
    first = (folder / "out" / "hello" / "student" / "v1" / "report.md").read_text()
    course.submit(folder, "v1", "-a", "second")
    cases = folder / "cases" / "second" / "cases.yaml"
    cases.write_text(cases.read_text().replace('"CANARY\\n"', '"ok\\n"'))
    places = ("-a", "second", "--book", "book.sqlite", "--cases", "cases")
    done = course.grader(folder, "book", "regrade", "--apply", "--why", "wrong key", *places)
    assert done.returncode == 0, done.stderr
    assert (folder / "out" / "hello" / "student" / "v1" / "report.md").read_text() == first
    assert "wrong key" in (folder / "out" / "second" / "student" / "v1" / "report.md").read_text()


def test_a_report_stays_where_the_book_noted_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An attempt of an older grader, whose folders had no assignment, is shown and regraded in that very folder."""
    folder = course.make(tmp_path)
    course.student(folder, content=course.WRONG)
    with monkeypatch.context() as older:
        older.setattr("grader.submit.course.Course.report_folder", lambda own, student, tag: own.out / student / tag)
        course.submit(folder, "v1")
    course.submit(folder, "v1")
    places = ("-a", "hello", "--book", "book.sqlite", "--cases", "cases")
    assert course.grader(folder, "book", "void", "student", "v1", "--why", "copied", *places).returncode == 0
    assert "copied" in (folder / "out" / "student" / "v1" / "report.md").read_text()
    assert not (folder / "out" / "hello").exists()


def test_the_same_tag_again_shows_the_first_result(tmp_path: Path) -> None:
    """The second call says so, costs nothing, runs nothing, and exits as the first did."""
    folder = course.make(tmp_path)
    course.student(folder)
    assert course.submit(folder, "v1").returncode == 0
    again = course.submit(folder, "v1")
    assert again.returncode == 0
    assert "this is that result, and it costs nothing" in again.stdout
    assert kinds(folder) == ["received", "started", "settled"]


def test_the_second_attempt_is_compared_with_the_first(tmp_path: Path) -> None:
    """The page tells what changed, the lines of source included."""
    folder = course.make(tmp_path)
    repository = course.student(folder, content=course.WRONG)
    course.submit(folder, "v1")
    gitrepo.commit(repository, {"hello.py": course.RIGHT})
    gitrepo.git(repository, "tag", "v2")
    course.submit(folder, "v2")
    first, second = ((folder / "out" / "hello" / "student" / tag / "report.html").read_text() for tag in ("v1", "v2"))
    assert "Since your last attempt" not in first
    assert "Since your last attempt" in second
    assert "What changed in <code>hello.py</code>" in second


def test_a_moved_tag_is_refused(tmp_path: Path) -> None:
    """A tag moved after grading is told with both commits; exit 4."""
    folder = course.make(tmp_path)
    repository = course.student(folder)
    course.submit(folder, "v1")
    gitrepo.commit(repository, {"hello.py": course.WRONG})
    gitrepo.git(repository, "tag", "-f", "v1")
    moved = course.submit(folder, "v1")
    assert moved.returncode == 4
    assert "A tag keeps the commit it first came with: make a new tag and push that." in moved.stdout


def test_the_regulations_refuse_with_status_four(tmp_path: Path) -> None:
    """A public repository is neither graded nor counted; then the quota of one; each with its reason."""
    folder = course.make(tmp_path, "{attempts: 1, private_repository: true}")
    repository = course.student(folder)
    public = course.submit(folder, "v1", "--public")
    assert (public.returncode, "your repository is not private" in public.stdout) == (4, True)
    assert course.submit(folder, "v1", "--private").returncode == 0
    gitrepo.git(repository, "tag", "v2")
    spent = course.submit(folder, "v2", "--private")
    assert (spent.returncode, "your one attempt is used" in spent.stdout) == (4, True)


def test_the_commits_date_decides_nothing(tmp_path: Path) -> None:
    """A commit dated before the due date but pushed after it is late: the server's clock counts."""
    folder = course.make(tmp_path, "{due: 2010-01-01T00:00:00Z}")
    course.student(folder)
    late = course.submit(folder, "v1")
    assert late.returncode == 4
    assert "the last moment was 00:00:00, January 1, 2010, UTC, by the server's clock" in late.stdout
    in_time = course.submit(folder, "v1", "--received", "2009-12-31T23:59:59Z")
    assert in_time.returncode == 0


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({}, "no hello.py found; there was nothing"),
        ({"helo.py": b""}, "Is helo.py meant to be hello.py?"),
        ({"a\nb.py": b"x"}, "a\\nb.py was left out: control characters in its name; rename it"),
        (
            {"hello.py": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"},
            "hello.py is only a Git LFS pointer",
        ),
    ],
)
def test_what_cannot_be_graded_is_told(tmp_path: Path, files: dict[str, bytes], problem: str) -> None:
    """An empty commit, a wrong name, a name with a newline, an LFS pointer: told, and no attempt is used."""
    folder = course.make(tmp_path)
    repository = gitrepo.new_repository(folder / "student")
    gitrepo.commit(repository, files, tag="v1")
    done = course.submit(folder, "v1")
    assert done.returncode == 4
    assert "It uses no attempt: " in done.stdout
    assert problem in " ".join(done.stdout.split())


def test_a_layout_that_cannot_be_written_uses_no_attempt(tmp_path: Path) -> None:
    """A folder named like the input: nothing runs, and the student may hand in again."""
    folder = course.make(tmp_path, "{attempts: 1}")
    repository = gitrepo.new_repository(folder / "student")
    gitrepo.commit(repository, {"hello.py": b"print()", "maze.txt/x.py": b""}, tag="v1")
    gitrepo.commit(repository, {"hello.py": b"print()", "Maze.txt/y/x": b""}, tag="v2")
    for number in (1, 2):
        done = course.submit(folder, f"v{number}")
        assert done.returncode == 4
        assert "stands where the input maze.txt is put" in " ".join(done.stdout.split())


def test_a_link_out_of_the_tree_is_told_and_not_followed(tmp_path: Path) -> None:
    """The handed-in file as a symbolic link to a file of the server's is no submission."""
    folder = course.make(tmp_path)
    secret = tmp_path / "secret.py"
    secret.write_text("print('TOPSECRET')")
    repository = gitrepo.new_repository(folder / "student")
    (repository / "hello.py").symlink_to(secret)
    gitrepo.commit(repository, {}, tag="v1")
    done = course.submit(folder, "v1")
    assert done.returncode == 4
    assert "hello.py is a symbolic link." in " ".join(done.stdout.split())
    assert "TOPSECRET" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--tag", "nothing"], 2, "There is no tag 'nothing'"),
        (["--tag", "v1", "--received", "2019-04-04T23:59:59"], 2, "has no time zone"),
        (["--tag", "v1", "--received", "soon"], 2, "is no time"),
        (["--tag", "v1", "--book", "elsewhere.sqlite"], 70, "There is no gradebook at elsewhere.sqlite"),
        (["--tag", "v1", "--host", "gitlab"], 2, "GitLab needs CI_SERVER_URL"),
        (["--tag", "v1", "--host", "github"], 2, "GitHub needs GITHUB_REPOSITORY"),
    ],
)
def test_mistakes_of_staff_are_one_clear_message(
    tmp_path: Path, arguments: list[str], status: int, message: str
) -> None:
    """No traceback, the contract's status, and nothing in the book."""
    folder = course.make(tmp_path)
    course.student(folder)
    done = course.grader(
        folder,
        "submit",
        "--repo",
        "student",
        *course.entering(folder),
        *arguments,
        GITHUB_REPOSITORY="",
        CI_SERVER_URL="",
    )
    assert (done.returncode, message in done.stderr, "Traceback" in done.stderr) == (status, True, False)
    assert kinds(folder) == []


def test_a_due_date_without_a_zone_is_refused_with_its_line(tmp_path: Path) -> None:
    """The catalogue's author hears of it, exit 3."""
    folder = course.make(tmp_path, "{due: 2019-04-04T23:59:59}")
    course.student(folder)
    done = course.submit(folder, "v1")
    assert done.returncode == 3
    assert "due has no time zone" in done.stderr
    assert "assignment.yaml:10:20" in done.stderr


def test_a_grader_that_fails_gives_the_attempt_back(tmp_path: Path) -> None:
    """When grading itself breaks down, the attempt costs nothing and the same tag goes on afterwards."""
    folder = course.make(tmp_path)
    course.student(folder)
    broken = course.submit(folder, "v1", "--engine", "nowhere")
    assert broken.returncode not in {0, 1, 4}
    assert "the attempt was given back" in broken.stdout
    assert course.submit(folder, "v1").returncode == 0
    assert kinds(folder) == ["received", "started", "settled", "started", "settled"]
