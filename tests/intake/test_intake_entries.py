"""Promises about who is in a class: everyone is graded or named, and nobody's name depends on the command line."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tarfile
import unicodedata
import zipfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from asked import asked, gather
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.intake.entries import Entry, Kind, _with_ids, entries, list_class

if TYPE_CHECKING:
    from collections.abc import Callable

REPOSITORY = Path(__file__).parents[2]


def put(path: Path, content: str | bytes = "1") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def zipped(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/").replace("_py", ".py"), text)
    return path


def encrypted(path: Path) -> None:
    raw = bytearray(zipped(path, solve_py="1").read_bytes())
    raw[6] |= 1
    raw[raw.find(b"PK\1\2") + 8] |= 1
    path.write_bytes(raw)


def linked(path: Path) -> None:
    put(path.parent / "ann" / "solve.py")
    path.symlink_to("ann")


def bound(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


def folder_with(make: Callable[[Path], object]) -> Callable[[Path], None]:
    def made(path: Path) -> None:
        path.mkdir()
        make(path / "solve.py")

    return made


ODD: dict[str, tuple[Callable[[Path], object], str]] = {
    "x.rar": (lambda path: put(path, b"Rar!\x1a\x07"), "no archive that can be read"),
    "x.7z": (put, "no archive that can be read"),
    "x.gz": (put, "no archive that can be read"),
    "x.zip": (lambda path: put(path, b"Rar!\x1a\x07"), "is a RAR archive; hand in a zip"),
    "y.zip": (encrypted, "solve.py is encrypted"),
    "z.zip": (lambda path: put(path, b""), "can't be read as a zip"),
    "x.tar.gz": (lambda path: put(path, b"\x1f\x8bnot really"), "can't be read as a tar"),
    "x.tar": (lambda path: put(path, b"\0" * 3), "can't be read as a tar"),
    "x.ipynb": (put, "is a notebook"),
    "x.txt": (put, "no Python file, folder, zip or tar"),
    "no-suffix": (put, "no Python file, folder, zip or tar"),
    "link": (linked, "a symbolic link"),
    "dangling": (lambda path: path.symlink_to("nowhere"), "a symbolic link"),
    "loop": (lambda path: path.symlink_to(path), "a symbolic link"),
    "pipe.py": (os.mkfifo, "no plain file"),
    "socket.py": (bound, "no plain file"),
    "empty": (Path.mkdir, "there was nothing."),
    "inner-pipe": (folder_with(os.mkfifo), "solve.py is no plain file"),
    "inner-link": (folder_with(lambda path: path.symlink_to("/etc/passwd")), "solve.py is a symbolic link"),
    "inner-folder": (folder_with(Path.mkdir), "there was nothing."),
    "inner-hidden": (lambda path: put(path / ".src" / "solve.py"), ".src/solve.py is inside .src/"),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_entry_is_named_with_its_reason_and_stops_nobody(tmp_path: Path, name: str) -> None:
    """It gets a sheet with a problem, whether the class's folder is named or everything in it."""
    make, reason = ODD[name]
    put(tmp_path / "ann" / "solve.py")
    make(tmp_path / name)
    for paths in ([tmp_path], sorted(tmp_path.iterdir(), reverse=True)):
        found = gather(*paths)
        (odd,) = [submission for submission in found.values() if submission.id != "ann"]
        assert reason in odd.problem
        assert not found["ann"].problem


