"""Promises about what enters a submission: it can always be laid out, and what is left out is named."""

from __future__ import annotations

import os
import sys
import tarfile
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from asked import INPUTS, asked, gather
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.intake.choose_files import select
from grader.intake.collect import collect_one
from grader.intake.offered import MOST_FILES, MOST_FOLDERS, Offered

if TYPE_CHECKING:
    from grader.model.submission import Submission

SANDBOX_INODES = 1000
LEFT_TO_THE_PROGRAM = 200


def packed(path: Path, members: dict[str, bytes]) -> Path:
    """Write a zip, a tar or a folder that holds these."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
    elif path.suffix == ".tar":
        with tarfile.open(path, "w") as tar:
            for name, content in members.items():
                member = tarfile.TarInfo(name)
                member.size = len(content)
                tar.addfile(member, BytesIO(content))
    else:
        for name, content in members.items():
            place = path / name.strip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
    return path


def lay_out(submission: Submission, folder: Path, place: str) -> tuple[int, int]:
    """Write the files and one input as the sandbox does; return the number of files and folders, and of blocks."""
    files = {file.path: file.content for file in submission.files if file.path != place}
    for path, content in {**files, place: b"#" * 5000}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    inside = [*folder.rglob("*")]
    return len(inside), sum(-(-path.stat().st_size // 4096) for path in inside if path.is_file())


parts = st.sampled_from(
    [
        "solve.py",
        "Solve.py",
        "maze.txt",
        "Maze.TXT",
        "data",
        "in.txt",
        "a",
        "b.py",
        "x y",
        "é",
        "..",
        ".",
        "",
        "\x01",
        "n\n",
    ]
)
paths = st.lists(parts, min_size=1, max_size=4).map("/".join) | st.integers(0, 60).map(lambda n: "d/" * n + "deep.py")


@given(
    names=st.dictionaries(paths.filter(lambda path: "\0" not in path), st.integers(0, 9000), max_size=12),
    suffix=st.sampled_from([".zip", ".tar"]),
    disk_mib=st.sampled_from([1, 16]),
)
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_is_accepted_can_be_written_beside_every_input(
    names: dict[str, int], suffix: str, disk_mib: int
) -> None:
    """Law: random zips and tars, with colliding, odd, deep and empty names."""
    with tempfile.TemporaryDirectory() as made:
        members = {"solve.py": b"import b", **{name: b"0" * size for name, size in names.items() if name}}
        submission = collect_one(packed(Path(made) / f"ann{suffix}", members), asked(disk_mib=disk_mib))
        assert submission.problem or any(file.path == "solve.py" for file in submission.files)
        for number, place in enumerate(INPUTS):
            if not submission.problem:
                home = Path(made) / f"home{number}"
                home.mkdir()
                inodes, blocks = lay_out(submission, home, place)
                assert inodes <= SANDBOX_INODES - LEFT_TO_THE_PROGRAM
                assert blocks * 4096 < disk_mib << 20


@pytest.mark.parametrize("suffix", [".zip", ".tar", ""])
@pytest.mark.parametrize(
    "members",
    [
        {f"d{number}/e/f{number}.txt": b"1" for number in range(499)},
        {"a/" * depth + "x.txt": b"1" for depth in (1, 29, 30, 31)},
        {f"{number:04}.bin": b"1" * 4097 for number in range(1200)},
        {f"{number}.bin": b"1" * (1 << 20) for number in range(12)},
    ],
    ids=["folders", "depth", "files", "bytes"],
)
def test_masses_of_files_are_cut_to_what_fits(tmp_path: Path, members: dict[str, bytes], suffix: str) -> None:
    """Files, folders, depth and bytes beyond the limits are left out, and the notes say so."""
    submission = collect_one(packed(tmp_path / f"ann{suffix}", {"solve.py": b"1", **members}), asked())
    assert not submission.problem
    kept = {file.path for file in submission.files}
    assert "solve.py" in kept
    assert len(kept) <= MOST_FILES
    assert len({str(above) for path in kept for above in Path(path).parents}) - 1 <= MOST_FOLDERS
    home = tmp_path / "home"
    home.mkdir()
    assert lay_out(submission, home, "maze.txt")[0] <= SANDBOX_INODES - LEFT_TO_THE_PROGRAM
    assert submission.notes
    assert submission.notes[0].path in set(members) - kept


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("maze.txt/x.py", "the folder maze.txt stands where the input maze.txt is put"),
        ("MAZE.TXT/x.py", "the folder MAZE.TXT stands where"),
        ("maze.txt/deep/er/x", "the folder maze.txt stands where"),
        ("data", "the file data stands where the input data/in.txt needs a folder"),
        ("Data", "the file Data stands where"),
        ("data/in.txt/x.txt", "the folder data/in.txt stands where the input data/in.txt is put"),
    ],
)
def test_what_stands_in_an_inputs_way_is_the_submissions_problem(tmp_path: Path, path: str, problem: str) -> None:
    """It is told before anything runs, whichever case's input it is."""
    found = gather(packed(tmp_path / "ann", {"solve.py": b"1", path: b"1"}))["ann"]
    assert problem in found.problem
    assert not found.files


