"""The watch in the child: it reports the student's use, and changes nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from grader.policy import watch

PYTHONS = sorted({sys.executable, *map(str, Path("/root/.pyenv/versions").glob("3.1[123].*/bin/python"))})
ARM = f"""
import json, sys
space = {{"__name__": "watch"}}
exec(compile(open({watch.__file__!r}).read(), "<watch>", "exec"), space)
space["arm"](tuple(sys.argv[1].split(",")), lambda fact: print("REPORT", json.dumps(fact), flush=True))
exec(compile(open("main.py").read(), "main.py", "exec"), {{"__name__": "__main__"}})
"""


def run(
    folder: Path, text: str, *, modules: str = "itertools,copy", python: str = sys.executable
) -> tuple[list[dict[str, object]], str]:
    """Run a program with the watch armed; give the reports and its own output."""
    (folder / "main.py").write_text(text)
    command = [python, "-B", "-c", ARM, modules]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    reports = [json.loads(line[7:]) for line in lines if line.startswith("REPORT ")]
    return reports, "\n".join(line for line in lines if not line.startswith("REPORT "))


@pytest.mark.parametrize("python", PYTHONS, ids=lambda path: "/".join(path.split("/")[-3:]))
def test_use_is_reported_with_its_place_and_the_program_goes_on(tmp_path: Path, python: str) -> None:
    """Module, name, file and line are told once; the program's own work isn't disturbed."""
    text = "import copy\nfor i in range(3):\n    x = copy.deepcopy([[i]])\nprint(x)\n"
    reports, output = run(tmp_path, text, python=python)
    assert reports == [{"module": "copy", "what": "copy.deepcopy", "path": "main.py", "line": 3}]
    assert output == "[[2]]"


@pytest.mark.parametrize("python", PYTHONS, ids=lambda path: "/".join(path.split("/")[-3:]))
def test_library_code_may_use_what_is_banned(tmp_path: Path, python: str) -> None:
    """Modules that use the banned ones themselves work as ever, and are not reported."""
    text = """
import argparse, asyncio, collections, dataclasses, enum, functools, heapq, inspect, pickle, random, statistics
import tokenize, traceback, typing, unittest, weakref
from concurrent.futures import ThreadPoolExecutor

@dataclasses.dataclass
class Point:
    x: list = dataclasses.field(default_factory=list)

deep = []
for _ in range(300):
    deep = [deep]
print(dataclasses.asdict(Point([1])), dataclasses.replace(Point([2]), x=[3]))
dataclasses.asdict(Point({"a": deep}))
print(list(collections.Counter("aab").elements()), random.Random(1).choices("ab", k=3))
print(inspect.getmembers(random, inspect.isfunction)[0][0], len(inspect.getmembers(dataclasses)))
print([getattr(random, name) is not None for name in dir(random)][:2])
print(pickle.loads(pickle.dumps({1: [2]})), statistics.mode([1, 1, 2]))
argparse.ArgumentParser().add_argument("-x", action="append", default=[1])
print(inspect.getsource(statistics.mode)[:8], sorted(vars(enum))[0] != "")
with ThreadPoolExecutor(1) as pool:
    print(list(pool.map(len, ["a"])))
print(asyncio.run(asyncio.sleep(0, "done")), weakref.WeakValueDictionary().copy())
"""
    reports, output = run(tmp_path, text, python=python)
    assert reports == []
    assert output.splitlines()[-1].startswith("done <WeakValueDictionary at ")


def test_own_copy_is_importable_as_at_home(tmp_path: Path) -> None:
    """The student's copy.py is what `import copy` finds, though the library's is loaded already."""
    (tmp_path / "copy.py").write_text("def clone(x):\n    return list(x)\n")
    reports, output = run(tmp_path, "import dataclasses, copy\nprint(copy.clone('ab'))\n")
    assert (reports, output) == ([], "['a', 'b']")


def test_the_fact_is_sent_before_the_program_can_hide(tmp_path: Path) -> None:
    """A program that leaves at once has been reported already."""
    reports, _ = run(tmp_path, "import os\nfrom itertools import permutations\nos._exit(0)\n")
    assert [report["what"] for report in reports] == ["itertools.permutations"]


def test_forged_file_names_do_not_pass_for_the_library(tmp_path: Path) -> None:
    """Code that claims to come from the library is compared with the library's files."""
    text = "import random\nexec(compile('import copy; copy.copy([1])', random.__file__, 'exec'), {})\n"
    reports, _ = run(tmp_path, text)
    assert [report["module"] for report in reports] == ["copy"]


def test_a_single_name_can_be_watched(tmp_path: Path) -> None:
    """`functools.reduce` is reported, the rest of functools isn't."""
    text = "import functools\nfunctools.partial(print)\nprint(functools.reduce(max, [1, 2]))\n"
    reports, output = run(tmp_path, text, modules="functools.reduce")
    assert [report["line"] for report in reports] == [3]
    assert output == "2"


def test_deep_structures_keep_their_depth(tmp_path: Path) -> None:
    """What the library copies may be as deep as without the watch."""
    text = """
import dataclasses, sys
class Node:
    def __init__(self, next): self.next = next
node = None
for _ in range(150):
    node = Node(node)
@dataclasses.dataclass
class Box:
    node: object
dataclasses.asdict(Box(node))
print("fine")
"""
    assert run(tmp_path, text) == ([], "fine")
