"""A small course on disk, graded by real processes: its kit counts how often it judges."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

NOTE = "nothing has changed since the last grade; nothing was run again"
ROOT = Path(__file__).parents[2]
PATIENCE_S = 120

_KIT = """
from grader.model.assignment import Expect
from grader.model.result import Mismatch
from grader.model.scene import Scene

LOG = {log!r}


class Kit:
    def parse(self, text):
        return int(text)

    def write(self, puzzle):
        return f"{{puzzle}}\\n"

    def solve(self, puzzle):
        return 2 * puzzle

    def expect(self, puzzle):
        return Expect(steps=2 * puzzle)

    def read(self, record):
        return record.stdout.content().decode().strip()

    def check(self, puzzle, claim, expect):
        with open(LOG, "a") as log:
            log.write(f"{{puzzle}}\\n")
        if claim == "boom":
            raise RuntimeError("a fault of the kit")
        return None if claim == str(expect.steps) else Mismatch(kind="double", message=f"it isn't {{claim}}.")

    def puzzles(self):
        raise NotImplementedError

    def draw(self, puzzle, claim):
        return Scene(rows=1, columns=1, squares=(), title="")


def kit():
    return Kit()
"""
_ASSIGNMENT = """
format: 1
title: Doubling
files: [{name: double.py}]
kinds:
  double:
    run: {as: program, module: double.py, argv: ["{file}"], file: n.txt}
    kit: again_kit
    judge: path
policy: {ban: [itertools]}
limits: {cpu_s: 1, wall_s: 10}
"""
_CASES = """
format: 1
cases:
  - {id: one, title: One, maze: "1\\n", expect: {steps: 2}}
  - {id: two, title: Two, maze_file: mazes/two.txt, expect: {steps: 4}}
"""
RIGHT = "import sys\nprint(2 * int(open(sys.argv[1]).read()))\n"
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
        self.kit = folder / "course" / "again_kit.py"
        self.log = folder / "log"
        (self.cases / "mazes").mkdir(parents=True)
        (self.cases / "assignment.yaml").write_text(_ASSIGNMENT)
        (self.cases / "cases.yaml").write_text(_CASES)
        (self.cases / "mazes" / "two.txt").write_text("2\n")
        self.kit.write_text(_KIT.format(log=str(self.log)))
        self.hand_in("ann", RIGHT)
        self.hand_in("ben", WRONG)
        time.sleep(0.1)  # a kit changed just before isn't vouched for

    def hand_in(self, name: str, source: str) -> Path:
        path = self.folder / "class" / name / "double.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        return path

    def command(self, *options: str, out: Path | None = None, python: tuple[str, ...] = ()) -> list[str]:
        places = ["--cases", str(self.cases.parent), "-o", str(out or self.out)]
        words = ["grade", str(self.folder / "class"), "-a", "double", *places]
        return [sys.executable, *python, "-m", "grader", *words, *options]

    def environment(self, cache: str = "cache") -> dict[str, str]:
        return os.environ | {"XDG_CACHE_HOME": str(self.folder / cache), "PYTHONPATH": str(self.tree)}

    def start(self, *options: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self.command(*options), env=self.environment(), cwd=self.tree, stdout=subprocess.DEVNULL
        )

    def grade(self, *options: str, **more: Any) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            self.command(*options, **more),
            env=self.environment(),
            cwd=self.tree,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
        assert done.returncode == 0, done.stderr
        return done

    def results(self, out: Path | None = None) -> dict[str, Any]:
        """Give results.json without the measures, which no two runs share."""
        results: dict[str, Any] = msgspec.json.decode(((out or self.out) / "results.json").read_bytes())
        for case in (case for submission in results["submissions"] for case in submission["cases"]):
            for measure in ("cpu_s", "wall_s", "peak_mib"):
                del case[measure]
        return results

    def anew(self) -> dict[str, Any]:
        """Grade everything from the beginning, elsewhere, and give the results."""
        out = self.folder / "elsewhere"
        environment = self.environment("another-cache")
        subprocess.run(
            self.command("--fresh", out=out), env=environment, cwd=self.tree, check=True, stdout=subprocess.DEVNULL
        )
        return self.results(out)

    def judged(self) -> int:
        """Count the cases judged since the last call."""
        count = len(self.log.read_text().splitlines()) if self.log.exists() else 0
        self.log.unlink(missing_ok=True)
        return count

    def stamps(self) -> list[Path]:
        return sorted((self.folder / "cache" / "maze-grader" / "again").glob("*"))
