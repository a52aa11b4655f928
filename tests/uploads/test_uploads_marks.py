"""The platform's own file in, the same file out: one column changes, every other cell stays."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from courses import ROSTER, grader, make
from downloads import pack
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.errors import GraderError
from grader.gradebook.roster import read_roster
from grader.model.csv_table import read_table
from grader.uploads.marks import Column, Filled, fill
from grader.uploads.people import People

DATA = Path(__file__).parents[1] / "data" / "platforms"
CANVAS, MOODLE, SEMICOLONS = (
    DATA / f"{name}.csv" for name in ("canvas-gradebook", "moodle-worksheet", "canvas-semicolons")
)
HELLO = Column("Hello", 4.0)


@pytest.fixture
def people(tmp_path: Path) -> People:
    (tmp_path / "roster.csv").write_text(ROSTER)
    return People(read_roster(tmp_path / "roster.csv").entries)


def filled(path: Path, people: People, column: Column = HELLO, **marks: str) -> tuple[Filled, bytes]:
    return fill(read_table(path), marks, people, column), path.read_bytes()


def said(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode(), newline="")))


def test_one_column_of_canvas_changes(people: People) -> None:
    """Byte order mark, line ends, posting policies and the test student stay; equal numbers, too."""
    done, before = filled(CANVAS, people, ann="2.5", bob="4", cy="4")
    assert done.left == ()
    changed = before.replace(b'Monday",,9.5', b'Monday",2.5,9.5').replace(b'Monday","3",', b'Monday","4",')
    assert said(done.content) == said(changed)
    assert (done.content[:3], done.content.count(b"\r\n")) == (before[:3], before.count(b"\r\n"))


def test_one_column_of_moodle_changes(people: People) -> None:
    """A comment with line ends stays; a grade that is locked is named."""
    done, before = filled(MOODLE, people, ann="4", bob="1", cy="3", dee="2")
    assert said(done.content) == said(before.replace(b'grading - ",,4.00', b'grading - ",4,4.00'))
    assert done.left == (("cy", "line 5 says that the grade can't be changed"), ("dee", "has no line in the file"))


def test_semicolons_and_commas_stay(people: People) -> None:
    done, before = filled(SEMICOLONS, people, ann="2.5", bob="1.5")
    assert done.content == before.replace(b"ann;S1;", b"ann;S1;2,5")


def test_other_points_are_refused_or_scaled(people: People) -> None:
    """A file that counts in other points than the assignment is never filled in silence."""
    with pytest.raises(GraderError, match="counts in 4 points, and the assignment in 8"):
        filled(CANVAS, people, Column("Hello", 8.0), ann="8")
    done, _ = filled(CANVAS, people, Column("Hello", 8.0, is_scaled=True), ann="5")
    assert b'Monday",2.5,9.5' in done.content


def test_a_column_that_cant_be_told_is_asked_for(people: People) -> None:
    with pytest.raises(GraderError, match="no column of the title 'Hola'") as caught:
        filled(CANVAS, people, Column("Hola", 4.0), ann="1")
    assert "Hello (5150)" in str(caught.value)
    by_number, _ = filled(CANVAS, people, Column("Hola", 4.0, canvas_id="5150"), ann="1")
    by_name, _ = filled(CANVAS, people, Column("Hola", 4.0, name="hello (5150)"), ann="1")
    assert by_number == by_name


cells = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)


@settings(deadline=None)
@given(
    st.lists(st.lists(cells, min_size=3, max_size=3), min_size=1, max_size=6),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["", "\ufeff"]),
)
def test_whatever_csv_says_is_kept(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], end: str, delimiter: str, start: str
) -> None:
    """The very cells that were written are read, and written again with one changed; all else stays as it was."""
    head = ["a", "b", "c"]
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator=end, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([head, *rows])
    path = tmp_path_factory.getbasetemp() / f"some{hash(buffer.getvalue())}.csv"
    path.write_bytes((start + buffer.getvalue()).encode())
    table = read_table(path)
    assert [list(line.cells) for line in table.records] == [head, *rows]
    assert [list(line.cells) for line in table.lines] == [row for row in rows if any(cell.strip() for cell in row)]
    path.write_bytes(table.replaced({(table.records[1].number, 1): "new"}))
    again = read_table(path)
    assert (path.read_text("utf-8").startswith("\ufeff"), again[1:6]) == (bool(start), table[1:6])
    path.unlink()
    assert [list(line.cells) for line in again.records] == [head, [rows[0][0], "new", rows[0][2]], *rows[1:]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_the_encoding_stays(tmp_path: Path, encoding: str) -> None:
    """Names are read as they were meant, and the file is written as it came, with or without a last line end."""
    text = 'student;name\r\nann;"Ånn; Doe"\r\n\r\nbob;Böb'
    (tmp_path / "list.csv").write_bytes(text.encode(encoding))
    table = read_table(tmp_path / "list.csv")
    assert [table.value(line, "name") for line in table.lines] == ["Ånn; Doe", "Böb"]
    assert table.replaced({}) == text.encode(encoding)
    changed = table.replaced({(table.lines[1].number, 1): "Bo"})
    assert changed == text.replace("Böb", "Bo").encode(encoding)


def test_marks_go_from_download_to_the_same_file(tmp_path: Path) -> None:
    """By commands alone: Canvas's zip in, Canvas's gradebook out; a mark without a line is named, exit status 1."""
    make(tmp_path)
    right = b"import sys\nprint('ok' if len(open('maze.txt').read()) < 5 else 'CANARY')\n"
    names = {"ann": 101, "dee": 104}
    pack(tmp_path / "s.zip", {f"x{name}_{number}_1_hello.py": right for name, number in names.items()})
    assert grader(tmp_path, "collect", "s.zip", "--received", "2026-03-10T12:00:00+08:00").returncode == 0
    done = grader(tmp_path, "book", "export", "--into", str(CANVAS), "-o", "out.csv")
    assert done.returncode == 0, done.stderr
    changed = CANVAS.read_bytes().replace(b'Monday",,9.5', b'Monday",4,9.5').replace(b"dee,S2,,", b"dee,S2,4,")
    assert said((tmp_path / "out.csv").read_bytes()) == said(changed)
    (tmp_path / "short.csv").write_bytes(CANVAS.read_bytes().replace(b"104,u4,dee", b"105,u5,eve"))
    done = grader(tmp_path, "book", "export", "--into", "short.csv", "-o", "out.csv")
    assert done.returncode == 1
    assert "not in the export: dee, 4 points: has no line in the file" in done.stderr


def test_a_table_is_no_workbook(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"PK\x03\x04\0\0")
    with pytest.raises(GraderError, match="is no CSV file"):
        read_table(tmp_path / "a.csv")
