"""Whose a file or a mark is: Moodle numbers people anew in each assignment, and no number beats an address."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import course as pushes
import pytest
from courses import grader, make
from downloads import WORKSHEET, pack
from test_uploads_collect import attempts
from test_uploads_feedback import pages

from grader.gradebook.roster import read_roster
from grader.model.lms import Student
from grader.uploads.class_list import read_class_list
from grader.uploads.hand_ins import read_times
from grader.uploads.marks import participants
from grader.uploads.people import People

if TYPE_CHECKING:
    from pathlib import Path

RIGHT, WRONG = pushes.RIGHT, pushes.WRONG
TIME = ("--received", "2026-03-10T12:00:00+08:00")
SECOND = WORKSHEET.replace("Participant 7,", "Participant 51,").replace("Participant 9,", "Participant 52,")
"""The worksheet of another assignment of the same class."""
SWAPPED = WORKSHEET.replace("Participant 7,", "Participant 0,").replace("Participant 11,", "Participant 7,")
"""The worksheet of a restored course: 7, Ann's number in the class list, is Cy's there."""


@pytest.fixture
def term(tmp_path: Path) -> Path:
    """Make a course of two assignments; the class list's numbers are of the other one."""
    make(tmp_path)
    other = tmp_path / "cases" / "other"
    other.mkdir()
    for each in (tmp_path / "cases" / "hello").iterdir():
        (other / each.name).write_bytes(each.read_bytes())
    with (tmp_path / "course.yaml").open("a") as file:
        file.write("  other: {}\n")
    return tmp_path


def moodle(folder: Path, **files: str) -> None:
    """Write a download: file's content by the name of Moodle's folder."""
    contents = {"right": RIGHT, "wrong": WRONG}
    names = {f"{name.replace('_', ' ', 1)}_assignsubmission_file/hello.py": contents[v] for name, v in files.items()}
    pack(folder / "moodle.zip", names)


def owners(folder: Path) -> dict[str, float | None]:
    return {party: own[-1].points for party, own in attempts(folder).items()}


def test_an_address_beats_the_class_lists_number(term: Path) -> None:
    """Cy's file isn't Ann's because another assignment gave her the number that Cy has here."""
    moodle(term, Cy_Coe_7="right")
    (term / "worksheet.csv").write_text(SWAPPED.replace("-,-,", '"Tuesday, 10 March 2026, 11:00 PM",-,'))
    done = grader(term, "collect", "-a", "hello", "moodle.zip", "--times", "worksheet.csv")
    assert done.returncode == 0, done.stderr
    assert owners(term) == {"team1": 4}
    assert attempts(term)["team1"][0].student == "cy"
    done = grader(term, "book", "export", "-a", "hello", "--into", "worksheet.csv", "-o", "out.csv")
    rows = {row["Full name"]: row["Grade"] for row in csv.DictReader(io.StringIO((term / "out.csv").read_text()))}
    assert rows == {"Ann Doe": "", "Bob Roe": "", "Cy Coe": "4"}


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"Cy_Coe_7": "right"}, "the class list has 7 as ann's number, and the name is cy's (Cy Coe)"),
        ({"Red team-Cy_Coe_7": "right"}, "and the name is cy's"),
        ({"Annie_Doe_7": "right"}, "Moodle numbers people anew in each assignment"),
    ],
)
def test_nothing_is_booked_where_number_and_name_disagree(term: Path, files: dict[str, str], told: str) -> None:
    """Without a worksheet, a number of another assignment is believed only beside its student's name."""
    moodle(term, Ann_Doe_7="wrong")
    assert grader(term, "collect", "-a", "hello", "moodle.zip", *TIME).returncode == 0
    names = {f"{name.replace('_', ' ', 1)}_assignsubmission_file/hello.py": RIGHT for name in files}
    pack(term / "moodle.zip", names)
    done = grader(term, "collect", "-a", "hello", "moodle.zip", *TIME)
    assert done.returncode == 1
    assert told in done.stderr
    assert owners(term) == {"ann": 1}


def test_a_stranger_with_a_students_number_is_nobody(tmp_path: Path) -> None:
    """An address that the class list doesn't have isn't overruled by the number beside it."""
    make(tmp_path)
    moodle(tmp_path, Zed_Zoe_7="right")
    sheet = WORKSHEET.replace("Ann Doe", "Zed Zoe").replace("ann@", "zed@")
    (tmp_path / "worksheet.csv").write_text(sheet)
    done = grader(tmp_path, "collect", "moodle.zip", "--times", "worksheet.csv")
    assert done.returncode == 1
    assert "the class list has 7 as ann's number, and the address is another" in done.stderr
    assert owners(tmp_path) == {}


