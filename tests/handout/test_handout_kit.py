"""Promises of the students' kit: nothing hidden inside, the same verdicts outside."""

from __future__ import annotations

import ast
import io
import json
import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from grader.catalogue.load import load_assignment
from grader.handout.pack import pack_kit
from grader.intake.collect import collect_one
from grader.model.assignment import CaseFacts
from grader.model.kit import Expect
from grader.model.verdict import Verdict, Visibility
from grader.pipeline.grade import grade
from grader.pipeline.prepare import prepare
from grader.prove.matrix import solutions_below
from grader.wiring import Settings, open_grading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import Assignment

ROOT = Path(__file__).parents[2]
NAMES = ["lefthand", "alice-csv", "alice-grid", "alice-263", "runner"]
CANARY = "c4n4ry"


def members(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Give every file of a zip, of the zips in it, too."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            inner = archive.read(name)
            yield name, inner
            if name.endswith(".pyz"):
                yield from members(inner)


def with_canary(assignment: Assignment) -> Assignment:
    """Mark everything of every case that isn't visible."""
    cases = tuple(
        case
        if case.facts.visibility is Visibility.VISIBLE
        else msgspec.structs.replace(
            case,
            facts=CaseFacts(
                id=f"{CANARY}-{case.id}",
                title=CANARY,
                hint=CANARY,
                tags=(CANARY,),
                visibility=case.facts.visibility,
            ),
            raw=case.raw + CANARY.encode(),
            expect=Expect(value=CANARY),
        )
        for case in assignment.cases
    )
    return msgspec.structs.replace(assignment, cases=cases)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_hidden_is_inside(name: str) -> None:
    """No hidden case, no solver, no generator, in no file of the kit."""
    assignment = load_assignment(ROOT / "cases", name)
    packed = dict(members(pack_kit(with_canary(assignment))))
    assert not [path for path, content in packed.items() if CANARY.encode() in content]
    forbidden = ("solve", "search", "pseudocode", "walk", "suspects", "puzzles", "play_puzzles")
    for path in packed:
        if path.startswith(("reference/lefthand", "reference/runner")):
            assert Path(path).stem not in forbidden, path
    assert "reference/alice/solve.py" not in packed


def test_the_same_course_packs_to_the_same_bytes() -> None:
    assignment = load_assignment(ROOT / "cases", "lefthand")
    assert pack_kit(assignment) == pack_kit(assignment)


@pytest.mark.parametrize("name", NAMES)
def test_the_kits_verdicts_are_the_official_ones(name: str, tmp_path: Path) -> None:
    """A bare Python without any package gives, case by case, what the course gives."""
    assignment = load_assignment(ROOT / "cases", name)
    with zipfile.ZipFile(io.BytesIO(pack_kit(assignment))) as archive:
        archive.extractall(tmp_path)
    tree = solutions_below(ROOT / "reference" / "solutions" / name)
    chosen = [*(p for p in tree if p.parent.name == "AC")][:2] + [*(p for p in tree if p.parent.name == "WA")][::9][
        :3
    ]
    chosen += [p for p in tree if p.parent.name in {"PV", "RTE"}][:2]
    plan = prepare(assignment, lambda case: case.facts.visibility is Visibility.VISIBLE)
    with open_grading(Settings(workers=2, remember=False), plan) as grading:
        submissions = (msgspec.structs.replace(collect_one(path, assignment), id=str(path)) for path in chosen)
        official = {sheet.submission: sheet for sheet in grade(grading, submissions)}
    for path in chosen:
        shown = subprocess.run(
            [sys.executable, "-I", "-S", str(tmp_path / "check.pyz"), str(path)],
            capture_output=True,
            text=True,
            check=False,
            timeout=200,
        )
        expected = [
            f"{'ok' if case.verdict is Verdict.AC else case.verdict.value:<4} {case.facts.title}"
            for case in official[str(path)].cases
        ]
        titles = {line[5:] for line in expected}
        assert [line for line in shown.stdout.splitlines() if line[5:] in titles] == expected, (
            shown.stdout + shown.stderr
        )
        assert shown.returncode == (0 if all(line.startswith("ok") for line in expected) else 1)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(pack_kit(load_assignment(ROOT / "cases", "runner")))) as archive:
        archive.extract("check.pyz", tmp_path)
    (tmp_path / "mine").mkdir()
    shown = subprocess.run(
        [sys.executable, "check.pyz", "mine"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert shown.returncode == 2
    assert "no maze.py found" in shown.stderr


@pytest.mark.parametrize("name", ["lefthand", "runner", "alice-csv"])
def test_hidden_answers_are_confirmed_without_being_inside(name: str, tmp_path: Path) -> None:
    """With --self-check a right solution is confirmed and a wrong one isn't; small answers are not checkable."""
    assignment = load_assignment(ROOT / "cases", name)
    content = pack_kit(assignment, self_check=True)
    packed = dict(members(content))
    hidden = [case for case in assignment.cases if case.facts.visibility is not Visibility.VISIBLE]
    data = json.loads(packed["kit.json"])["hidden"]
    assert len(data) == len(hidden)
    assert [each["case"]["expect"] for each in data if each["checkable"] and each["case"]["expect"]] == []
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / assignment.files[0].name).write_text("")
    checkable = sum(each["checkable"] for each in data)
    tree = ROOT / "reference" / "solutions" / name
    for folder, is_right in (
        (min((tree / "AC").iterdir()), True),
        (tmp_path / "empty", False),
    ):
        shown = subprocess.run(
            [sys.executable, "-I", "-S", str(tmp_path / "check.pyz"), str(folder)],
            capture_output=True,
            text=True,
            check=False,
            timeout=200,
        )
        line = next(line for line in shown.stdout.splitlines() if line.startswith("hidden cases:"))
        assert f"{len(hidden) - checkable} not checkable" in line
        assert line.startswith(f"hidden cases: {checkable} of {checkable} ") == (is_right or checkable == 0)
    if name != "alice-csv":
        assert checkable > 0


@pytest.fixture(scope="module")
def runner_kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the kit of `runner` beside a solution that is wrong everywhere."""
    folder = tmp_path_factory.mktemp("kit")
    with zipfile.ZipFile(io.BytesIO(pack_kit(load_assignment(ROOT / "cases", "runner")))) as archive:
        archive.extractall(folder)
    (folder / "maze.py").write_text("def move_algo(maze, me, rows, columns):\n    return 9\n")
    return folder


@pytest.mark.parametrize("version", [(3, 6), (3, 9), (3, 10)])
def test_an_old_python_is_told_in_a_sentence(version: tuple[int, int], runner_kit: Path) -> None:
    """The first file that runs can be read by any Python 3, and it says what is needed."""
    start = dict(members((runner_kit / "check.pyz").read_bytes()))["__main__.py"]
    ast.parse(start, feature_version=version)
    code = f"import runpy, sys; sys.version_info = {(*version, 1)}; runpy.run_path('check.pyz', {{}}, '__main__')"
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=runner_kit, capture_output=True, text=True, check=False, timeout=100
    )
    assert shown.returncode == 2
    assert shown.stderr == f"check: it needs Python 3.11 or newer; this is Python {version[0]}.{version[1]}\n"


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--help"], 0, "--only GLOB"),
        (["--onyl", "smoke"], 2, "unrecognized arguments"),
        (["--only"], 2, "expected one argument"),
        (["--only", "no-such-case"], 2, "no visible case is called no-such-case"),
        (["nowhere.py"], 2, "nowhere.py"),
    ],
)
def test_words_that_are_no_use_are_told(words: list[str], status: int, said: str, runner_kit: Path) -> None:
    """A slip on the command line never looks like success."""
    shown = subprocess.run(
        [sys.executable, "check.pyz", *words],
        cwd=runner_kit,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert shown.returncode == status, shown.stdout + shown.stderr
    assert said in shown.stdout + shown.stderr
    assert "Traceback" not in shown.stderr


def test_a_reader_that_has_enough_ends_it_quietly(runner_kit: Path) -> None:
    """`| head` is no reason for a traceback."""
    command = f"{sys.executable} -u check.pyz | head -1"
    shown = subprocess.run(
        command, shell=True, cwd=runner_kit, capture_output=True, text=True, check=False, timeout=300
    )
    assert shown.stdout.startswith("WA")
    assert shown.stderr == ""


def test_an_interrupt_ends_it_quietly(runner_kit: Path, tmp_path: Path) -> None:
    """Ctrl-C gives a line and status 130, and leaves nothing behind."""
    (tmp_path / "maze.py").write_text("def move_algo(maze, me, rows, columns):\n    while True: pass\n")
    (tmp_path / "scratch").mkdir()
    running = subprocess.Popen(
        [sys.executable, "-u", str(runner_kit / "check.pyz"), str(tmp_path / "maze.py")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(tmp_path / "scratch")},
        start_new_session=True,
    )
    assert running.stdout is not None
    assert running.stdout.readline().startswith("TLE")
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=100)
    assert running.returncode == 130
    assert said.strip() == "check: stopped"
    assert not list((tmp_path / "scratch").iterdir())
