"""A run is written as it comes, kept, and rendered again."""

from __future__ import annotations

import json
import os
import tracemalloc
from typing import TYPE_CHECKING

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from report_factory import case, class_of, rich_sheet, sheet

from grader.cli.report import report
from grader.errors import UsageError
from grader.model.result import Evidence, Mismatch
from grader.model.run import Stream
from grader.model.verdict import Audience, Verdict
from grader.report.layout import folder_name, sheet_path
from grader.report.registry import FORMATS
from grader.report.sheet_files import store, stored
from grader.report.summary import ClassSummary
from grader.report.view import view
from grader.report.writer import RunWriter, Style

if TYPE_CHECKING:
    from pathlib import Path


@given(st.text())
def test_any_id_makes_a_safe_folder(name: str) -> None:
    """A folder's name never leaves its folder, hides, or means something to a file system."""
    made = folder_name(name)
    assert 0 < len(made) <= 80
    assert made.isascii()
    assert not set(made) & set('/\\:*?"<>|\x00 ')
    assert not made.startswith((".", "-"))
    assert not made.endswith(".")


def test_ids_that_look_alike_get_folders_of_their_own() -> None:
    """No two ids share a folder, not even one that is made to look like another's."""
    names = [
        "a/b",
        "a-b",
        "a:b",
        "",
        ".",
        "..",
        "../a",
        "sheets",
        "SHEETS",
        "CON",
        "x" * 300,
        "x" * 301,
        "é",
        "index.html",
    ]
    made = [folder_name(name) for name in names]
    made.append(folder_name(folder_name("a/b")))
    assert len(set(made)) == len(made)
    assert folder_name("s1024") == "s1024"
    assert folder_name("ada@example.org") == "ada@example.org"


def test_a_sheet_comes_back_as_it_went(tmp_path: Path) -> None:
    """What is stored is the whole sheet, evidence and scenes included."""
    store(tmp_path, rich_sheet())
    assert list(stored(tmp_path)) == [rich_sheet()]


def test_a_run_that_is_none_is_refused(tmp_path: Path) -> None:
    """An empty folder, a broken sheet and a later format are told apart."""
    with pytest.raises(UsageError, match="no stored run"):
        list(stored(tmp_path))
    path = sheet_path(tmp_path, "s1")
    path.parent.mkdir()
    path.write_bytes(b"junk")
    with pytest.raises(UsageError, match="no stored sheet"):
        list(stored(tmp_path))
    store(tmp_path, rich_sheet("s1"))
    path.write_bytes(msgspec.msgpack.encode(msgspec.msgpack.decode(path.read_bytes()) | {"format": 99}))
    with pytest.raises(UsageError, match="has format 99"):
        list(stored(tmp_path))


def written(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and "sheets" not in path.parts)
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in files}


def test_a_run_is_rendered_again_word_for_word(tmp_path: Path) -> None:
    """`grader report` gives the very files that grading gave."""
    sheets = list(class_of(3))
    order = tuple(sorted(folder_name(graded.submission) for graded in sheets))
    style = Style(out=tmp_path / "run", formats=("html", "json", "junit", "csv"), order=order)
    writer = RunWriter(style)
    for graded in sheets:
        writer.add(graded)
    writer.finish()
    options = ["-o", str(tmp_path / "again"), "--format", "html,json", "--format", "junit,csv"]
    done = CliRunner().invoke(report, [str(tmp_path / "run"), *options], catch_exceptions=False)
    assert done.exit_code == 0
    assert "3 submissions rendered" in done.output
    assert written(tmp_path / "run") == written(tmp_path / "again")
    assert not (tmp_path / "again" / "sheets").exists()


def test_a_students_report_needs_its_own_folder(tmp_path: Path) -> None:
    """The staff's folder never becomes a student's; a folder apart holds no class page and no gradebook."""
    store(tmp_path / "run", rich_sheet())
    refused = CliRunner().invoke(report, [str(tmp_path / "run"), "--audience", "student"])
    assert isinstance(refused.exception, UsageError)
    options = ["--audience", "student", "--format", "html,json,csv", "-o", str(tmp_path / "out")]
    CliRunner().invoke(report, [str(tmp_path / "run"), *options], catch_exceptions=False)
    assert list(written(tmp_path / "out")) == ["results.json", "s1024/report.html"]


def test_text_is_printed(tmp_path: Path) -> None:
    """With `--format text` the report goes to the terminal."""
    store(tmp_path, rich_sheet())
    done = CliRunner().invoke(report, [str(tmp_path), "--format", "text"], catch_exceptions=False)
    assert "Frame 17 differs" in done.output


def test_failing_alike_means_the_same_first_mismatch() -> None:
    """Submissions are grouped by case, kind and place of their first mismatch; a lone one is no group."""
    summary = ClassSummary()
    for name, where in (("a", "frame 3"), ("b", "frame 9"), ("c", "frame 3"), ("d", "frame 4")):
        wrong = case("knot", Verdict.WA, mismatch=Mismatch(kind="frame", message=f"{name} differs", where=where))
        later = case("ring", Verdict.WA, mismatch=Mismatch(kind="frame", message="later", where="frame 1"))
        summary.add(view(sheet(name, cases=[case(), wrong, later]), Audience.STAFF))
    summary.add(view(sheet("e"), Audience.STAFF))
    (group,) = summary.groups()
    assert [member for member, _ in group.members] == ["a", "c"]
    assert (group.number, group.kind, group.where) == (2, "frame", "frame 3")