def test_names_that_are_nobodys_are_told(tmp_path: Path) -> None:
    """Hidden files, lists and notes get no sheet, but whoever grades hears of them."""
    put(tmp_path / "ann" / "solve.py")
    for name in (".DS_Store", ".git-credentials", "README.md", "roster.csv", "__MACOSX/x", "__pycache__/x"):
        put(tmp_path / name)
    listed = list_class([tmp_path], asked())
    assert [entry.id for entry in listed.entries] == ["ann"]
    left_out = sorted(item.path for item in listed.left_out)
    assert left_out == [".DS_Store", ".git-credentials", "README.md", "__MACOSX", "__pycache__", "roster.csv"]


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_is_taken_like_a_zip(tmp_path: Path, mode: str) -> None:
    """Only its plain files below its top enter; links, devices and paths that lead out are left out and named."""
    suffix = {"w": ".tar", "w:gz": ".tar.gz", "w:bz2": ".tbz2", "w:xz": ".tar.xz"}[mode]
    with tarfile.open(tmp_path / f"ann{suffix}", mode) as archive:  # type: ignore[call-overload]
        for name, kind in (("hw/solve.py", b"0"), ("../up.py", b"0"), ("hw/a.py", b"2"), ("hw/dev.py", b"3")):
            member = tarfile.TarInfo(name)
            member.type, member.size, member.linkname = kind, int(kind == b"0"), "/etc/passwd"
            archive.addfile(member, BytesIO(b"1"))
    found = gather(tmp_path / f"ann{suffix}")["ann"]
    assert [file.path for file in found.files] == ["solve.py"]
    assert {note.path for note in found.notes} == {"../up.py", "hw/a.py", "hw/dev.py"}


def test_everyone_of_a_class_zip_appears(tmp_path: Path) -> None:
    """Whoever forgot the file, or has an empty folder, is there with the reason; so are loose files."""
    class_zip = zipped(tmp_path / "class.zip", ann__solve_py="1", bob__src__solve_py="2", eve__other_py="3")
    with zipfile.ZipFile(class_zip, "a") as archive:
        archive.mkdir("mia") if sys.version_info >= (3, 11) else archive.writestr("mia/", "")
        archive.writestr("carol.py", "4")
        archive.writestr("dan.zip", "5")
        archive.writestr("__MACOSX/ann/._solve.py", "6")
        archive.writestr("odd\nname/solve.py", "7")
        archive.writestr("/abs/solve.py", "8")
    found = gather(class_zip)
    assert sorted(found) == ["abs", "ann", "bob", "carol", "dan", "eve", "mia", "odd?name"]
    assert "solve.py is named with control characters" in found["odd?name"].problem
    assert sorted(name for name in found if not found[name].problem) == ["ann", "bob", "carol"]
    assert "an archive inside the class's zip" in found["dan"].problem


