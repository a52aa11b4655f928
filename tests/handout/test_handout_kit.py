"""Promises of the students' kit: nothing hidden inside, the same verdicts outside, on any system."""

from __future__ import annotations

import ast
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import bare_python
import msgspec
import pytest
from canary import CANARY, SOLVERS, with_canary
from own_course import make_course
from programs import programs
from source_kinds import KINDS

from grader.catalogue.load import load_assignment
from grader.handout.check import typed
from grader.handout.pack import pack_kit
from grader.intake.collect import collect_one
from grader.model.verdict import Visibility
from grader.pipeline.grade import grade
from grader.pipeline.prepare import prepare
from grader.report.clean import clean
from grader.wiring import Settings, open_grading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import Assignment
    from grader.model.result import GradeSheet

ROOT = Path(__file__).parents[2]
WRONG = {
    "lefthand": "WA/right_hand",
    "alice-csv": "WA/no_diagonals",
    "alice-grid": "WA/no_diagonals",
    "alice-263": "WA/no_diagonals",
    "runner": "WA/beeline",
}
"""A solution of each assignment that a visible case fails."""
ACCUSED = {"alice-263": "WA/first_row_lost", "runner": "WA/numbered_from_right"}
"""Solutions whose mistake is named by what only the withheld modules know."""

_FOLDER = re.compile(r"/\S+/")
"""Where the program lay, in Python's own words about a file that it can't read."""


def members(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Give every file of a zip, of the zips in it, too."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            inner = archive.read(name)
            yield name, inner
            if name.endswith(".pyz"):
                yield from members(inner)


class Kits:
    """The five kits, each packed once from a catalogue in which all that is hidden is marked."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.python = bare_python.make(folder / "python")

    def of(self, name: str) -> Path:
        """Unpack the kit of an assignment; return its folder."""
        folder = self._folder / name
        if not folder.exists():
            content = pack_kit(with_canary(load_assignment(ROOT / "cases", name)))
            (self._folder / f"{name}.zip").write_bytes(content)
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                archive.extractall(folder)
        return folder

    def check(self, name: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run the kit in the bare Python."""
        return subprocess.run(
            [str(self.python), "check.pyz", *words],
            cwd=self.of(name),
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            env=os.environ | more,
        )


@pytest.fixture(scope="module")
def kits(tmp_path_factory: pytest.TempPathFactory) -> Kits:
    return Kits(tmp_path_factory.mktemp("kits"))


@pytest.mark.parametrize("name", WRONG)
def test_nothing_hidden_is_inside(name: str, kits: Kits) -> None:
    """No hidden case, no solver, no generator, in no byte of the kit."""
    packed = dict(members((kits.of(name).parent / f"{name}.zip").read_bytes()))
    assert not [path for path, content in packed.items() if CANARY.encode() in content]
    for package, names in SOLVERS.items():
        assert not {f"reference/{package}/{module}.py" for module in names} & packed.keys()
    assert not [path for path in packed if path.endswith((".pyc", ".so"))]


@pytest.mark.parametrize("name", WRONG)
def test_the_kit_says_what_the_course_says(name: str, kits: Kits) -> None:
    """Without fork, resource, fcntl and the like: case by case verdict and words of `grader check`."""
    right = min(path for path in (programs(name) / "AC").iterdir() if not path.name.startswith("__"))
    wrong = dict.fromkeys((WRONG[name], ACCUSED.get(name, WRONG[name])))
    chosen = (right, *(programs(name) / each for each in wrong))
    for path, sheet in zip(chosen, official(name, chosen), strict=True):
        shown = kits.check(name, str(path), "--json")
        told = json.loads(shown.stdout)["cases"]
        expected = [(case.id, case.verdict, case.message) for case in sheet.cases]
        assert [(case["id"], case["verdict"], case["message"]) for case in told] == expected, shown.stderr
        assert shown.returncode == (0 if path == right else 1)


def official(name: str, paths: tuple[Path, ...]) -> list[GradeSheet]:
    """Grade as the course does."""
    return grade_all(load_assignment(ROOT / "cases", name), paths)


def grade_all(assignment: Assignment, paths: tuple[Path, ...]) -> list[GradeSheet]:
    plan = prepare(assignment, lambda case: case.facts.visibility is Visibility.VISIBLE, timeouts=1)
    with open_grading(Settings(workers=1, remember=False), plan) as grading:
        given = (msgspec.structs.replace(collect_one(path, assignment), id=str(path)) for path in paths)
        sheets = {sheet.submission: sheet for sheet in grade(grading, given)}
    return [sheets[str(path)] for path in paths]


class Sums(NamedTuple):
    """The small course's kit, and what the course says of each kind of file."""

    kit: Path
    sheets: dict[str, GradeSheet]


@pytest.fixture(scope="module")
def sums(tmp_path_factory: pytest.TempPathFactory) -> Sums:
    folder = tmp_path_factory.mktemp("sums")
    assignment = load_assignment(make_course(folder) / "cases", "sums")
    with zipfile.ZipFile(io.BytesIO(pack_kit(assignment))) as archive:
        archive.extractall(folder / "kit")
    for number, source in enumerate(KINDS.values()):
        (folder / f"{number}").mkdir()
        (folder / f"{number}" / "sums.py").write_bytes(source)
    sheets = grade_all(assignment, tuple(folder / f"{number}" / "sums.py" for number in range(len(KINDS))))
    return Sums(folder / "kit" / "check.pyz", dict(zip(KINDS, sheets, strict=True)))


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_is_read_as_python_reads_it(kind: str, sums: Sums, tmp_path: Path) -> None:
    """Whatever its bytes, the kit gives the course's verdict in the course's words, and both give Python's."""
    (tmp_path / "sums.py").write_bytes(KINDS[kind])
    (tmp_path / "numbers.txt").write_text("1\n2\n3\n")
    plain = [sys.executable, "-X", "utf8", "sums.py", "numbers.txt"]
    python = subprocess.run(plain, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100)
    command = [sys.executable, "-I", "-S", str(sums.kit), "sums.py", "--json"]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100)
    told = [(case["verdict"], _FOLDER.sub("", case["message"])) for case in json.loads(shown.stdout)["cases"]]
    said = [(case.verdict, _FOLDER.sub("", clean(case.message))) for case in sums.sheets[kind].cases]
    assert told == said, shown.stderr
    assert told[0][0] == ("RTE" if python.returncode else "AC"), (told, python.stderr)


