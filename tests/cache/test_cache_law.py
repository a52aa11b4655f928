"""The law of the cache: after any change of what the key names, a grade gives what `--fresh` gives."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
_KIT = """
from pathlib import Path
from grader.model.kit import Expect
from grader.model.result import Mismatch
from law_kit.words import SORRY


class Kit:
    def parse(self, text): return int(text)
    def write(self, puzzle): return f"{puzzle}\\n"
    def solve(self, puzzle): return 2 * puzzle
    def expect(self, puzzle): return Expect(value=2 * puzzle)
    def read(self, record): return record.stdout.content().decode().strip()

    def check(self, puzzle, claim, expect):
        if claim == str(expect.value):
            return None
        data = (Path(__file__).parent / "data.txt").read_text()
        return Mismatch(kind="double", message=f"{SORRY} {claim}, {data}")


def kit(): return Kit()
"""
_ASSIGNMENT = """
format: 1
title: Doubling
files: [{name: double.py}]
kinds:
  double:
    run: {as: program, module: double.py, argv: ["{file}"], file: n.txt}
    kit: law_kit.kit
    judge: claim
policy: {ban: [itertools]}
limits: {cpu_s: 1, wall_s: 10}
"""
_CASES = """
format: 1
cases:
  - {id: one, title: One, input: "1\\n", expect: {value: 2}, hint: Twice one., points: 2}
  - {id: two, title: Two, input_file: two.txt, expect: {value: 4}, limits: {cpu_s: 2}}
"""
FILES = {
    "class/ann/double.py": "import sys\nprint(2 * int(open(sys.argv[1]).read()))\n",
    "class/ben/double.py": "print(2)\n",
    "cases/double/assignment.yaml": _ASSIGNMENT,
    "cases/double/cases.yaml": _CASES,
    "cases/double/two.txt": "2\n",
    "law_kit/__init__.py": "",
    "law_kit/kit.py": _KIT,
    "law_kit/words.py": 'SORRY = "it is not"\n',
    "law_kit/data.txt": "look",
}


class Course:
    """Two students, ann right and ben not, below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def edit(self, name: str, old: str, new: str) -> None:
        assert old in FILES[name]
        self.write(name, FILES[name].replace(old, new, 1))

    def grade(self, *options: str) -> dict[tuple[str, str], dict[str, Any]]:
        """Return what was found out, by submission and case."""
        out = self.folder / "out"
        words = ["grade", "class", "-a", "double", "--cases", "cases", "-o", str(out), "--format", "json", *options]
        environment = os.environ | {"XDG_CACHE_HOME": str(self.folder / "cache"), "PYTHONPATH": "."}
        subprocess.run(
            [sys.executable, "-m", "grader", *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            check=True,
        )
        found = msgspec.json.decode((out / "results.json").read_bytes())
        return {(one["id"], case["id"]): case for one in found["submissions"] for case in one["cases"]}


def timeless(found: dict[tuple[str, str], dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in case.items() if key not in _TIMES} for case in found.values()]


_TIMES = {"cpu_s", "wall_s", "peak_mib"}
CASES, ASSIGNMENT = "cases/double/cases.yaml", "cases/double/assignment.yaml"
EDITS: dict[str, Callable[[Course], None]] = {
    "a solution": lambda course: course.write("class/ben/double.py", "print(4)\n"),
    "an input": lambda course: course.edit(CASES, '"1\\n"', '"9\\n"'),
    "an input file": lambda course: course.write("cases/double/two.txt", "1\n"),
    "an expectation": lambda course: course.edit(CASES, "value: 2", "value: 3"),
    "points": lambda course: course.edit(CASES, "points: 2", "points: 5"),
    "a hint": lambda course: course.edit(CASES, "Twice one.", "Once two."),
    "limits": lambda course: course.edit(CASES, "cpu_s: 2}", "memory_mib: 8}"),
    "the kit's module": lambda course: course.edit("law_kit/kit.py", "{SORRY} {claim}", "{claim}: {SORRY}"),
    "another module of its package": lambda course: course.write("law_kit/words.py", 'SORRY = "alas"\n'),
    "a file of its package": lambda course: course.write("law_kit/data.txt", "forget"),
    "the policy": lambda course: course.edit(ASSIGNMENT, "ban: [itertools]", "ban: [sys], cost: points, points: 1"),
    "arguments": lambda course: course.edit(ASSIGNMENT, 'argv: ["{file}"]', 'argv: ["{file}", "x"]'),
}


@pytest.fixture
def course(tmp_path: Path) -> Course:
    made = Course(tmp_path)
    made.grade()
    return made


@pytest.mark.parametrize("name", EDITS)
def test_after_any_edit_a_grade_gives_what_a_fresh_one_gives(course: Course, name: str) -> None:
    """Submission, case, policy, the kit's package: each is in the key."""
    EDITS[name](course)
    assert timeless(course.grade()) == timeless(course.grade("--fresh"))


def test_what_did_not_change_is_not_run_again(course: Course) -> None:
    """The second grade has the very times of the first; one changed expectation runs one case of each."""
    before = course.grade()
    assert course.grade() == before
    EDITS["an expectation"](course)
    after = course.grade()
    assert {key: after[key] for key in after if key[1] != "one"} == {
        key: before[key] for key in before if key[1] != "one"
    }
    assert after != before
    assert course.grade("--fresh") != after


def test_time_outs_give_the_same_whether_known_or_not(course: Course) -> None:
    """What `--all-cases` found out is no answer for those who are stopped early, nor the other way round."""
    course.write("class/ben/double.py", "while True: pass\n")
    for options in ((), ("--all-cases",), ()):
        assert timeless(course.grade(*options)) == timeless(course.grade("--fresh", *options))
