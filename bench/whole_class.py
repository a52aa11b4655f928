"""Row 3: a class against pytest with subprocess, check50, and bubblewrap.

The others run on all cores where they can; check50 runs on two submissions, and that is scaled up.
"""

from __future__ import annotations

import atexit
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING

from bench import course
from bench.commands import CORES, STDIN, grade, plain_python, run
from bench.row import Row, missing, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.course import Course

_CAGE = (
    "--unshare-all --die-with-parent --new-session --clearenv --cap-drop ALL --proc /proc --dev /dev --tmpfs /tmp"
    " --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64"
)


def measure(*, quick: bool) -> Iterator[Row]:
    people, cases = (10, 5) if quick else (30, 15)
    with TemporaryDirectory() as name:
        made = course.make(Path(name), submissions=people, cases=cases)
        _lay_out(made)
        ours = grade(made).wall_s
        for letter, title, measured in (
            ("a", "pytest -n auto, a test per case that calls subprocess.run", _pytest),
            ("b", "check50 --local for each submission, one after the other", _check50),
            ("c", f"xargs -P {CORES} bwrap … python3 maze_solver.py, nothing judged", _bubblewrap),
        ):
            yield _row(letter, title, ours=ours, theirs=measured(made), size=f"{people} × {cases}")


def _row(letter: str, title: str, *, ours: float, theirs: float | None, size: str) -> Row:
    return Row(
        number=f"3{letter}",
        what=f"a class of {size} cases, first grade",
        instead=title,
        score=plain(ours / theirs) if theirs else missing("not installed"),
        detail=f"{ours:.1f} s ÷ {theirs:.1f} s" if theirs else "",
    )


def _lay_out(made: Course) -> None:
    """Put each maze beside a copy of each solution, as the others need it."""
    for path in made.submissions:
        for number in range(len(made.mazes)):
            folder = made.folder / "plain" / path.parent.name / f"{number:02}"
            folder.mkdir(parents=True)
            shutil.copy(path, folder)
            shutil.copy(made.maze(number), folder / "maze.txt")
            (folder / "name.txt").write_bytes(STDIN)


def _pytest(made: Course) -> float:
    test = made.folder / "test_class.py"
    people, cases = len(made.submissions), len(made.mazes)
    test.write_text(_TEST.format(root=str(made.folder), python=plain_python(), people=people, cases=cases))
    command = (sys.executable, "-m", "pytest", "-q", "-n", "auto", "-p", "no:cacheprovider", str(test))
    return run(command, folder=made.folder).wall_s


def _bubblewrap(made: Course) -> float | None:
    if shutil.which("bwrap") is None:
        return None
    home = Path(plain_python()).resolve().parents[1]
    cage = f"bwrap {_CAGE} --ro-bind {home} {home} --bind . /work --chdir /work"
    line = f"cd {{}} && exec {cage} {Path(plain_python()).resolve()} -I maze_solver.py <name.txt >/dev/null"
    folders = "".join(f"{folder}\n" for folder in sorted((made.folder / "plain").glob("*/*")))
    (made.folder / "folders").write_text(folders)
    command = ("xargs", "-a", str(made.folder / "folders"), "-P", str(CORES), "-I{}", "sh", "-c", line)
    return run(command).wall_s


@cache
def _check50_tool() -> Path | None:
    """Install it once for all runs."""
    folder = mkdtemp(prefix="bench-check50-")
    atexit.register(shutil.rmtree, folder)
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    install = [f"{folder}/bin/pip", "install", "--quiet", "--disable-pip-version-check", "check50"]
    if subprocess.run(install, capture_output=True, check=False).returncode:
        return None
    return Path(folder, "bin", "check50")


def _check50(made: Course) -> float | None:
    tool = _check50_tool()
    if tool is None:
        return None
    with TemporaryDirectory() as name:
        checks = Path(name) / "checks"
        checks.mkdir()
        (checks / ".cs50.yml").write_text("check50:\n  files:\n    - !require maze_solver.py\n")
        numbers = range(len(made.mazes))
        texts = {number: (made.mazes[number], made.expected(number).read_text()) for number in numbers}
        (checks / "__init__.py").write_text(_CHECKS.format(texts=texts, python=plain_python()))
        command = (str(tool), "--dev", str(checks), "-o", "json", "--output-file", "/dev/null")
        taken = [run(command, folder=path.parent).wall_s for path in made.submissions[:2]]
        return sum(taken) / len(taken) * len(made.submissions)


_TEST = """
import subprocess
from pathlib import Path
import pytest

ROOT = Path({root!r})

@pytest.mark.parametrize("case", range({cases}))
@pytest.mark.parametrize("person", range({people}))
def test_case(person, case):
    folder = ROOT / "plain" / f"s{{person:04}}" / f"{{case:02}}"
    done = subprocess.run(
        [{python!r}, "maze_solver.py"], cwd=folder, input="maze.txt\\n", capture_output=True, text=True, timeout=15
    )
    assert done.returncode == 0
    assert done.stdout == (ROOT / "cases/lefthand/expected" / f"maze-{{case:02}}.out").read_text()
"""

_CHECKS = """
import check50

TEXTS = {texts!r}

def make(number):
    maze, expected = TEXTS[number]
    def check():
        with open("maze.txt", "w") as file:
            file.write(maze)
        out = check50.run("{python} maze_solver.py").stdin("maze.txt", prompt=False).stdout()
        if out.replace("\\r", "").split() != expected.split():
            raise check50.Mismatch(expected, out)
    check.__name__ = "maze_%d" % number
    check.__doc__ = "walks maze %d" % number
    return check50.check()(check)

for number in TEXTS:
    globals()["maze_%d" % number] = make(number)
"""