def test_the_same_course_packs_to_the_same_bytes(kits: Kits) -> None:
    kits.of("lefthand")
    again = pack_kit(with_canary(load_assignment(ROOT / "cases", "lefthand")))
    assert again == (kits.of("lefthand").parent / "lefthand.zip").read_bytes()


def test_a_page_with_a_player_is_written_beside_the_kit(kits: Kits, tmp_path: Path) -> None:
    """The drawing comes in the terminal and on the page; the folder in which one works stays as it was."""
    shutil.copytree(kits.of("lefthand"), tmp_path / "kit")
    shutil.copy(programs("lefthand") / WRONG["lefthand"] / "maze_solver.py", tmp_path)
    command = [str(kits.python), "kit/check.pyz", "maze_solver.py", "--only", "turns", "--open"]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert "Current Direction: N    ≠  Current Direction: E" in shown.stdout, shown.stdout + shown.stderr
    page = (tmp_path / "kit" / "check.html").read_text("utf-8")
    assert (tmp_path / "kit" / "check.html").as_uri() in shown.stdout
    assert 'data-scene="0"' in page
    assert {path.name for path in tmp_path.iterdir()} == {"kit", "maze_solver.py"}


@pytest.mark.parametrize(
    ("platform", "shown"),
    [("linux", "'my kit/check.pyz'"), ("win32", '"my kit/check.pyz"'), ("darwin", "'my kit/check.pyz'")],
)
def test_a_command_is_shown_as_that_system_types_it(platform: str, shown: str) -> None:
    """A folder with a space in its name is usual at home; cmd.exe knows double quotes alone."""
    assert typed("my kit/check.pyz", platform) == shown


