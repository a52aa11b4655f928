"""Promises about the level on machines that lack a mechanism: it is found, told, and below `confined` asked for."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from grader.catalogue.load import load_assignment
from grader.handout.autograder import pack_autograder

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
SOLUTION = ROOT / "reference" / "solutions" / "alice-grid" / "AC"
TRACE = "from pathlib import Path\ntry: Path({!r}).touch()\nexcept OSError: pass"
LACKING = """
import os, sys
from grader.sandbox.inside.wall import filter, linux
from grader.sandbox.inside.wall.numbers import CALLS
names = {**CALLS[linux.MACHINE], "unshare": {"x86_64": 272, "aarch64": 97}[linux.MACHINE]}
missing = [("equal", names[name], "missing", None) for name in sys.argv[1].split(",")]
code = filter._assemble([("load", 0), *missing, ("jump", "allow"), *filter.ENDS])
linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
filter.Program(code).load(0)
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Becomes another program on a kernel that doesn't know these calls."""
NO_NAMESPACES = "unshare"
NO_WALL = "unshare,landlock_create_ruleset"


def lacking(lacks: str, *command: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    whole = [sys.executable, "-c", LACKING, lacks, *command]
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")} | more
    return subprocess.run(whole, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def grader(lacks: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return lacking(lacks, sys.executable, "-m", "grader", *arguments, folder=folder)


@pytest.mark.parametrize(
    ("lacks", "level"),
    [pytest.param(NO_NAMESPACES, "confined", marks=pytest.mark.needs("confined")), (NO_WALL, "none")],
)
def test_a_kernel_without_a_mechanism_offers_the_next_level(lacks: str, level: str, tmp_path: Path) -> None:
    """The statement names what is missing and why."""
    done = grader(lacks, "doctor", "--json", folder=tmp_path)
    statement = json.loads(done.stdout)
    assert statement["level"] == level, done.stderr
    assert "not implemented" in statement["missing"][0]["why"]


def test_marks_are_not_given_below_confined_unless_it_is_asked_for(tmp_path: Path) -> None:
    """`grade` refuses and says what to type; with the level named it runs, and the results say so."""
    asked = ("grade", str(SOLUTION), "-a", "alice-grid", "-o", str(tmp_path / "out"))
    refused = grader(NO_WALL, *asked, folder=tmp_path)
    assert (refused.returncode, "--require-isolation none" in refused.stderr) == (70, True), refused.stderr
    assert not (tmp_path / "out" / "results.json").exists()
    named = grader(NO_WALL, *asked, "--require-isolation", "none", folder=tmp_path)
    assert named.returncode == 0, named.stderr
    assert json.loads((tmp_path / "out" / "results.json").read_text())["isolation"] == "none"


@pytest.mark.needs("confined")
def test_grade_runs_at_confined_by_itself(tmp_path: Path) -> None:
    """Where there are no namespaces, as in a container, nothing has to be named."""
    done = grader(NO_NAMESPACES, "grade", str(SOLUTION), "-a", "alice-grid", "-o", "out", folder=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def trace() -> Iterator[Path]:
    """Give a path at which any user may write."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder, "trace")


@pytest.fixture
def thief(tmp_path: Path, trace: Path) -> Path:
    """Make a right solution that leaves a trace outside where it can, in a tree of solutions."""
    tree = tmp_path / "tree" / "alice-grid"
    for place in ("AC/thief", "WA/thief"):
        shutil.copytree(right_solution(), tree / place)
        for path in (tree / place).glob("*.py"):
            path.write_text(f"{TRACE.format(str(trace))}\n{path.read_text()}")
    return tree / "AC" / "thief"


def right_solution() -> Path:
    return next(path for path in sorted(SOLUTION.iterdir()) if path.is_dir())


@pytest.mark.parametrize(
    "command",
    [
        ("hunt", "THIEF", "--seconds", "1"),
        ("hunt", "THIEF", "--seconds", "1", "--staff"),
        ("cases", "verify", "--solutions", "TREE"),
        ("cases", "renew", "--seed", "x", "--solutions", "TREE"),
    ],
    ids=" ".join,
)
def test_no_program_runs_unwalled_beside_answers(
    command: tuple[str, ...], thief: Path, trace: Path, tmp_path: Path
) -> None:
    """Each command refuses before it runs anything, and says what to type; with that it runs."""
    names = {"THIEF": str(thief), "TREE": str(tmp_path / "tree")}
    asked = (*(names.get(word, word) for word in command), "-a", "alice-grid")
    refused = grader(NO_WALL, *asked, folder=tmp_path)
    assert (refused.returncode, "--require-isolation none" in refused.stderr) == (70, True), refused.stderr
    assert not trace.exists()
    if "hunt" in command:  # the others take longer
        grader(NO_WALL, *asked, "--require-isolation", "none", folder=tmp_path)
        assert trace.exists()


def test_a_hunt_names_a_sandbox_that_is_not_the_strongest(thief: Path, tmp_path: Path) -> None:
    """At `confined` it runs by itself, and says so."""
    done = grader(NO_NAMESPACES, "hunt", str(thief), "-a", "alice-grid", "--seconds", "0.5", folder=tmp_path)
    assert (done.returncode, "isolation: confined" in done.stderr) == (0, True), done.stderr


def test_pytest_refuses_and_names_the_sandbox(thief: Path, trace: Path, tmp_path: Path) -> None:
    """An item fails with the reason; with a level named it runs, and the summary names the level."""
    items = ("--grader-submission", str(thief), str(ROOT / "cases" / "alice-grid"))
    command = (sys.executable, "-m", "pytest", "-q", "-x", "--rootdir", str(tmp_path), *items)
    refused = lacking(NO_WALL, *command, folder=tmp_path)
    assert "'confined' was required" in refused.stdout, refused.stdout
    assert not trace.exists()
    named = lacking(NO_WALL, *command, "--grader-require-isolation", "none", folder=tmp_path)
    assert (named.returncode, "isolation: none" in named.stdout) == (0, True), named.stdout


def test_check_goes_on_and_says_so(thief: Path, tmp_path: Path) -> None:
    """A student's own program on the student's own computer needs no wall."""
    done = grader(NO_WALL, "check", str(thief), "-a", "alice-grid", folder=tmp_path)
    assert (done.returncode, "without a sandbox" in done.stderr) == (0, True), done.stderr


def test_every_sandbox_is_opened_where_the_floor_is() -> None:
    """Only the wiring opens engines and sandboxes, and its floor holds for a caller that says nothing."""
    openers = ("sandbox.open import", "engines.local import", "ForkingSandbox(", "LocalEngine(")
    own = {"wiring.py", "sandbox", "engines"}
    sources = [
        path for path in (ROOT / "grader").rglob("*.py") if path.relative_to(ROOT / "grader").parts[0] not in own
    ]
    assert not [path for path in sources for word in openers if word in path.read_text()]
    code = "from grader.wiring import *\nwith open_engine(Settings()): pass\n"
    done = lacking(NO_WALL, sys.executable, "-c", code, folder=ROOT)
    assert "'confined' was required" in done.stderr


@pytest.mark.parametrize("accepted", [False, True])
def test_gradescope_gives_no_score_without_a_wall(accepted: bool, tmp_path: Path) -> None:
    """A program that would read the answer key isn't run; staff read why. An assignment may accept it: not final."""
    with zipfile.ZipFile(io.BytesIO(pack_autograder(load_assignment(ROOT / "cases", "alice-grid")))) as archive:
        archive.extractall(tmp_path / "source")
    settings = tmp_path / "source" / "cases" / "alice-grid" / "assignment.yaml"
    settings.write_text(settings.read_text() + ("require_isolation: none\n" if accepted else ""))
    shutil.copytree(right_solution(), tmp_path / "submission")
    (tmp_path / "results").mkdir()
    interpreter = tmp_path / "source" / "venv" / "bin" / "python"
    interpreter.parent.mkdir(parents=True)
    interpreter.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    interpreter.chmod(0o755)
    command = ("/bin/bash", str(tmp_path / "source" / "run_autograder"))
    done = lacking(NO_WALL, *command, folder=tmp_path, GRADER_AUTOGRADER_ROOT=str(tmp_path))
    told = json.loads((tmp_path / "results" / "results.json").read_text())
    if accepted:
        assert (told["score"] > 0, told["extra_data"]["final"]) == (True, False), told
    else:
        assert not {"score", "tests"} & told.keys()
        assert "not your fault" in told["output"]
        assert "To the staff: this machine offers the isolation 'none'" in done.stdout, done
