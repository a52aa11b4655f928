"""`grader book`: what staff see, decide, export and judge anew."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from typing import TYPE_CHECKING

import course
import gitrepo
import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from course import Done


def book(folder: Path, command: str, *arguments: str) -> Done:
    places = ["-a", "hello", "--book", "book.sqlite", "--cases", "cases"]
    return course.grader(folder, "book", command, *arguments, *places)


def without_cases(folder: Path, command: str, *arguments: str) -> Done:
    return course.grader(folder, "book", command, *arguments, "-a", "hello", "--book", "book.sqlite")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a course in which one student has a wrong attempt and a right one, the second late."""
    made = course.make(tmp_path, "{attempts: 2, due: 2026-01-01T00:00:00Z, late: {percent: 50}}")
    repository = course.student(made, content=course.WRONG)
    course.submit(made, "v1", "--received", "2025-12-31T00:00:00Z")
    gitrepo.commit(repository, {"hello.py": course.RIGHT}, tag="v2")
    course.submit(made, "v2", "--received", "2026-01-01T12:00:00Z")
    return made


def test_history_shows_what_counts(folder: Path) -> None:
    """The class on one line each; a student's attempts with time, cost and the one that counts."""
    assert book(folder, "history").stdout.splitlines()[-1].split() == ["student", "2/4", "v2", "2", "0"]
    lines = book(folder, "history", "student").stdout.splitlines()
    assert "00:00:00, December 31, 2025, UTC" in lines[2]
    assert [word for word in lines[3].split() if word in {"-50%", "counts"}] == ["-50%", "counts"]
    nobody = book(folder, "history", "ghost")
    assert (nobody.returncode, "In the book: student" in nobody.stderr) == (2, True)


def test_an_extension_lifts_the_late_cost(folder: Path) -> None:
    """More time for one student counts for what was already handed in."""
    done = book(folder, "extend", "student", "--days", "1", "--attempts", "1", "--why", "ill")
    assert done.stdout == "student: due 00:00:00, January 2, 2026, UTC, 3 attempts\n"
    assert book(folder, "history").stdout.splitlines()[-1].split() == ["student", "4/4", "v2", "2", "0"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--due", "2026-02-01T00:00:00"], "has no time zone"),
        (["--due", "tomorrow"], "is no time"),
        ([], "give --due, --days or --attempts"),
        (["--attempts", "-50"], "not in the range"),
        (["--due", "9999-12-31T23:59:59+00:00"], "must lie in the years 1970 to 2499, not in 9999"),
        (["--due", "2190-01-01T00:00:00Z"], "is no extension"),
        (["--due", "2025-01-01T00:00:00Z"], "is no extension"),
        (["--days", "1e9"], "not in the range"),
    ],
)
def test_an_extension_that_says_nothing_sure_is_refused(folder: Path, arguments: list[str], message: str) -> None:
    """A due date without zone, or no extension at all, is a usage error."""
    done = book(folder, "extend", "student", "--why", "x", *arguments)
    assert (done.returncode, message in done.stderr) == (2, True)
    assert "extended" not in kinds(folder)


def test_a_misspelt_name_is_told_with_the_nearest(folder: Path) -> None:
    """What nobody is called gets no extension, no regrade and no void; --anyway is for who hasn't pushed yet."""
    for command, more in [("extend", ["--days", "1", "--why", "x"]), ("regrade", []), ("void", ["v1", "--why", "x"])]:
        done = book(folder, command, "studnet", *more)
        assert (done.returncode, "Did you mean student?" in done.stderr) == (2, True), command
    (folder / "roster.csv").write_text("student\nann\n")
    assert book(folder, "extend", "ann", "--days", "1", "--why", "x", "--roster", "roster.csv").returncode == 0
    assert book(folder, "extend", "student", "--days", "1", "--why", "x", "--roster", "roster.csv").returncode == 2
    assert book(folder, "extend", "new", "--days", "1", "--why", "x", "--anyway").returncode == 0
    assert kinds(folder).count("extended") == 2


