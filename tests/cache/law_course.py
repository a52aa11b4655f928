"""A small course on disk, graded by real processes; its kit hangs on everything that a kit can hang on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from difflib import unified_diff
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).parents[2]
PATIENCE_S = 180
GRADER = """
from grader.pipeline import speed
speed._REFERENCE_S = 1.0
from grader.cli.main import main
main()
"""
"""To no such grader a machine is slow; on a busy one, of two runs one may find it so, and say it in its results."""
_MEASURE = re.compile(
    rb"\b\d+(?:\.\d+)? (?:s|ms|MiB)\b"
    rb'|"(?:cpu_s|wall_s|peak_mib|duration|execution_time|start|stop)": ?[0-9.]+'
    rb'|(?:time|timestamp)="[^"]+"|<ol class="most">.*</ol>'
)
_SINCE = re.compile(rb"<!-- since -->.*?<!-- /since -->", re.DOTALL)
"""What a page tells of the run before: a folder that has none says nothing there."""

_KIT = """
import os
import helper_elsewhere
from grader.model.kit import Expect
from grader.model.result import Mismatch
from grader.model.scene import Scene
from law_kit.parts.words import SORRY

ENDING = os.environ.get("LAW_ENDING", ".") + open(os.path.dirname(helper_elsewhere.__file__) + "/note.txt").read()
HERE = os.path.dirname(__file__)


class Kit:
    def parse(self, text):
        return int(text)

    def write(self, puzzle):
        return f"{puzzle}\\n"

    def solve(self, puzzle):
        return 2 * puzzle

    def expect(self, puzzle):
        return Expect(value=2 * puzzle)

    def read(self, record):
        if record.replies:
            return str(record.replies[0].value)
        return record.stdout.content().decode().strip()

    def world(self, puzzle):
        return "law_world.game:World", puzzle

    def check(self, puzzle, claim, expect):
        if claim == "boom":
            raise RuntimeError("a fault of the kit")
        if claim == str(expect.value):
            return None
        with open(HERE + "/data.txt") as data:
            words = f"{SORRY} {claim}, {data.read().strip()} {helper_elsewhere.WORD}{ENDING}"
        return Mismatch(kind="double", message=words)

    def calls(self, puzzle):
        return ((puzzle,),)

    def puzzles(self):
        raise NotImplementedError

    def draw(self, puzzle, claim):
        return Scene(rows=1, columns=1, squares=(), title="")


def kit():
    return Kit()
"""
_JUDGE = """
from grader.model.judgement import Judgement
from grader.model.result import Mismatch
from grader.model.verdict import Verdict


def judge(trial):
    return Judgement(verdict=Verdict.WA, mismatch=Mismatch(kind="own", message="the own judge says no"))
"""
_WORLD = """
import os
import helper_of_world
from law_world.parts.rules import STEP


class World:
    def __init__(self, setup):
        with open(os.path.dirname(__file__) + "/data.txt") as data:
            self._asked = (setup + STEP + int(data.read()) + helper_of_world.MORE,)

    def observe(self):
        return self._asked

    def act(self, value):
        self._asked = None
"""
_ASSIGNMENT = """
format: 1
title: Doubling
files: [{name: double.py}, {name: helper.py, required: false}]
kinds:
  double:
    run: {as: program, module: double.py, argv: ["{file}"], file: n.txt}
    kit: law_kit.kit
    judge: claim
  said:
    run: {as: program, module: double.py, argv: ["{file}"], file: n.txt}
    kit: law_kit.kit
    judge: stdout
    options: {trailing_blanks: ignore}
  own:
    run: {as: program, module: double.py, argv: ["{file}"], file: n.txt}
    kit: law_kit.kit
    judge: law_judge.judge
  game:
    run: {as: agent, module: double.py, function: move}
    kit: law_kit.kit
    judge: claim
policy: {ban: [itertools]}
limits: {cpu_s: 1, wall_s: 10}
"""
_CASES = """
format: 1
cases:
  - {id: one, title: One, input: "1\\n", expect: {value: 2}, hint: Twice one., points: 2}
  - {id: two, title: Two, input_file: mazes/two.txt, expect: {value: 4}, limits: {cpu_s: 2}}
  - {id: said, kind: said, title: Said, input: "3\\n", expect: {stdout: "6 \\n"}}
  - {id: own, kind: own, title: Own, input: "4\\n", expect: {value: 8}}
  - {id: game, kind: game, title: Game, input: "5\\n", expect: {value: 16}}
"""
RIGHT = """
import sys
from helper import twice

def move(number):
    return twice(number)

if __name__ == "__main__":
    print(twice(int(open(sys.argv[1]).read())))
