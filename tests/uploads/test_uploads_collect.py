"""Uploads go through the book like tags: matched, timed, counted, and never guessed."""

from __future__ import annotations

import io
import shutil
import tarfile
import zipfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import course as pushes
import gitrepo
import pytest
from courses import grader, make
from downloads import TIMES, WORKSHEET, pack

from grader.gradebook.event import Via
from grader.gradebook.history import histories
from grader.gradebook.ledger import open_ledger
from grader.uploads.hand_ins import read_name, read_time, uncounted

if TYPE_CHECKING:
    from pathlib import Path

    from grader.gradebook.history import Attempt

RIGHT, WRONG = pushes.RIGHT, pushes.WRONG


def attempts(folder: Path) -> dict[str, list[Attempt]]:
    past = histories(open_ledger(str(folder / "gradebook.sqlite")), "hello")
    return {party: list(history.attempts) for party, history in past.items()}


@pytest.fixture
def canvas(tmp_path: Path) -> Path:
    """Make a course, and Canvas's download: Ann in two files, one handed in again, Bob late in a zip."""
    make(tmp_path)
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("work/hello.py", WRONG)
    files = {
        "doeann_101_5551_hello-1.py": RIGHT,
        "doeann_101_5552_notes.txt": b"mine",
        "roebob_LATE_102_5553_bob_1.zip": inner.getvalue(),
    }
    pack(tmp_path / "submissions.zip", files)
    (tmp_path / "times.csv").write_text(TIMES)
    return tmp_path


def test_a_canvas_download_is_graded_late_and_known(canvas: Path) -> None:
    """User numbers find the students, the list says when; the same download again makes no second attempt."""
    command = ("collect", "submissions.zip", "--times", "times.csv")
    done = grader(canvas, *command)
    assert done.returncode == 0, done.stdout + done.stderr
    found = attempts(canvas)
    assert {party: [each.points for each in own] for party, own in found.items()} == {"ann": [4.0], "bob": [1.0]}
    assert found["bob"][0].quoted_percent == 10
    assert found["ann"][0].received.via is Via.UPLOAD
    assert found["ann"][0].received.upload == "doeann_101_5551_hello-1.py"
    again = grader(canvas, *command)
    assert again.returncode == 0
    assert "collected before: 4/4" in again.stdout
    assert {party: len(own) for party, own in attempts(canvas).items()} == {"ann": 1, "bob": 1}
    assert 'bob,,"Roe, Bob",0.9' in grader(canvas, "book", "export").stdout


def test_a_dry_run_writes_nothing(canvas: Path) -> None:
    """It says what would become of each, down to the cost; the book's bytes stay."""
    before = (canvas / "gradebook.sqlite").read_bytes()
    done = grader(canvas, "collect", "submissions.zip", "--times", "times.csv", "--dry-run")
    assert "10% is taken off" in done.stdout
    assert "2 hand-ins would be collected" in done.stdout
    assert attempts(canvas) == {}
    assert (canvas / "gradebook.sqlite").read_bytes() == before
    assert not (canvas / "reports").exists()


def test_a_mark_of_lateness_is_no_time(canvas: Path) -> None:
    """Whoever has no time is named and not collected; the others are."""
    (canvas / "times.csv").write_text(TIMES.replace("bob,2026-03-11T00:00:00+08:00\n", ""))
    done = grader(canvas, "collect", "submissions.zip", "--times", "times.csv")
    assert done.returncode == 1
    assert "roebob_LATE_102_5553_bob_1.zip: nobody says when bob handed it in" in done.stderr
    assert list(attempts(canvas)) == ["ann"]


def test_strangers_are_named_and_never_guessed(canvas: Path) -> None:
    """A user whom the class list doesn't have, a name that no platform gives, a text that was typed in."""
    files = {
        "doeann_999_1_hello.py": RIGHT,
        "doeann_101_2_hello.py": RIGHT,
        "ann.py": RIGHT,
        "doeann_101_text.html": b"",
    }
    pack(canvas / "submissions.zip", files)
    done = grader(canvas, "collect", "submissions.zip", "--times", "times.csv")
    assert done.returncode == 1
    assert "no student has the canvas number 999 (doeann)" in done.stderr
    assert "ann.py: no name that Canvas or Moodle gives" in done.stderr
    assert "a text that was typed in" in done.stderr
    assert {party: len(own) for party, own in attempts(canvas).items()} == {"ann": 1}