def kinds(folder: Path) -> list[str]:
    database = sqlite3.connect(folder / "book.sqlite")
    found = [json.loads(fact)["type"] for (fact,) in database.execute("SELECT fact FROM events")]
    database.close()
    return found


def test_a_voided_attempt_counts_no_more(folder: Path) -> None:
    """What staff strike out neither costs nor counts, and stays in the history with its reason."""
    assert without_cases(folder, "void", "student", "v2", "--why", "copied").stdout == "student: v2 is struck out\n"
    assert book(folder, "history").stdout.splitlines()[-1].split() == ["student", "1/4", "v1", "1", "0"]
    assert "v2: copied" in book(folder, "history", "student").stdout
    again = course.submit(folder, "v2")
    assert (again.returncode, "was struck out by the staff: copied" in again.stdout) == (4, True)
    unknown = without_cases(folder, "void", "student", "v9", "--why", "x")
    assert (unknown.returncode, "has no attempt 'v9'" in unknown.stderr) == (2, True)


def test_export_for_canvas_and_moodle_has_their_very_columns(folder: Path) -> None:
    """Names from the roster, everyone of a group with its points, nothing that a spreadsheet runs."""
    (folder / "roster.csv").write_text(
        "student,name,email,canvas_id,sis_login_id,section,moodle_id\n"
        'student,"=cmd|calc",a@example.invalid,77,ann7,S1,1234\n'
        "absent,Bob,,,,,\n"
    )
    canvas = book(folder, "export", "--format", "canvas", "--canvas-id", "5150", "--roster", "roster.csv").stdout
    assert list(csv.reader(io.StringIO(canvas))) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Hello (5150)"],
        ["    Points Possible", "", "", "", "", "4"],
        ["'=cmd|calc", "77", "", "ann7", "S1", "2"],
        ["Bob", "", "", "absent", "", ""],
    ]
    moodle = book(folder, "export", "--format", "moodle", "--roster", "roster.csv").stdout
    rows = list(csv.DictReader(io.StringIO(moodle)))
    assert rows[0]["Identifier"] == "Participant 1234"
    assert (rows[0]["Grade"], rows[0]["Maximum Grade"]) == ("2", "4")
    assert rows[0]["Feedback comments"] == "Tag v2; 2 attempts. 50% was taken off."
    assert rows[1]["Feedback comments"] == "Nothing was handed in."


def test_export_as_plain_csv_needs_no_roster(folder: Path) -> None:
    """Without a class list those who submitted are listed; a file can be named."""
    done = book(folder, "export", "-o", "grades.csv")
    assert done.stdout == "grades.csv: 1 student\n"
    (row,) = csv.DictReader(io.StringIO((folder / "grades.csv").read_text()))
    assert (row["student"], row["points"], row["tag"], row["attempts"]) == ("student", "2", "v2", "2")


def test_export_names_whoever_is_not_in_the_class_list(folder: Path) -> None:
    """The mark is named on standard error, and the exit status says so."""
    (folder / "roster.csv").write_text("student\nann\n")
    done = book(folder, "export", "--roster", "roster.csv", "-o", "grades.csv")
    assert done.returncode == 1
    assert done.stderr == "not in the export: student, 2 points: isn't in the class list\n"
    assert (folder / "grades.csv").stat().st_mode & 0o077 == 0


def test_a_roster_with_faults_is_told_line_by_line(folder: Path) -> None:
    """Every fault of the class list with its line, exit 3."""
    (folder / "roster.csv").write_text("student,group\nann,g\n,g\nann,h\n")
    done = book(folder, "export", "--roster", "roster.csv")
    assert done.returncode == 3
    assert "roster.csv:3: this line names no student" in done.stderr
    assert "roster.csv:4: ann is listed twice" in done.stderr