"""
HELPER = "def twice(number):\n    return 2 * number\n"
WRONG = "print(2)\n"
LOOP = "while True:\n    pass\n"
BOOM = "print('boom')\n"


class Course:
    """`class/` holds ann, who is right, and ben, who isn't; `out/` what the last grade wrote."""

    def __init__(self, folder: Path, *, tree: Path = ROOT) -> None:
        self.folder = folder
        self.tree = tree
        self.out = folder / "out"
        self.cases = folder / "course" / "cases" / "double"
        self.kit = folder / "course" / "law_kit"
        self.judge = folder / "course" / "law_judge" / "judge.py"
        self.world = folder / "course" / "law_world"
        self.elsewhere = folder / "elsewhere" / "helper_elsewhere.py"
        self.begin()

    def begin(self) -> None:
        """Write everything, or put everything back as it was."""
        self.variables = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        self.limits = ""
        for name in ("class", "course", "elsewhere"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        for path, text in {
            self.cases / "mazes" / "two.txt": "2\n",
            self.cases / "assignment.yaml": _ASSIGNMENT,
            self.cases / "cases.yaml": _CASES,
            self.kit / "__init__.py": "",
            self.kit / "kit.py": _KIT,
            self.kit / "data.txt": "look at\n",
            self.kit / "parts" / "__init__.py": "",
            self.kit / "parts" / "words.py": 'SORRY = "it is not"\n',
            self.judge.parent / "__init__.py": "",
            self.judge: _JUDGE,
            self.world / "__init__.py": "",
            self.world / "game.py": _WORLD,
            self.world / "data.txt": "1\n",
            self.world / "parts" / "__init__.py": "",
            self.world / "parts" / "rules.py": "STEP = 1\n",
            self.elsewhere: 'WORD = "the maze"\n',
            self.elsewhere.parent / "helper_of_world.py": "MORE = 1\n",
            self.elsewhere.parent / "note.txt": "",
        }.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.hand_in("ann", RIGHT, HELPER)
        self.hand_in("ben", WRONG)
        self.settle()

    @staticmethod
    def settle() -> None:
        """Wait until what was written is old enough to be vouched for."""
        time.sleep(0.12)

    def hand_in(self, name: str, source: str, helper: str = "") -> Path:
        path = self.folder / "class" / name / "double.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        if helper:
            (path.parent / "helper.py").write_text(helper)
        return path

    def command(self, *options: str, out: Path | None = None) -> list[str]:
        places = ["--cases", str(self.cases.parent), "-o", str(out or self.out), "--progress", "none"]
        words = [sys.executable, "-c", GRADER, "grade", str(self.folder / "class"), "-a", "double", *places]
        return ["sh", "-c", f'{self.limits} exec "$@"', "sh", *words, *options]

    def environment(self) -> dict[str, str]:
        path = os.pathsep.join((str(self.tree), str(self.elsewhere.parent)))
        return os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": ""} | self.variables

    def start(self, *options: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self.command(*options), env=self.environment(), cwd=self.folder, stdout=subprocess.DEVNULL
        )

    def grade(self, *options: str, out: Path | None = None, status: int = 0) -> str:
        done = subprocess.run(
            self.command(*options, out=out),
            env=self.environment(),
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
        assert done.returncode == status, done.stderr
        return done.stdout

    def results(self) -> dict[str, Any]:
        results: dict[str, Any] = msgspec.json.decode((self.out / "results.json").read_bytes())
        return results

    def measures(self) -> list[Any]:
        """Return the times of all cases: two runs that share them are one run."""
        return [
            (each["id"], case["id"], case["cpu_s"], case["wall_s"])
            for each in self.results()["submissions"]
            for case in each["cases"]
        ]

    def is_like(self, fresh: dict[str, bytes]) -> bool:
        """Tell whether every file of a fresh grade is here, too; on the way say what differs."""
        here = self.files()
        for name, content in fresh.items():
            if here.get(name) != content:
                found, wanted = (text.decode().splitlines() for text in (here.get(name, b""), content))
                print(*unified_diff(found, wanted, name, f"fresh {name}", n=0, lineterm=""), sep="\n")  # noqa: T201
        return fresh.items() <= here.items()

    def files(self, out: Path | None = None) -> dict[str, bytes]:
        """Return every file without measures and history, which no two runs share; sheets are compared by pages."""
        place = out or self.out
        return {
            str(path.relative_to(place)): _MEASURE.sub(b"N", _SINCE.sub(b"", path.read_bytes()))
            for path in sorted(place.rglob("*"))
            if path.is_file() and path.parent.name != "sheets"
        }

    def fresh(self, *options: str, status: int = 0) -> dict[str, bytes]:
        """Grade everything from the beginning, elsewhere, and return its files."""
        out = self.folder / "fresh" / "out"
        shutil.rmtree(out, ignore_errors=True)
        kept, self.variables = self.variables, self.variables | {"XDG_CACHE_HOME": str(self.folder / "other-cache")}
        self.grade("--fresh", *options, out=out, status=status)
        self.variables = kept
        return self.files(out)