@pytest.mark.parametrize("top", ["_assignsubmission_file/", "_assignsubmission_file_/", "_assignsubmission_file_"])
def test_a_moodle_download_takes_the_worksheets_times(tmp_path: Path, top: str) -> None:
    """Folders of new and old Moodles, and none; a minute counts from its beginning, in the course's zone."""
    make(tmp_path)
    pack(tmp_path / "moodle.zip", {f"Ann Doe_7{top}hello.py": RIGHT, f"Bob Roe_9{top}hello.py": RIGHT})
    (tmp_path / "worksheet.csv").write_text(WORKSHEET)
    done = grader(tmp_path, "collect", "moodle.zip", "--times", "worksheet.csv")
    assert done.returncode == 0, done.stderr
    found = attempts(tmp_path)
    assert found["ann"][0].at == datetime(2026, 3, 10, 15, 59, tzinfo=UTC)
    assert (found["ann"][0].quoted_percent, found["bob"][0].quoted_percent) == (0, 10)


def test_the_worksheet_tells_moodles_numbers_by_address(tmp_path: Path) -> None:
    """A class list without Moodle's numbers is helped by the addresses beside them."""
    make(tmp_path)
    roster = (tmp_path / "roster.csv").read_text().replace(",7\n", ",\n")
    (tmp_path / "roster.csv").write_text(roster)
    (tmp_path / "Ann Doe_7_assignsubmission_file").mkdir(parents=True)
    (tmp_path / "download").mkdir()
    shutil.move(tmp_path / "Ann Doe_7_assignsubmission_file", tmp_path / "download")
    (tmp_path / "download" / "Ann Doe_7_assignsubmission_file" / "hello.py").write_bytes(RIGHT)
    (tmp_path / "worksheet.csv").write_text(WORKSHEET)
    assert grader(tmp_path, "collect", "download", "--times", "worksheet.csv").returncode == 0
    assert list(attempts(tmp_path)) == ["ann"]


def test_folders_zips_and_tars_are_called_as_their_students(tmp_path: Path) -> None:
    """Ids, addresses and groups are known; a name of nobody is named."""
    make(tmp_path)
    place = tmp_path / "class"
    (place / "ann").mkdir(parents=True)
    (place / "ann" / "hello.py").write_bytes(RIGHT)
    pack(place / "bob@uni.example.zip", {"hello.py": WRONG})
    with tarfile.open(place / "team1.tar.gz", "w:gz") as archive:
        info = tarfile.TarInfo("hello.py")
        info.size = len(RIGHT)
        archive.addfile(info, io.BytesIO(RIGHT))
    (place / "zed").mkdir()
    (place / "zed" / "hello.py").write_bytes(RIGHT)
    done = grader(tmp_path, "collect", "class", "--received", "2026-03-10T12:00:00+08:00")
    assert done.returncode == 1
    assert "zed: nobody of that name is in the class list" in done.stderr
    assert {party: own[0].points for party, own in attempts(tmp_path).items()} == {"ann": 4, "bob": 1, "team1": 4}
    exported = grader(tmp_path, "book", "export").stdout
    assert 'cy,team1,"Coe, Cy",4' in exported
    assert 'dee,team1,"Lee, Dee",4' in exported


def test_what_is_handed_in_again_is_a_new_attempt(canvas: Path) -> None:
    """Other files later are another attempt, and the first ones once more after that a third."""
    for content, hour in ((RIGHT, 1), (WRONG, 2), (RIGHT, 3)):
        pack(canvas / "submissions.zip", {"doeann_101_1_hello.py": content})
        time = f"2026-03-10T0{hour}:00:00+08:00"
        assert grader(canvas, "collect", "submissions.zip", "--received", time).returncode == 0
    assert [each.points for each in attempts(canvas)["ann"] if each.points is not None][:2] == [4, 1]
    assert len(attempts(canvas)["ann"]) == 3


def test_what_was_late_is_taken_after_an_extension(tmp_path: Path) -> None:
    """A refused upload is refused once; when staff give more time, the same download is graded."""
    make(tmp_path, "{due: 2026-03-10T23:59:59+08:00}")
    pack(tmp_path / "s.zip", {"doeann_101_1_hello.py": RIGHT})
    command = ("collect", "s.zip", "--received", "2026-03-11T12:00:00+08:00")
    assert [grader(tmp_path, *command).returncode for _ in range(2)] == [0, 0]
    assert [str(each.state) for each in attempts(tmp_path)["ann"]] == ["refused"]
    assert grader(tmp_path, "book", "extend", "ann", "--days", "2", "--why", "ill").returncode == 0
    assert "4/4" in grader(tmp_path, *command).stdout
    assert 'ann,,"Doe, Ann",4' in grader(tmp_path, "book", "export").stdout


def test_staff_hand_in_for_a_student_and_say_so(tmp_path: Path) -> None:
    """It needs a reason; history and report tell that, and who, the report not who."""
    make(tmp_path)
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "hello.py").write_bytes(RIGHT)
    assert grader(tmp_path, "collect", "mail", "--for", "ann").returncode == 2
    more = ("--why", "Moodle was down", "--by", "prof", "--received", "2026-03-10T12:00:00+08:00")
    wrong = grader(tmp_path, "collect", "mail", "--for", "anne", *more)
    assert "Did you mean ann?" in wrong.stderr
    assert grader(tmp_path, "collect", "mail", "--for", "ann", *more).returncode == 0
    assert "Handed in by the staff: Moodle was down (prof)" in grader(tmp_path, "book", "history", "ann").stdout
    (report,) = (tmp_path / "reports" / "hello" / "ann").glob("staff-*/report.md")
    assert "Handed in by the staff: Moodle was down" in report.read_text()