def test_a_strangers_file_is_nobodys_beside_a_wrong_number(tmp_path: Path) -> None:
    """A name that has no word in common with the student's speaks against any number, in a worksheet as well."""
    make(tmp_path)
    pack(tmp_path / "moodle.zip", {"Zed Zoe_7_assignsubmission_file/hello.py": RIGHT})
    pack(tmp_path / "canvas.zip", {"roebob_101_5551_hello.py": RIGHT})
    (tmp_path / "worksheet.csv").write_text(WORKSHEET)
    for download, more, told in (
        ("moodle.zip", (), "the class list has 7 as ann's number, and the name is another (Zed Zoe)"),
        ("moodle.zip", ("--times", "worksheet.csv"), "the worksheet has 7 as ann's number, and the name is another"),
        ("canvas.zip", (), "the number is ann's, and the name is bob's (roebob)"),
    ):
        done = grader(tmp_path, "collect", download, *more, *TIME)
        assert (done.returncode, told in done.stderr) == (1, True), done.stderr
    assert owners(tmp_path) == {}


@pytest.mark.parametrize("person", ["Annie Doe", "A", "Participant 7", "Doe Ann", "Team X-Ann Doe", "王小明"])
def test_a_name_may_be_written_in_several_ways(tmp_path: Path, person: str) -> None:
    make(tmp_path)
    pack(tmp_path / "moodle.zip", {f"{person}_7_assignsubmission_file/hello.py": RIGHT})
    assert grader(tmp_path, "collect", "moodle.zip", "-n", *TIME).returncode == 0


def test_feedback_names_this_assignments_numbers(term: Path) -> None:
    """The download's own for who uploaded, the worksheet's for the others, and never the class list's of another."""
    moodle(term, Ann_Doe_51="wrong")
    (term / "worksheet.csv").write_text(SECOND)
    collect = ("collect", "-a", "hello", "moodle.zip", "--times", "worksheet.csv")
    assert grader(term, *collect).returncode == 0
    pushes.student(term, "bob", WRONG)
    assert grader(term, "submit", "-a", "hello", "--tag", "v1", "--repo", "bob", *TIME).returncode == 1
    send = ("feedback", "-a", "hello", "--format", "moodle", "-o", "f.zip")
    done = grader(term, *send)
    assert done.returncode == 1
    assert "no page for bob: moodle can't be told whose it is" in done.stderr
    assert list(pages(term / "f.zip")) == ["Ann Doe_51_assignsubmission_file/feedback.html"]
    assert grader(term, *send, "--worksheet", "worksheet.csv").returncode == 0
    assert list(pages(term / "f.zip")) == [
        "Ann Doe_51_assignsubmission_file/feedback.html",
        "Roe, Bob_52_assignsubmission_file/feedback.html",
    ]


def test_a_new_worksheet_has_no_numbers_of_another_assignment(term: Path) -> None:
    """Marks under them would reach nobody, or another; they are named, and the worksheet's own file takes them."""
    moodle(term, Ann_Doe_7="right")
    assert grader(term, "collect", "-a", "hello", "moodle.zip", *TIME).returncode == 0
    done = grader(term, "book", "export", "-a", "hello", "--format", "moodle")
    assert done.returncode == 1
    assert "not in the export: ann, 4 points: Moodle numbers people anew" in done.stderr
    assert "Participant 7" not in done.stdout


@pytest.mark.parametrize(("kind", "column", "value"), [("canvas", "canvas_id", "101"), ("moodle", "moodle_id", "7")])
def test_two_students_with_one_number_get_no_line(tmp_path: Path, kind: str, column: str, value: str) -> None:
    """One's mark would be the other's: both are named, exit status 1, and `course show` says where it stands."""
    make(tmp_path)
    roster = tmp_path / "roster.csv"
    roster.write_text(roster.read_text().replace("102,bob,9", "101,bob,7"))
    pack(tmp_path / "class.zip", {"ann/hello.py": RIGHT, "bob/hello.py": WRONG})
    assert grader(tmp_path, "collect", "class.zip", *TIME).returncode == 0
    done = grader(tmp_path, "book", "export", "--format", kind)
    assert done.returncode == 1
    assert f"not in the export: ann, 4 points: ann and bob have one {column} in the class list" in done.stderr
    assert "not in the export: bob, 1 point: " in done.stderr
    assert f",{value}," not in done.stdout
    shown = grader(tmp_path, "course", "show")
    assert f"roster.csv:3: the {column} {value} is that of line 2" in shown.stderr