@pytest.mark.parametrize("path", ["maze.txt", "data/in.txt", "data/other.txt", "maze.txt.bak", "mymaze.txt/x"])
def test_a_file_that_an_input_replaces_is_no_problem(tmp_path: Path, path: str) -> None:
    """Students hand in the example mazes, too."""
    assert not gather(packed(tmp_path / "ann", {"solve.py": b"1", path: b"1"}))["ann"].problem


@pytest.mark.parametrize("suffix", [".zip", ".tar"])
@pytest.mark.parametrize(
    ("members", "kept", "left_out"),
    [
        (("solve.py", "a", "a/b.py"), ["a/b.py", "solve.py"], "a was left out: a folder has the same name"),
        (("solve.py", "solve.py/b.py"), ["solve.py"], "solve.py/b.py was left out: solve.py is a file"),
        (("solve.py", "a/b/c", "a/b", "a"), ["a/b/c", "solve.py"], "a was left out: a folder has the same name"),
    ],
)
def test_a_file_that_is_a_folder_too_is_left_out(
    tmp_path: Path, members: tuple[str, ...], kept: list[str], left_out: str, suffix: str
) -> None:
    """The handed-in file wins, then the folder; the note names the loser."""
    found = gather(packed(tmp_path / f"ann{suffix}", dict.fromkeys(members, b"1")))["ann"]
    assert [file.path for file in found.files] == kept
    assert left_out in [note.message for note in found.notes]


@pytest.mark.parametrize("beside", ["a{:04}.txt", "a{:04}.py", "a/{}/x.txt"])
@pytest.mark.parametrize("helper", ["zhelper.py", "zpack/__init__.py", "zpack/zhelper.py"])
def test_modules_that_are_used_win_over_everything_else(tmp_path: Path, beside: str, helper: str) -> None:
    """Six hundred files come first by name; what the program imports, directly or not, is there all the same."""
    members = {beside.format(number): b"1" for number in range(600)}
    members |= {
        "solve.py": b"import middle",
        "zz/middle.py": b"",
        "middle.py": b"from zpack import zhelper",
        helper: b"",
    }
    found = gather(packed(tmp_path / "ann.zip", members))["ann"]
    assert {"solve.py", "middle.py", helper} <= {file.path for file in found.files}
    assert "left out: a" in found.notes[0].message
    assert "more" in found.notes[0].message


def test_choosing_takes_steps_in_proportion_to_the_files() -> None:
    """However many files speak of each other, in a row: `submit` chooses in its own process."""

    def steps(count: int) -> int:
        texts = {"solve.py": b"import m0"} | {f"m{n}.py": b"import m%d" % (n + 1) for n in range(400)}
        texts |= {f"z{n}.txt": b"" for n in range(count)}
        offered = [Offered(path, len(text), BytesIO(text).read) for path, text in texts.items()]
        calls = 0

        def count_call(*_: object) -> None:
            nonlocal calls
            calls += 1

        sys.setprofile(count_call)
        try:
            assert len(select("ann", offered, asked()).files) == 500
        finally:
            sys.setprofile(None)
        return calls

    assert steps(8000) < 6 * steps(2000)


