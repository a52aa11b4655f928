"""A kit of one's own is packed wherever it lies, without its secrets, or is refused with the reason."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest
from own_course import LAYOUTS, RIGHT, SECRET, WRONG, make_course

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def pack(course: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grader", "kit", "-a", "sums", *options]
    return subprocess.run(command, cwd=course, capture_output=True, text=True, check=False, timeout=200)


def contents(content: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            yield name, archive.read(name)
            if name.endswith(".pyz"):
                yield from contents(archive.read(name))


def check(kit: Path, folder: Path, source: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Check a solution with the packed kit, in a folder that has nothing else."""
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(kit) as archive:
        archive.extract("check.pyz", folder)
    (folder / "sums.py").write_text(source)
    command = [sys.executable, "-I", "-S", "check.pyz", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=200)


@pytest.mark.parametrize("own_judge", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_kit_is_packed_wherever_it_lies(layout: str, own_judge: bool, tmp_path: Path) -> None:
    """Helpers, data and judge come along; solver, hidden cases and other files don't, in no byte."""
    course = make_course(tmp_path / "course", layout, own_judge=own_judge)
    done = pack(course)
    assert done.returncode == 0, done.stderr
    kit = course / "sums-kit.zip"
    assert not [name for name, content in contents(kit.read_bytes()) if SECRET.encode() in content]
    assert check(kit, tmp_path / "right", RIGHT).returncode == 0
    wrong = check(kit, tmp_path / "wrong", WRONG.replace("abs", "1 + int(0) * abs"))
    assert wrong.returncode == 1
    assert "the sum isn't 3." in wrong.stdout, wrong.stdout + wrong.stderr


@pytest.mark.parametrize(
    ("found", "said", "message"),
    [
        ('WITHHELD = ("kits.secret",)', "", "doesn't say which of its modules stay with the course"),
        ('WITHHELD = ("kits.secret",)', 'WITHHELD = ("kits.secert",)', "names kits.secert, which isn't there"),
        ('WITHHELD = ("kits.secret",)', 'WITHHELD = "kits.secret"', "must be a tuple of names"),
        ("def kit():", "import msgspec, yaml\n\ndef kit():", "yaml is imported, and students' machines"),
        ("from kits.words import sentence", "sentence = __import__('kits.' + 'words').words.sentence", "No module"),
        ("def read(self, record):", "def read(self, record):\n        open('kits/x')", "No such file"),
        ('WITHHELD = ("kits.secret",)', 'WITHHELD = ("kits.secret", "sentence.txt")', "sentence.txt"),
    ],
)
def test_what_would_fail_at_home_fails_when_packed(found: str, said: str, message: str, tmp_path: Path) -> None:
    """A kit that doesn't run by itself is never handed out; the error says what is missing."""
    course = make_course(tmp_path)
    source = (course / "kits" / "sums.py").read_text()
    assert found in source
    (course / "kits" / "sums.py").write_text(source.replace(found, said))
    done = pack(course)
    assert done.returncode == 3, done.stdout + done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (course / "sums-kit.zip").exists()


def test_nothing_withheld_is_a_valid_answer(tmp_path: Path) -> None:
    """`WITHHELD = ()` hands the whole kit out, solver and all."""
    course = make_course(tmp_path)
    path = course / "kits" / "sums.py"
    path.write_text(path.read_text().replace('WITHHELD = ("kits.secret",)', "WITHHELD = ()"))
    assert pack(course).returncode == 0
    assert "kits/secret.py" in dict(contents((course / "sums-kit.zip").read_bytes()))


def test_a_judge_that_needs_no_kit_packs_none(tmp_path: Path) -> None:
    """A kit that says nothing about its secrets stays with the course where the judge can do without it."""
    course = make_course(tmp_path / "course")
    path = course / "kits" / "sums.py"
    path.write_text(path.read_text().replace('WITHHELD = ("kits.secret",)', ""))
    assignment = course / "cases" / "sums" / "assignment.yaml"
    assignment.write_text(assignment.read_text().replace("judges.strict", "stdout"))
    cases = course / "cases" / "sums" / "cases.yaml"
    cases.write_text(cases.read_text().replace("value: 6", 'stdout: "6"').replace("value: -1", 'stdout: "-1"'))
    done = pack(course)
    assert done.returncode == 0, done.stderr
    assert not [name for name, _ in contents((course / "sums-kit.zip").read_bytes()) if name.startswith("kits")]
    assert check(course / "sums-kit.zip", tmp_path / "right", RIGHT).returncode == 0


def test_four_functions_are_a_kit(tmp_path: Path) -> None:
    """parse, solve, read and check go through record, verify, check and grade; a hunt says what it lacks."""
    course = make_course(tmp_path / "course", own_judge=False)
    cases = course / "cases" / "sums" / "cases.yaml"
    cases.write_text(cases.read_text().replace(", expect: {value: 6}", "").replace(" maze:", " input:"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "sums.py").write_text(RIGHT)

    def grader(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "grader", *words, "-a", "sums"]
        return subprocess.run(command, cwd=course, capture_output=True, text=True, check=False, timeout=200)

    assert "+" in grader("cases", "record", "--yes").stdout
    assert "expect: {value: 6}" in cases.read_text()
    assert "2 expected answers match" in grader("cases", "verify", "--keys-only").stdout
    assert grader("check", "../mine").returncode == 0
    assert "2/2" in grader("grade", "../mine").stdout
    hunted = grader("hunt", "../mine")
    assert hunted.returncode == 2
    assert "makes no puzzles" in hunted.stderr