def test_whom_no_platform_can_know_is_named(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "roster.csv").write_text("student\nann\n")
    pack(tmp_path / "class.zip", {"ann/hello.py": RIGHT, "bob/hello.py": WRONG})
    grader(tmp_path, "collect", "class.zip", *TIME)
    done = grader(tmp_path, "book", "export", "--format", "canvas")
    assert done.returncode == 1
    assert "ann, 4 points: canvas knows no number, login or address of it" in done.stderr


def test_a_student_on_two_lines_gets_neither_mark(tmp_path: Path) -> None:
    make(tmp_path)
    moodle(tmp_path, Ann_Doe_7="right")
    assert grader(tmp_path, "collect", "moodle.zip", *TIME).returncode == 0
    (tmp_path / "worksheet.csv").write_text(WORKSHEET.replace("bob@", "ann@"))
    done = grader(tmp_path, "book", "export", "--into", "worksheet.csv", "-o", "out.csv")
    assert done.returncode == 1
    assert "ann, 4 points: has several lines in the file" in done.stderr
    rows = csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text()))
    assert [row["Grade"] for row in rows] == ["", "", ""]


def test_two_uploads_of_one_address_are_two_hand_ins(tmp_path: Path) -> None:
    """Two numbers with one student's address aren't mixed into one hand-in."""
    make(tmp_path)
    moodle(tmp_path, Ann_Doe_7="right", Bob_Roe_9="wrong")
    (tmp_path / "worksheet.csv").write_text(WORKSHEET.replace("bob@", "ann@").replace("Bob Roe", "Nan"))
    (tmp_path / "roster.csv").write_text((tmp_path / "roster.csv").read_text().replace('"Roe, Bob"', ""))
    done = grader(tmp_path, "collect", "moodle.zip", "--times", "worksheet.csv")
    assert done.returncode != 0
    assert owners(tmp_path) == {}


def test_a_canvas_number_and_a_login_that_disagree_are_nobodys(tmp_path: Path) -> None:
    make(tmp_path)
    people = People(read_roster(tmp_path / "roster.csv").entries)
    assert people.find(Student(student="bob", canvas_id="101")).why == "it names bob and ann at once"
    assert people.find(Student(student="nobody", canvas_id="101")).student == "ann"


def test_a_second_worksheet_can_join_the_class_list(tmp_path: Path) -> None:
    """Other numbers for the same people are no contradiction."""
    (tmp_path / "first.csv").write_text(WORKSHEET)
    (tmp_path / "second.csv").write_text(SECOND)
    done = grader(tmp_path, "course", "init", "first.csv", "second.csv", "-a", "lefthand")
    assert done.returncode == 0, done.stderr


def test_the_class_lists_numbers_are_used_while_nothing_speaks_against_them(tmp_path: Path) -> None:
    """One upload under another number shows that all of them are another assignment's."""
    make(tmp_path)
    people = People(read_roster(tmp_path / "roster.csv").entries)
    assert participants(people, [])["cy"] == "11"
    assert participants(people, [("ann", "Ann Doe_7_assignsubmission_file_")])["cy"] == "11"
    assert participants(people, [("ann", "Ann Doe_51_assignsubmission_file_")]) == {"ann": "51"}
    people.is_only_assignment = False
    assert participants(people, []) == {}
    assert participants(people, [("ann", "Ann Doe_7_assignsubmission_file_")])["cy"] == "11"


def test_a_number_of_ones_own_is_no_platforms(tmp_path: Path) -> None:
    """A plain class list may have a column `id`; a list of times may say by it who handed in."""
    (tmp_path / "list.csv").write_text("student,id\nann,7\n")
    assert read_class_list(tmp_path / "list.csv").rows[0].student.canvas_id == ""
    make(tmp_path)
    people = People(read_roster(tmp_path / "roster.csv").entries)
    (tmp_path / "times.csv").write_text(
        "id,time\n101,2026-03-10T12:00:00Z\nbob@uni.example,2026-03-10T12:00:00Z\n9,2026-03-10T12:00:00Z\n"
    )
    times, strangers = read_times(tmp_path / "times.csv", people, None)
    assert [*times] == ["ann", "bob"]
    assert strangers == [f"{tmp_path / 'times.csv'}:4: 9: nobody of that name is in the class list"]