def test_regrade_changes_nothing_unasked(folder: Path) -> None:
    """A corrected expectation moves people up; only --apply writes."""
    cases = folder / "cases" / "hello" / "cases.yaml"
    cases.write_text(cases.read_text().replace('"CANARY\\n"', '"ok\\n"'))
    shown = book(folder, "regrade")
    assert "student v1: 1 → 4" in shown.stdout
    assert "    second: WA 0/3 → AC 3/3" in shown.stdout
    assert "student v2: 4 → 1" in shown.stdout
    assert re.search(r"Nothing is written yet: --apply --expect [0-9a-f]{8} --why TEXT does\.", shown.stdout)
    assert [line.split() for line in shown.stdout.splitlines()[2:3]] == [["student", "up", "2", "4"]]
    assert book(folder, "history").stdout.splitlines()[-1].split()[1] == "2/4"
    applied = book(folder, "regrade", "--apply", "--why", "the key was wrong")
    assert applied.stdout.endswith("2 attempts regraded.\n")
    assert book(folder, "history").stdout.splitlines()[-1].split() == ["student", "4/4", "v1", "2", "0"]
    assert course.submit(folder, "v1").returncode == 0
    assert book(folder, "regrade").stdout == "Nothing changes.\n"


def files(folder: Path) -> dict[str, bytes]:
    """Give every file of the course, but for SQLite's own beside the book, which hold no more than the book."""
    book = sqlite3.connect(folder / "book.sqlite")
    book.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    book.close()
    paths = [path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(("-shm", "-wal"))]
    return {str(path): path.read_bytes() for path in paths}


def test_a_preview_writes_nothing_and_holds_apply_to_it(folder: Path) -> None:
    """With --fresh or without: book, reports, cache stay; --apply --expect writes that outcome or says it differs."""
    cases = folder / "cases" / "hello" / "cases.yaml"
    cases.write_text(cases.read_text().replace('"CANARY\\n"', '"ok\\n"'))
    before = files(folder)
    first, second = book(folder, "regrade"), book(folder, "regrade", "--fresh")
    assert first.stdout == second.stdout
    assert files(folder) == before
    (outcome,) = re.findall("--expect ([0-9a-f]+)", first.stdout)
    other = book(folder, "regrade", "--apply", "--expect", "00000000", "--why", "x")
    assert (other.returncode, "is not the one that was previewed" in other.stderr) == (2, True)
    assert files(folder) == before
    assert book(folder, "regrade", "--apply", "--expect", outcome, "--why", "x").returncode == 0


def test_what_staff_change_reaches_the_student(folder: Path) -> None:
    """A regrade and a void write the report anew, with the reason."""
    cases = folder / "cases" / "hello" / "cases.yaml"
    cases.write_text(cases.read_text().replace('"CANARY\\n"', '"ok\\n"'))
    assert book(folder, "regrade", "--tag", "v1", "--apply", "--why", "case 2 had a wrong key").returncode == 0
    report = folder / "out" / "hello" / "student" / "v1" / "report.md"
    assert "Regraded by the staff, 1 → 4 points: case 2 had a wrong key" in report.read_text()
    assert book(folder, "void", "student", "v2", "--why", "copied").returncode == 0
    second = (folder / "out" / "hello" / "student" / "v2" / "report.md").read_text()
    assert "Struck out by the staff, so that it neither costs nor counts: copied" in second


def test_an_extension_reaches_the_student(folder: Path) -> None:
    """The attempt that it makes cheaper tells of it in its report."""
    assert book(folder, "extend", "student", "--days", "1", "--why", "ill").returncode == 0
    report = folder / "out" / "hello" / "student" / "v2" / "report.md"
    assert "The staff gave more time or attempts: ill" in report.read_text()
    assert "The staff gave" not in (folder / "out" / "hello" / "student" / "v1" / "report.md").read_text()


def test_regrade_needs_a_reason_to_write(folder: Path) -> None:
    """Nothing is applied without a word why."""
    done = book(folder, "regrade", "--apply")
    assert (done.returncode, "--apply needs --why" in done.stderr) == (2, True)