def test_a_used_module_that_does_not_fit_is_a_problem(tmp_path: Path) -> None:
    """Running without it would blame the student for a file that was handed in."""
    members = {f"m{number}.py": b"#" * 4_000_000 for number in range(4)}
    text = "".join(f"import m{number}\n" for number in range(4))
    found = gather(packed(tmp_path / "ann", {"solve.py": text.encode(), **members}))["ann"]
    assert "m2.py is too large" in found.problem


def test_a_small_disk_bounds_what_is_taken(tmp_path: Path) -> None:
    """What is handed in never fills the disk that a case has, together with its input."""
    folder = packed(tmp_path / "ann", {"solve.py": b"1", "data.bin": b"1" * 1_100_000})
    small = gather(folder, assignment=asked(disk_mib=1))["ann"]
    assert [file.path for file in small.files] == ["solve.py"]
    assert "left out: data.bin" in small.notes[0].message
    large = packed(tmp_path / "bob", {"solve.py": b"#" * 1_100_000})
    assert "too large" in gather(large, assignment=asked(disk_mib=1))["bob"].problem


@pytest.mark.parametrize("name", ["\x010", "a\nb.py", "x\x7f", "c\x85"])
def test_names_that_nobody_can_read_are_left_out_of_folders_too(tmp_path: Path, name: str) -> None:
    """Control characters, which the sandbox keeps for itself, and bytes that aren't UTF-8."""
    folder = packed(tmp_path / "ann", {"solve.py": b"1", name: b"1"})
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.py")).write_bytes(b"1")
    found = gather(folder)["ann"]
    assert [file.path for file in found.files] == ["solve.py"]
    assert len([note for note in found.notes if note.kind == "dropped"]) == 2


def test_a_decomposed_name_is_the_handed_in_file(tmp_path: Path) -> None:
    """A Mac writes ö as two characters; the file is the same to its author."""
    found = gather(packed(tmp_path / "ann.zip", {"lo\u0308sung.py": b"1"}), assignment=asked("lösung.py"))["ann"]
    assert [file.path for file in found.files] == ["lösung.py"]


def test_a_zip_whose_table_is_huge_is_refused_unread(tmp_path: Path) -> None:
    """The table takes ten times its own memory; its size is looked at first."""
    path = packed(tmp_path / "ann.zip", {"solve.py": b"1"})
    raw = bytearray(path.read_bytes())
    end = raw.rfind(b"PK\5\6")
    raw[end + 12 : end + 16] = (1 << 30).to_bytes(4, "little")
    path.write_bytes(raw)
    assert "lists more files" in gather(path)["ann"].problem


def test_a_tar_bomb_is_refused(tmp_path: Path) -> None:
    """What it unpacks to is bounded, whatever it claims."""
    with tarfile.open(tmp_path / "ann.tgz", "w:gz") as archive:
        member = tarfile.TarInfo("solve.py")
        member.size = 80 << 20
        archive.addfile(member, BytesIO(bytes(80 << 20)))
    assert "unpacks to more than 64 MiB" in gather(tmp_path / "ann.tgz")["ann"].problem


def test_a_deep_folder_is_named_and_not_followed(tmp_path: Path) -> None:
    """Four hundred folders, one inside the other, are no recursion of ours."""
    packed(tmp_path / "ann", {"solve.py": b"1"})
    place = os.open(tmp_path / "ann", os.O_RDONLY)
    for _ in range(400):
        os.mkdir("d", dir_fd=place)
        below = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = below
    os.close(place)
    found = gather(tmp_path / "ann")["ann"]
    assert [file.path for file in found.files] == ["solve.py"]
    assert "more than 30 folders deep" in found.notes[0].message