def test_an_old_python_is_told_in_a_sentence(kits: Kits) -> None:
    """The first file that runs can be read by any Python 3, and it says what is needed."""
    start = dict(members((kits.of("runner") / "check.pyz").read_bytes()))["__main__.py"]
    ast.parse(start, feature_version=(3, 6))
    code = "import runpy, sys; sys.version_info = (3, 8, 1); runpy.run_path('check.pyz', {}, '__main__')"
    command = [sys.executable, "-c", code]
    shown = subprocess.run(command, cwd=kits.of("runner"), capture_output=True, text=True, check=False, timeout=100)
    assert shown.returncode == 2
    assert shown.stderr == "check: it needs Python 3.11 or newer; this is Python 3.8\n"


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--help"], 0, "--only GLOB"),
        (["--list"], 0, "rows-first"),
        (["--onyl", "smoke"], 2, "unrecognized arguments"),
        (["--only", "row-first"], 2, "did you mean rows-first"),
        (["nowhere.py"], 2, "nowhere.py"),
        (["cases"], 2, "no maze.py found"),
    ],
)
def test_words_that_are_no_use_are_told(words: list[str], status: int, said: str, kits: Kits) -> None:
    """A slip on the command line never looks like success; help and list check nothing."""
    shown = kits.check("runner", *words)
    assert shown.returncode == status, shown.stdout + shown.stderr
    assert said in shown.stdout + shown.stderr
    assert "Traceback" not in shown.stderr
    assert "wrong answer" not in shown.stdout


def test_any_encoding_and_a_reader_that_has_enough(kits: Kits) -> None:
    """A terminal that knows ASCII alone shows plain signs; `| head` is no reason for a traceback."""
    command = f"{kits.python} -u check.pyz --only beside | head -1"
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    folder = kits.of("runner")
    shown = subprocess.run(
        command, shell=True, cwd=folder, capture_output=True, text=True, check=False, timeout=300, env=environment
    )
    assert shown.stdout.startswith("x beside  Food beside the head"), shown.stderr
    assert "Traceback" not in shown.stderr


def test_saving_checks_again_and_ctrl_c_ends_it(kits: Kits, tmp_path: Path) -> None:
    """--watch sees a save; Ctrl-C ends it with the last result's status and leaves nothing behind."""
    (tmp_path / "scratch").mkdir()
    solution = tmp_path / "maze.py"
    solution.write_text("def move_algo(maze, me, rows, columns):\n    return 9\n")
    running = subprocess.Popen(
        [sys.executable, str(kits.of("runner") / "check.pyz"), str(solution), "--watch", "--only", "beside"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(tmp_path / "scratch")},
        start_new_session=True,
    )
    assert "wrong answer" in until_watching(running)
    solution.write_text(min((programs("runner") / "AC").glob("*/maze.py")).read_text())
    assert "passed" in until_watching(running)
    os.killpg(running.pid, signal.SIGINT)
    running.communicate(timeout=100)
    assert running.returncode == 0
    assert not list((tmp_path / "scratch").iterdir())


def until_watching(running: subprocess.Popen[str]) -> str:
    lines: list[str] = []
    assert running.stdout is not None
    while not lines or not lines[-1].startswith("Watching"):
        lines.append(running.stdout.readline())
        assert lines[-1], "it ended"
    return "".join(lines)


def test_an_interrupt_ends_it_quietly(kits: Kits, tmp_path: Path) -> None:
    """Ctrl-C gives a line and status 130, and leaves nothing behind."""
    (tmp_path / "maze.py").write_text(
        "import time\ndef move_algo(maze, me, rows, columns):\n    if columns != 3: time.sleep(60)\n    return -1\n"
    )
    (tmp_path / "scratch").mkdir()
    running = subprocess.Popen(
        [sys.executable, "-u", str(kits.of("runner") / "check.pyz"), str(tmp_path / "maze.py")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(tmp_path / "scratch")},
        start_new_session=True,
    )
    assert running.stdout is not None
    assert "example" in running.stdout.readline()
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=100)
    assert running.returncode == 130
    assert said.strip() == "check: stopped"
    assert not list((tmp_path / "scratch").iterdir())
