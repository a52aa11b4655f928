"""Hostile source grows, and the scan's work grows no faster: calls are counted, not seconds."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from grader.model.assignment import PolicySpec, Recursion
from grader.model.result import Severity
from grader.model.run import File
from grader.policy.scan import scan

if TYPE_CHECKING:
    from collections.abc import Callable

EVERYTHING = PolicySpec(
    ban=("itertools", "copy", "eval"),
    no=("global", "while True"),
    require=("class Maze",),
    recursion=Recursion.FORBIDDEN,
    max_lines=10,
)
SHAPES: dict[str, Callable[[int], str]] = {
    "statements": lambda n: "0\n" * n,
    "imports": lambda n: "import copy\n" * n,
    "aliases": lambda n: "import " + ", ".join(f"os.a{i}" for i in range(n)),
    "a long dotted name": lambda n: "import main" + ".a" * n,
    "stars and names": lambda n: "from os import *\n" * (n // 20) + "\n".join(f"x{i}" for i in range(n)),
    "names in a ring": lambda n: "".join(f"x{i} = __import__(x{(i + 1) % n})\n" for i in range(n)),
    "one name bound often": lambda n: "x = 'c'\n" + "x = x + 'o'\n__import__(x)\n" * n,
    "a long sum": lambda n: "x = __import__(" + "+".join(["'a'"] * n) + ")",
    "attributes": lambda n: "import copyreg\nx = copyreg" + ".a" * n,
    "calls": lambda n: "x = getattr" + "(1)" * n,
    "gets": lambda n: "d = {}\nx = d" + ".get(1)" * n,
    "choices": lambda n: "x = " + "1 if 2 else " * n + "3",
    "functions in a row": lambda n: "".join(f"def f{i}():\n    f{i + 1}()\n" for i in range(n)),
    "functions in a ring": lambda n: "".join(f"def f{i}():\n    f{(i + 1) % n}()\n" for i in range(n)),
    "methods": lambda n: "class A:\n" + "".join(f"    def f{i}(self):\n        self.f{i + 1}()\n" for i in range(n)),
    "texts that are run": lambda n: "exec('x = 1; import math')\n" * n,
    "texts in texts": lambda n: "exec('exec(\"exec(1)\")')\n" * n,
    "commands": lambda n: f"import os\nos.system({'-c ' * n!r})",
    "large constants": lambda n: f"b = {'0' * 60_000!r}\n" + "__import__(b + '1')\n" * n,
    "numbers in a list": lambda n: f"x = [{'1, ' * n}]\n__import__(x)",
    "searches": lambda n: "import gc\n" + "gc.get_objects() == 'permutations'\n" * n,
    "open reads": lambda n: "import random\n" + "getattr(random, input()) == input()\n" * n,
    "searches in comparisons": lambda n: "import gc, random\ngc.get_objects()\n" + "vars(random)[n] == 'count'\n" * n,
    "modules gone through": lambda n: (
        "import random as m, os, gc\n" + "m == getattr(os, n) == gc.get_objects()\n" * n
    ),
    "doctests": lambda n: '"""\n' + ">>> x\n" * n + '"""',
    "printed": lambda n: "while 1:\n  global x\n" * n,
}


def work(text: str) -> int:
    """Count the functions that a scan calls."""
    count = 0

    def see(*_: Any) -> None:
        nonlocal count
        count += 1

    files = (File(path="main.py", content=text.encode()),)
    scan(files, EVERYTHING)  # the library's own tables are read once, whatever the source
    sys.setprofile(see)
    try:
        scan(files, EVERYTHING)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_work_grows_with_the_source_and_no_faster(shape: Callable[[int], str]) -> None:
    """Four times the source is at most some four times the calls."""
    assert work(shape(800)) <= 5 * work(shape(200)) + 2000


def test_one_greedy_file_hides_no_other() -> None:
    """A file that executes more text than is read is noted; the imports of all others are found."""
    greedy = "".join(f"exec({'x = 1; ' * 5000 + str(i)!r})\n" for i in range(20))
    files = tuple(File(path=f"a{i}.py", content=greedy.encode()) for i in range(5))
    findings = scan((*files, File(path="main.py", content=b"import copy\n")), EVERYTHING)
    assert {f.path for f in findings if f.rule == "banned-import"} == {"main.py"}
    assert "a0.py" in {f.path for f in findings if f.rule == "scan-error" and f.severity is Severity.REVIEW}


def test_a_value_that_is_handed_on_too_far_is_told() -> None:
    """Where the scan stops following names, staff are told; it says nothing of what it can't know."""
    chain = "x0 = 'copy'\n" + "".join(f"x{i + 1} = x{i}\n" for i in range(200)) + "__import__(x200)\n"
    findings = scan((File(path="main.py", content=chain.encode()),), PolicySpec(ban=("copy",)))
    assert "scan-error" in {finding.rule for finding in findings}


def test_the_trees_of_a_submission_are_bounded() -> None:
    """Seven files of a megabyte are noted and not parsed; a small one beside them is."""
    files = tuple(File(path=f"a{i}.py", content=b"0\n" * 500_000) for i in range(7))
    findings = scan((*files, File(path="main.py", content=b"import copy\n")), EVERYTHING)
    noted = {f.path for f in findings if f.rule == "scan-error"}
    assert noted == {file.path for file in files}
    assert any(f.path == "main.py" and f.breach for f in findings)