def test_a_group_is_told_what_is_true_of_all() -> None:
    """The message to copy ends where those of the members part; it doesn't depend on who came first."""
    told = {"a": "On S, W is open; yours faces N, off the map.", "b": "On S, W is open; yours faces E."}
    for names in ("ab", "ba"):
        summary = ClassSummary()
        for name in names:
            wrong = case("knot", Verdict.WA, message=told[name], mismatch=Mismatch(kind="frame", message=told[name]))
            summary.add(view(sheet(name, cases=[wrong]), Audience.STAFF))
        assert [group.message for group in summary.groups()] == ["On S, W is open …"]


def test_a_group_without_a_common_word_shows_one_of_them() -> None:
    """Where the messages have no clause in common, one is shown as what it is."""
    summary = ClassSummary()
    for name in ("left", "right"):
        wrong = case("knot", Verdict.WA, message=name, mismatch=Mismatch(kind="frame", message=name))
        summary.add(view(sheet(name, cases=[wrong]), Audience.STAFF))
    assert [group.message for group in summary.groups()] == ["One of them reads: left"]


def test_rows_are_as_wide_as_the_matrix() -> None:
    """A submission that was never run has a mark for every case all the same."""
    summary = ClassSummary()
    summary.add(view(sheet("z", cases=(), problem="Nothing was handed in."), Audience.STAFF))
    summary.add(view(sheet("a", cases=[case("one"), case("two", Verdict.RTE)]), Audience.STAFF))
    assert [(row.id, row.marks) for row in summary.sorted_rows()] == [("a", ("AC", "RTE")), ("z", ("", ""))]
    assert [row.id for row in summary.failed_to_load()] == ["z"]


def test_a_class_needs_little_memory(tmp_path: Path) -> None:
    """A submission of 24 cases leaves less than 10 kB behind, whatever it printed: ten thousand, less than 100 MB."""
    loud = Evidence(input="i" * 10_000, stdout=Stream(size=50_000, data=b"x" * 50_000))
    cases = [case(f"c{number}", Verdict.WA, evidence=loud) for number in range(24)]
    writer = RunWriter(Style(out=tmp_path, formats=("json",), keep_sheets=False))
    writer.add(sheet("s", cases=cases))
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for number in range(40):
        writer.add(sheet(f"s{number:03}", cases=cases))
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 40 * 10_000
    assert writer.finish().submissions == 41
    assert len(json.loads((tmp_path / "results.json").read_text())["submissions"]) == 41


def graded_class(out: Path, *names: str, audience: Audience = Audience.STAFF) -> None:
    style = Style(out=out, audience=audience, formats=FORMATS, keep_sheets=audience is Audience.STAFF)
    writer = RunWriter(style)
    for name in names:
        writer.add(rich_sheet(name))
    writer.finish()


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_staff_files_are_their_owners_alone(tmp_path: Path, umask: int) -> None:
    """Whatever the umask says, nobody else reads hidden cases and marks; a second run closes open files."""
    before = os.umask(umask)
    try:
        graded_class(tmp_path / "a" / "out", "ann", "bob")
        for path in (tmp_path / "a" / "out").rglob("*"):
            path.chmod(0o777 if path.is_dir() else 0o666)
        (tmp_path / "a" / "out").chmod(0o777)
        graded_class(tmp_path / "a" / "out", "ann", "bob")
        graded_class(tmp_path / "b" / "out", "ann")
    finally:
        os.umask(before)
    for out in (tmp_path / "a" / "out", tmp_path / "b" / "out"):
        assert out.stat().st_mode & 0o077 == 0
        open_files = [path for path in out.rglob("*") if path.is_file() and path.stat().st_mode & 0o077]
        assert open_files == []


def test_a_folder_that_was_there_keeps_its_mode(tmp_path: Path) -> None:
    """A run into the working directory closes its files, not the directory."""
    tmp_path.chmod(0o755)
    graded_class(tmp_path, "ann")
    assert tmp_path.stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "ann").stat().st_mode & 0o077 == 0


def test_students_files_can_be_handed_out(tmp_path: Path) -> None:
    """What is made for students has the modes of any new file."""
    graded_class(tmp_path / "out", "ann", audience=Audience.STUDENT)
    assert (tmp_path / "out" / "ann" / "report.html").stat().st_mode & 0o044


def test_ids_that_differ_in_case_have_folders_of_their_own() -> None:
    """On a file system that takes Ann for ann, each still has a folder; so has everything that is reserved."""
    names = ["ann", "Ann", "ANN", "aNN", "sheets", "Sheets", "nul", "NUL.txt", "a.", "A.", "İ", "i̇", "ß", "ss", "SS"]
    names += [folder_name(name) for name in names]
    made = {folder_name(name).casefold() for name in names}
    assert len(made) == len(set(names))


@pytest.mark.parametrize("place", [0, 1, 5, 40, 200, -30, -1])
def test_a_damaged_sheet_is_one_clear_line(tmp_path: Path, place: int) -> None:
    """A flipped bit anywhere is told with the file's name; nothing is rendered from it."""
    store(tmp_path, rich_sheet("ann"))
    path = sheet_path(tmp_path, "ann")
    data = bytearray(path.read_bytes())
    for bit in (1, 8, 128):
        flipped = bytearray(data)
        flipped[place] ^= bit
        path.write_bytes(flipped)
        with pytest.raises(UsageError) as told:
            list(stored(tmp_path))
        assert str(path) in str(told.value)
        assert len(str(told.value).splitlines()) == 2
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(UsageError, match="damaged"):
        list(stored(tmp_path))


def test_who_has_left_is_not_rendered_again(tmp_path: Path) -> None:
    """`grader report` shows the last run's class, whoever was graded into that folder before."""
    graded_class(tmp_path, "ann", "bob")
    graded_class(tmp_path, "ann", "cleo")
    assert [each.submission for each in stored(tmp_path)] == ["ann", "cleo"]