LAYOUTS: dict[str, tuple[str, ...]] = {
    "nested": ("ann/hw1/solve.py", "bob/hw1/solve.py"),
    "one nested": ("ann/solve.py", "bob/hw1/solve.py", "carol.py"),
    "missing": ("ann/hw1/solve.py", "bob/notes.txt", "mia/src/other.py"),
    "two versions": ("ann/v1/solve.py", "ann/v2/solve.py", "bob/solve.py", "carol/hw/solve.py"),
    "moodle": ("Ann A_12_assignsubmission_file_/solve.py", "Bob B_13_assignsubmission_file_/hw/solve.py"),
    "canvas": ("aann_12_345_solve.py", "bbob_LATE_13_346_solve-1.py"),
    "cases": ("Ann/solve.py", "ann/solve.py", "ANN.py"),
    "suffixes": ("ann/solve.py", "ann.py", "ann-2/solve.py", "ann.zip"),
    "parts": ("ann/part1/solve.py", "ann/part2/solve.py", "bob/part1/solve.py", "bob/part2/solve.py"),
    "sections": ("a/ann/solve.py", "a/bob/solve.py", "b/carol/solve.py", "b/dan/solve.py"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_folder_and_everything_in_it_name_students_alike(tmp_path: Path, layout: str) -> None:
    """`subs`, `subs/` and `subs/*`, in whatever order the shell gives them."""
    for path in LAYOUTS[layout]:
        put(tmp_path / path)
    folder = [(entry.id, entry.path) for entry in entries([tmp_path], asked())]
    children = sorted(tmp_path.iterdir())
    assert [(entry.id, entry.path) for entry in entries([Path(f"{tmp_path}/")], asked())] == folder
    assert [(entry.id, entry.path) for entry in entries(children, asked())] == folder
    assert [(entry.id, entry.path) for entry in entries(children[::-1] + children, asked())] == folder


def test_students_are_named_by_their_own_folders(tmp_path: Path) -> None:
    """A folder inside that everybody has doesn't name anybody; sections do name their students."""
    for path in (*LAYOUTS["nested"], *LAYOUTS["two versions"]):
        put(tmp_path / "one" / path)
    assert [entry.id for entry in entries([tmp_path / "one"], asked())] == ["ann", "bob", "carol"]
    for path in LAYOUTS["parts"]:
        put(tmp_path / "three" / path)
    assert [entry.id for entry in entries([tmp_path / "three"], asked())] == ["ann", "bob"]
    put(tmp_path / "four" / "ann" / "v1" / "solve.py")
    put(tmp_path / "four" / "ann" / "v2" / "solve.py")
    assert [entry.id for entry in entries([tmp_path / "four"], asked())] == ["ann"]
    for path in LAYOUTS["sections"]:
        put(tmp_path / "two" / path)
    expected = ["ann", "bob", "carol", "dan"]
    assert [entry.id for entry in entries([tmp_path / "two"], asked())] == expected
    assert [entry.id for entry in entries([tmp_path / "two" / "a", tmp_path / "two" / "b"], asked())] == expected


def test_what_can_be_graded_keeps_its_name(tmp_path: Path) -> None:
    """Notes of the same name don't take it away, nor does somebody else's suffix."""
    for path in ("a/ann.txt", "a/ann.py", "b/ann/solve.py", "c/ann-2/solve.py"):
        put(tmp_path / path)
    paths = [tmp_path / "a" / "ann.txt", tmp_path / "a" / "ann.py", tmp_path / "b" / "ann", tmp_path / "c" / "ann-2"]
    ids = {Path(entry.path).relative_to(tmp_path).as_posix(): entry.id for entry in entries(paths, asked())}
    assert ids == {"a/ann.py": "ann", "a/ann.txt": "ann-4", "b/ann": "ann-3", "c/ann-2": "ann-2"}
    note = gather(*paths)["ann-3"].notes[0]
    assert note.message == "another submission has the same name; this one, ann, is ann-3"


@given(st.lists(st.sampled_from(["x", "X", "x-2", "X-2", "x-3", "x.py", "u\u0308", "\xfc", "\xfc-2"]), max_size=12))
@settings(max_examples=60, deadline=None)
def test_ids_never_collide(names: list[str]) -> None:
    """Law: whatever the names, ids differ even where case or Unicode's form doesn't count, and are the same again."""
    listed = [
        Entry(id=name, name=name, path=f"{number}/{name}", kind=Kind.FOLDER) for number, name in enumerate(names)
    ]
    ids = [entry.id for entry in _with_ids(listed)]
    assert len({unicodedata.normalize("NFC", each).casefold() for each in ids}) == len(names)
    assert ids == [entry.id for entry in _with_ids(listed)]


def test_what_may_not_be_read_is_named(open_path: Path) -> None:
    """An unreadable folder, file or handed-in file of one student stops nobody else."""
    for path in ("ann/solve.py", "bob/solve.py", "carol/solve.py", "carol/data/x", "dan.py", "eve.zip"):
        put(open_path / path)
    for path in ("ann", "bob/solve.py", "carol/data", "dan.py", "eve.zip"):
        (open_path / path).chmod(0)
    code = (
        "import os, sys; from pathlib import Path\n"
        "from grader.intake.collect import collect; from asked import asked\n"
        "import tarfile, encodings.idna, lzma\n"
        "if os.getuid() == 0: os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "for found in collect([Path(sys.argv[1])], asked()):\n"
        "    print(found.id, '|', found.problem or found.notes[0].message)"
    )
    where = {"PYTHONPATH": f"{REPOSITORY}:{REPOSITORY / 'tests/intake'}:{REPOSITORY / 'tests/factories'}"}
    ran = subprocess.run(
        [sys.executable, "-c", code, open_path], env=where, text=True, capture_output=True, check=False
    )
    told = dict(line.split(" | ", 1) for line in ran.stdout.splitlines())
    assert "can't be read: Permission denied" in told["ann"], ran.stderr
    assert told["bob"].startswith("solve.py can't be read: Permission denied")
    assert told["carol"] == "data/ was left out: can't be read: Permission denied"
    assert told["dan"].startswith("solve.py can't be read: Permission denied")
    assert "can't be read as a zip: Permission denied" in told["eve"]
