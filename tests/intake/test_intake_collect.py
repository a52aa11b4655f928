"""Promises of the intake room."""

from __future__ import annotations

import os
import zipfile
from typing import TYPE_CHECKING

import pytest
from model_values import make_assignment

from grader.errors import UsageError
from grader.intake.collect import collect, collect_one
from grader.intake.offered import MOST_BYTES, MOST_FILE_BYTES

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model.submission import Submission

ASSIGNMENT = make_assignment("solve.py")


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_py", ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def gather(*paths: Path) -> dict[str, Submission]:
    return {submission.id: submission for submission in collect(paths, ASSIGNMENT)}


def test_a_folder_with_the_file_is_one_submission(tmp_path: Path) -> None:
    """Helpers beside the solution come along."""
    found = gather(write(tmp_path / "ann", solve_py="1", helper_py="2", pack__part_py="3"))
    assert [file.path for file in found["ann"].files] == ["helper.py", "pack/part.py", "solve.py"]


def test_a_folder_of_submissions_gives_one_each(tmp_path: Path) -> None:
    """Folders, zips and single files of a class are told apart, whoever forgot the file is named."""
    write(tmp_path, ann__src__solve_py="1", bob__other_py="2", carol_py="3", README="x")
    with zipfile.ZipFile(tmp_path / "dan.zip", "w") as archive:
        archive.writestr("homework/solve.py", "4")
    found = gather(tmp_path)
    assert sorted(found) == ["ann", "bob", "carol", "dan"]
    assert [name for name, submission in found.items() if submission.problem] == ["bob"]
    assert "no solve.py found; there was other.py" in found["bob"].problem
    assert [file.content for file in found["dan"].files] == [b"4"]
    assert [file.path for file in found["ann"].files] == ["solve.py"]
    assert found["carol"].notes[0].message == "carol.py was taken as solve.py"


@pytest.mark.parametrize(
    ("name", "words"), [("sol.ipynb", "a notebook"), ("solve.docx", "a document"), ("solve.py.txt", "`.txt` must go")]
)
def test_what_is_no_program_is_named(tmp_path: Path, name: str, words: str) -> None:
    """A notebook or a document is told what it is, and what to hand in."""
    (tmp_path / name).write_bytes(b"{}")
    problem = collect_one(tmp_path, ASSIGNMENT).problem
    assert words in problem
    assert "hand in your program as solve.py" in problem


def test_a_zip_with_several_students_gives_one_each(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr("ann/solve.py", "1")
        archive.writestr("bob/deep/solve.py", "2")
        archive.writestr("__MACOSX/ann/._solve.py", "junk")
    assert sorted(gather(tmp_path / "class.zip")) == ["ann", "bob"]


def test_same_names_stay_apart(tmp_path: Path) -> None:
    one, two = write(tmp_path / "x" / "ann", solve_py="1"), write(tmp_path / "y" / "ann", solve_py="2")
    assert sorted(gather(one, two)) == ["ann", "ann-2"]


def test_a_near_name_is_taken_and_noted(tmp_path: Path) -> None:
    """A student who wrote Solve.py on a Mac is graded, and told."""
    found = gather(write(tmp_path / "ann", Solve_py="1"))["ann"]
    assert [file.path for file in found.files] == ["solve.py"]
    assert found.notes[0].kind == "renamed"


def test_the_shallowest_of_several_is_graded_and_said(tmp_path: Path) -> None:
    found = collect_one(write(tmp_path / "ann", old__copy__solve_py="old", new__solve_py="new"), ASSIGNMENT)
    assert found.files[0].content == b"new"
    assert found.notes[0].kind == "duplicate"


def test_start_up_code_never_enters(tmp_path: Path) -> None:
    """Compiled files, .pth and sitecustomize are dropped with a note; litter is dropped in silence."""
    folder = write(tmp_path / "ann", solve_py="1", sitecustomize_py="evil")
    for name in ("x.pth", "y.so", "z.pyc", ".DS_Store"):
        (folder / name).write_bytes(b"")
    found = gather(folder)["ann"]
    assert [file.path for file in found.files] == ["solve.py"]
    assert sorted(note.path for note in found.notes) == ["sitecustomize.py", "x.pth", "y.so", "z.pyc"]


def test_links_are_never_followed(tmp_path: Path) -> None:
    """A link to /etc/passwd or to a neighbour is left out, whether file or folder."""
    folder = write(tmp_path / "ann", solve_py="1")
    (folder / "stolen.py").symlink_to("/etc/passwd")
    (folder / "there").symlink_to("/etc")
    found = gather(folder)["ann"]
    assert [file.path for file in found.files] == ["solve.py"]
    assert found.notes[0].message == "stolen.py was left out: a symbolic link"


def test_a_fifo_does_not_hang(tmp_path: Path) -> None:
    folder = write(tmp_path / "ann", solve_py="1")
    os.mkfifo(folder / "pipe.txt")
    assert [file.path for file in gather(folder)["ann"].files] == ["solve.py"]


@pytest.mark.parametrize("name", ["../solve.py", "/tmp/solve.py", "C:\\solve.py", "a/../../solve.py", "bad\nname.py"])
def test_a_zip_cannot_reach_outside(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "ann.zip", "w") as archive:
        archive.writestr("solve.py", "1")
        archive.writestr(name, "evil")
    found = gather(tmp_path / "ann.zip")["ann"]
    assert [file.path for file in found.files] == ["solve.py"]
    assert found.notes[0].kind == "dropped"


def test_a_zip_bomb_is_refused_without_unpacking(tmp_path: Path) -> None:
    """The declared size is checked first, and what is read is bounded whatever was declared."""
    with zipfile.ZipFile(tmp_path / "ann.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("solve.py", b"0" * (MOST_FILE_BYTES + 1))
    assert "too large" in gather(tmp_path / "ann.zip")["ann"].problem


def test_large_data_beside_the_solution_is_left_out(tmp_path: Path) -> None:
    folder = write(tmp_path / "ann", solve_py="1")
    for number in range(4):
        (folder / f"data{number}.bin").write_bytes(b"0" * (MOST_BYTES // 3))
    found = gather(folder)["ann"]
    assert "solve.py" in {file.path for file in found.files}
    assert sum(len(file.content) for file in found.files) <= MOST_BYTES
    assert any(note.kind == "too-large" for note in found.notes)


def test_nonsense_instead_of_a_zip_is_a_problem_of_that_submission(tmp_path: Path) -> None:
    (tmp_path / "ann.zip").write_bytes(b"PK\x03\x04 not really")
    (tmp_path / "bob").mkdir()
    write(tmp_path / "bob", solve_py="1")
    found = gather(tmp_path)
    assert "can't be read as a zip" in found["ann"].problem
    assert not found["bob"].problem


def test_a_damaged_member_is_a_problem_not_a_crash(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "ann.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("solve.py", os.urandom(2000))
    raw = bytearray((tmp_path / "ann.zip").read_bytes())
    raw[100:200] = bytes(100)
    (tmp_path / "ann.zip").write_bytes(raw)
    assert "damaged" in gather(tmp_path / "ann.zip")["ann"].problem


def test_a_path_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no"):
        gather(tmp_path / "nobody")
