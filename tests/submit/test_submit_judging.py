"""People's judgement: beside the machine's, in every report, through every regrade, with its reason."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import course
import gitrepo
import pytest
from test_submit_book import book, kinds

if TYPE_CHECKING:
    from pathlib import Path

RUBRIC = """
rubric:
  - {id: style, title: Clear names, points: 2, description: Every name says what it is}
  - {id: late-talk, title: Missed the talk, points: -1}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a course with a rubric, in which one student has an attempt with 1 of 4 points."""
    made = course.make(tmp_path)
    assignment = made / "cases" / "hello" / "assignment.yaml"
    assignment.write_text(assignment.read_text() + RUBRIC)
    course.student(made, content=course.WRONG)
    course.submit(made, "v1", "--format", "html,md,json,junit,gradescope,codequality,text")
    return made


def total(folder: Path) -> tuple[str, str, str, str]:
    (row,) = csv.DictReader(io.StringIO(book(folder, "export").stdout))
    return row["points"], row["max_points"], row["machine_points"], row["people_points"]


def test_both_sums_are_in_every_format(folder: Path) -> None:
    """The machine's points stay what they were; the people's stand beside them; the export has the total."""
    assert book(folder, "adjust", "student", "v1", "--item", "style", "--points", "1.5").returncode == 0
    hidden = ["--case", "second", "--points", "0.5", "--why", "nearly <b>right</b>"]
    assert book(folder, "adjust", "student", *hidden, "--by", "TA-CANARY").returncode == 0
    assert book(folder, "adjust", "student", "v1", "--at", "hello.py:1", "--why", "say why").returncode == 0
    assert total(folder) == ("3", "6", "1", "2")
    out = folder / "out" / "hello" / "student" / "v1"
    (row,) = json.loads((out / "results.json").read_text())["submissions"]
    assert [row[key] for key in ("points", "people_points", "total_points", "total_max_points")] == [1, 2, 3, 6]
    assert [each["title"] for each in row["remarks"]] == [
        "Clear names",
        "case “Says it again”",
        "hello.py, line 1",
    ]
    assert [each["points"] for each in row["remarks"]] == [1.5, 0.5, 0]
    suite = ET.fromstring((out / "junit.xml").read_text())
    properties = {each.get("name"): each.get("value") for each in suite.iter("property")}
    assert (properties["points"], properties["total_points"]) == ("1", "3")
    assert json.loads((out / "gradescope.json").read_text())["score"] == 3
    (said,) = json.loads((out / "codequality.json").read_text())
    assert said["location"] == {"path": "hello.py", "lines": {"begin": 1}}
    for name in ("report.html", "report.md", "report.txt"):
        text = (out / name).read_text()
        assert "By the cases 1 / 4, by the staff 2: 3 / 6 points in all." in text.replace("&#x2F;", "/"), name
        assert "say why" in text, name
    assert "<b>right" not in (out / "report.html").read_text()
    for path in out.iterdir():
        assert "second" not in path.read_text().replace("a second", ""), "the hidden case's name"
        assert "CANARY" not in path.read_text(), "its key, and who judged"


def test_a_judgement_stays_through_a_regrade_and_is_told(folder: Path) -> None:
    """After a wrong key is fixed both stand, and the student reads each change with its reason."""
    book(folder, "adjust", "student", "v1", "--points", "-0.5", "--why", "no comments")
    cases = folder / "cases" / "hello" / "cases.yaml"
    cases.write_text(cases.read_text().replace("CANARY", "ok"))
    assert book(folder, "regrade", "--apply", "--why", "case 2 had a wrong key").returncode == 0
    assert total(folder) == ("3.5", "6", "4", "-0.5")
    report = (folder / "out" / "hello" / "student" / "v1" / "report.md").read_text()
    assert "The staff took 0.5 points off for the whole attempt, 1 → 0.5 points: no comments" in report
    assert "Regraded by the staff, 1 → 4 points: case 2 had a wrong key" in report
    told = book(folder, "history", "student").stdout
    assert "1 → 4 points: case 2 had a wrong key" in told


def test_a_judgement_can_be_replaced_and_withdrawn(folder: Path) -> None:
    """One place has one judgement; what was said before stays in the ledger."""
    book(folder, "adjust", "student", "--points", "2", "--why", "early")
    again = book(folder, "adjust", "student", "--points", "1", "--why", "early, but")
    assert "+1, instead of +2" in again.stdout
    assert (
        book(folder, "adjust", "student", "--points", "1", "--why", "early, but").stdout == "0 judgements written.\n"
    )
    assert total(folder)[3] == "1"
    number = book(folder, "history", "student").stdout.partition("\n[")[2].partition("]")[0]
    assert book(folder, "withdraw", number, "--why", "a slip").returncode == 0
    assert total(folder) == ("1", "6", "1", "0")
    assert book(folder, "withdraw", number, "--why", "a slip").returncode == 2
    assert [kind for kind in kinds(folder) if kind in {"adjusted", "withdrawn"}] == [
        "adjusted",
        "adjusted",
        "withdrawn",
    ]
    assert "withdrew what they said" in (folder / "out" / "hello" / "student" / "v1" / "report.md").read_text()


def test_the_sheet_comes_back_filled(folder: Path) -> None:
    """Written, filled, shown, applied; applied again it changes nothing."""
    assert book(folder, "rubric", "--csv", "sheet.csv").stdout == "sheet.csv: 2 rows to judge\n"
    text = (folder / "sheet.csv").read_text()
    (folder / "sheet.csv").write_text(text.replace("Clear names,2,,,,,", 'Clear names,2,,,,1.5,"good, mostly"'))
    shown = book(folder, "adjust", "--csv", "sheet.csv")
    assert "student v1: Clear names +1.5: good, mostly" in shown.stdout
    assert "adjusted" not in kinds(folder)
    for _ in range(2):
        assert book(folder, "adjust", "--csv", "sheet.csv", "--apply").returncode == 0
    assert kinds(folder).count("adjusted") == 1
    assert total(folder) == ("2.5", "6", "1", "1.5")
    assert '1.5,"good, mostly"' in book(folder, "rubric").stdout


def test_every_fault_of_a_sheet_is_told_with_its_line(folder: Path) -> None:
    """Nothing is written while one row can't be meant."""
    (folder / "sheet.csv").write_text(
        "student,tag,item,case,file,line,points,comment\n"
        "studnet,v1,,,,,1,x\n"
        "student,v1,stile,,,,1,x\n"
        "student,v1,style,,,,3,x\n"
        "student,v1,,nocase,,,1,x\n"
        "student,v1,,,hello.py,99,1,x\n"
        "student,v1,,,,,nan,x\n"
        "student,v1,,,,,1,\n"
        "student,v1,style,,,,1,x\n"
        "student,v1,style,,,,2,x\n"
        "student,v1,late-talk,,,,-0.5,\n"
    )
    done = book(folder, "adjust", "--csv", "sheet.csv", "--apply")
    assert done.returncode == 3
    for line, words in enumerate(
        [
            "studnet has no attempt 'v1'",
            "Did you mean style?",
            "style has 0 to 2 points, not 3",
            "hello has no case 'nocase'",
            "hello.py has lines 1 to 1, not 99",
            "'nan' is no number of points",
            "give a reason",
        ],
        2,
    ):
        assert words in done.stderr, line
        assert f"sheet.csv:{line}: " in done.stderr
    assert "sheet.csv:10: student v1: Clear names is judged twice" in done.stderr
    assert "adjusted" not in kinds(folder)