def test_a_repository_is_taken_as_it_was_when_due(tmp_path: Path) -> None:
    """The server's log decides, to the second; commits carry whatever date they like."""
    make(tmp_path, "{due: 2026-03-10T23:59:59+08:00}")
    for name in ("ann", "bob", "cy"):
        gitrepo.git(tmp_path, "init", "-q", "--bare", "-b", "main", f"git/{name}.git")
    work = gitrepo.new_repository(tmp_path / "work")
    oids = [gitrepo.commit(work, {"hello.py": content}) for content in (RIGHT, WRONG, b"raise SystemExit\n")]
    due = int(datetime.fromisoformat("2026-03-10T23:59:59+08:00").timestamp())
    for name in ("ann", "bob"):
        gitrepo.git(work, "push", "-q", str(tmp_path / "git" / f"{name}.git"), "main")
    log = tmp_path / "git" / "ann.git" / "logs" / "refs" / "heads" / "main"
    log.parent.mkdir(parents=True, exist_ok=True)
    none = "0" * 40
    steps = [(none, oids[0], due - 60), (oids[0], oids[1], due), (oids[1], oids[2], due + 1)]
    log.write_text("".join(f"{old} {new} A <a@b> {at} +0000\tpush\n" for old, new, at in steps))
    done = grader(tmp_path, "collect", "--at-due", "git/ann.git", "git/bob.git", "git/cy.git")
    assert done.returncode == 1
    assert "git/bob.git: nothing was there then, or no log says when it came" in done.stderr
    (own,) = attempts(tmp_path)["ann"]
    assert (own.received.commit, own.received.via, own.points) == (oids[1], Via.SNAPSHOT, 1)
    assert "Taken by the staff from the repository" in grader(tmp_path, "book", "history", "ann").stdout
    assert "ann  snapshot-" in grader(tmp_path, "collect", "--at-due", "git/ann.git").stdout
    assert len(attempts(tmp_path)["ann"]) == 1


@pytest.mark.parametrize(
    ("path", "number", "inner"),
    [
        ("doeann_101_5551_maze_solver-1.py", "101", "maze_solver-1.py"),
        ("submissions/doeann_LATE_101_5551_a_1_2_b.py", "101", "a_1_2_b.py"),
        ("Ann_Marie Doe_7_assignsubmission_file/src/a.py", "7", "src/a.py"),
        ("Group A-Ann Doe_7_assignsubmission_file_/a.py", "7", "a.py"),
        ("Ann Doe_7_assignsubmission_file_a_b.py", "7", "a_b.py"),
        ("Ann Doe_7_assignsubmission_onlinetext/onlinetext.html", "7", ""),
    ],
)
def test_platforms_names_are_taken_apart(path: str, number: str, inner: str) -> None:
    found = read_name(path)
    assert found is not None
    assert (found.number, found.path) == (number, inner)


@pytest.mark.parametrize("path", ["hello.py", "ann/hello.py", "ann_1_hello.py", "", "_" * 2000])
def test_other_names_are_nobodys(path: str) -> None:
    assert read_name(path) is None


def test_canvas_counts_are_taken_off_wanted_files_alone() -> None:
    assert [uncounted(name, {"hello.py"}) for name in ("hello-12.py", "a-1.py", "hello.py")] == [
        "hello.py",
        "a-1.py",
        "hello.py",
    ]


@pytest.mark.parametrize(
    ("said", "hour"),
    [
        ("Tuesday, 10 March 2026, 12:05 AM", "00:05:00"),
        ("Tuesday, 10 March 2026, 12:05 PM", "12:05:00"),
        ("10 Mar 2026, 23:05:09", "23:05:09"),
        ("2026-03-10T23:59:59", "23:59:59"),
        ("2026-03-10 15:59:59Z", "23:59:59"),
    ],
)
def test_times_are_read_as_platforms_write_them(said: str, hour: str) -> None:
    zone = ZoneInfo("Asia/Taipei")
    assert read_time(said, zone).astimezone(zone).strftime("%H:%M:%S") == hour


@pytest.mark.parametrize("said", ["Dienstag, 10. März 2026, 12:05", "32 March 2026, 12:05 PM", "noon"])
def test_what_is_no_time_is_told(said: str) -> None:
    with pytest.raises(ValueError, match="no "):
        read_time(said, ZoneInfo("UTC"))


def test_a_time_without_a_zone_is_refused_where_none_is_known() -> None:
    with pytest.raises(ValueError, match="no time zone: give --zone"):
        read_time("2026-03-10T23:59:59", None)