def test_nothing_below_zero_and_costs_touch_only_the_machines_points(tmp_path: Path) -> None:
    """What a person gives is what the student gets, however late the attempt was."""
    made = course.make(tmp_path, "{due: 2026-01-01T00:00:00Z, late: {percent: 50}}")
    course.student(made, content=course.RIGHT)
    course.submit(made, "v1", "--received", "2026-01-01T12:00:00Z")
    book(made, "adjust", "student", "--points", "1", "--why", "x")
    assert total(made)[0] == "3", "half of 4, and 1"
    book(made, "adjust", "student", "--points", "-100", "--why", "copied")
    assert total(made)[0] == "0"


def test_extensions_come_by_list_and_can_be_taken_back(tmp_path: Path) -> None:
    """Shown first, written once however often it is applied, each with its line when it is wrong."""
    made = course.make(tmp_path, "{due: 2026-01-01T00:00:00Z, attempts: 2, late: {percent: 50}}")
    repository = course.student(made, content=course.RIGHT)
    course.submit(made, "v1", "--received", "2026-01-01T12:00:00Z")
    (made / "more.csv").write_text("student,days,attempts,why\nstudent,1,1,ill\n")
    shown = book(made, "extend", "--csv", "more.csv")
    assert "student: due 00:00:00, January 2, 2026, UTC, 3 attempts: ill" in shown.stdout
    assert "extended" not in kinds(made)
    for _ in range(2):
        assert book(made, "extend", "--csv", "more.csv", "--apply").returncode == 0
    assert kinds(made).count("extended") == 1
    assert total(made)[0] == "4"
    number = book(made, "history", "student").stdout.partition("\n[")[2].partition("]")[0]
    assert book(made, "withdraw", number, "--why", "no note came").returncode == 0
    assert total(made)[0] == "2", "the cost that was quoted, and no more"
    gitrepo.commit(repository, {"hello.py": course.WRONG}, tag="v2")
    (made / "more.csv").write_text("student,days,attempts,why\nstudnet,1,,ill\nstudent,-1,,ill\nstudent,,,ill\n")
    wrong = book(made, "extend", "--csv", "more.csv", "--apply")
    assert (wrong.returncode, wrong.stderr.count("more.csv:")) == (3, 3)
