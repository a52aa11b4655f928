"""The watch in the child: it reports the student's use, and changes nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from grader.policy import watch

OTHERS = [python for version in (12, 13) if (python := shutil.which(f"python3.{version}"))]
PYTHONS = [sys.executable, *(p for p in OTHERS if not subprocess.call([p, "-c", ""], stderr=subprocess.DEVNULL))]
ARM = f"""
import json, sys
space = {{"__name__": "watch"}}
exec(compile(open({watch.__file__!r}).read(), "<watch>", "exec"), space)
modules = tuple(sys.argv[1].split(","))
told = set()
def report(index, frame):
    place = (frame.f_code.co_filename, frame.f_lineno) if frame else ("", 0)
    fact = {{"module": modules[index], "path": place[0], "line": place[1]}}
    if str(fact) not in told:
        told.add(str(fact))
        print("REPORT", json.dumps(fact), flush=True)
space["arm"](modules, report)
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


@pytest.mark.parametrize("python", PYTHONS, ids=lambda path: Path(path).name)
def test_use_is_reported_with_its_place_and_the_program_goes_on(tmp_path: Path, python: str) -> None:
    """The entry, file and line are told; the program's own work isn't disturbed."""
    text = "import copy\nfor i in range(3):\n    x = copy.deepcopy([[i]])\nprint(x)\n"
    reports, output = run(tmp_path, text, python=python)
    assert reports == [{"module": "copy", "path": "main.py", "line": 3}]
    assert output == "[[2]]"


@pytest.mark.parametrize("python", PYTHONS, ids=lambda path: Path(path).name)
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


def test_a_zipped_library_is_a_library_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser's standard library lies in a zip: what it uses itself isn't reported, what passes for it is."""
    archive = tmp_path / "library.zip"
    with zipfile.ZipFile(archive, "w") as library:
        library.writestr("helpful.py", "from itertools import count\ndef first():\n    return next(count())\n")
    monkeypatch.setenv("PYTHONPATH", str(archive))
    text = "import helpful\nprint(helpful.first())\n"
    assert run(tmp_path, text) == ([], "0")
    forged = f"{text}exec(compile('import copy; copy.copy([1])', helpful.__file__, 'exec'), {{}})\n"
    assert [report["module"] for report in run(tmp_path, forged)[0]] == ["copy"]


def test_own_copy_is_importable_as_at_home(tmp_path: Path) -> None:
    """The student's copy.py is what `import copy` finds, though the library's is loaded already."""
    (tmp_path / "copy.py").write_text("def clone(x):\n    return list(x)\n")
    reports, output = run(tmp_path, "import dataclasses, copy\nprint(copy.clone('ab'))\n")
    assert (reports, output) == ([], "['a', 'b']")


def test_the_fact_is_sent_before_the_program_can_hide(tmp_path: Path) -> None:
    """A program that leaves at once has been reported already."""
    reports, _ = run(tmp_path, "import os\nfrom itertools import permutations\nos._exit(0)\n")
    assert [report["module"] for report in reports] == ["itertools"]


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


def test_two_names_of_one_module_can_be_watched(tmp_path: Path) -> None:
    """Each entry of a ban is told by its own name."""
    text = "import functools, math\nfunctools.reduce(max, [1, 2])\nfunctools.partial(print)\nmath.pi\n"
    reports, _ = run(tmp_path, text, modules="functools.reduce,math,functools.partial")
    told = {(report["module"], report["line"]) for report in reports}
    assert told == {("functools.reduce", 2), ("functools.partial", 3), ("math", 4)}


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


COPY = "''.join(map(chr, [99, 111, 112, 121]))"
COPY_MODULE = f"__import__({COPY})"
WAYS = {
    "a pool reads it": f"""
from concurrent.futures import ThreadPoolExecutor
pool = ThreadPoolExecutor(1)
module = pool.submit(__import__, {COPY}).result()
pool.submit(getattr, module, "deepcopy").result()""",
    "a pool calls it": f"""
from multiprocessing.pool import ThreadPool
import operator
pool = ThreadPool(1)
function = pool.apply(operator.attrgetter("deepcopy"), (__import__({COPY}),))
pool.apply(function, ([1],))
pool.terminate()""",
    "frames are replaced": f"""
import os, sys
sys._getframe = lambda *a: os.walk(".").gi_frame
__import__({COPY}).deepcopy([1])""",
    "the class is taken off": f"""
import sys
module = __import__({COPY})
module.__class__ = type(os) if "os" in vars() else type(__import__("types"))
module.deepcopy([1])""",
    "the class is taken off by object": f"""
import types
object.__setattr__(__import__({COPY}), "__class__", types.ModuleType)""",
    "the guard's code is read": f"vars(type(__import__({COPY})))['__getattribute__'].__code__",
    "a class is taken from an instance": """
from collections import Counter
def kind(thing): return type(thing)
match Counter("ab").elements():
    case thing: list(kind(thing)([1], [2]))""",
    "a module's names are read raw": """
import sys, types
types.ModuleType.__dict__["__dict__"].__get__(sys.modules["iter" "tools"])["permutations"]([1])""",
    "a module's names are read by object": f"object.__getattribute__(__import__({COPY}), 'deep' 'copy')([1])",
    "a library function's globals": """
import random
[value for name, value in random.choices.__globals__.items() if name[1:4] == "rep"][0](1, 2)""",
    "the library reads it": f"""
import inspect
dict(inspect.getmembers(__import__({COPY})))["deep" "copy"]""",
    "a frame gives it": """
import dataclasses, sys
class Spy:
    def __deepcopy__(self, memo): sys._getframe(1).f_globals["deep" "copy"]([1])
dataclasses.asdict(dataclasses.make_dataclass("A", ["x"])(Spy()))""",
    "the module is made again": """
import _imp
class Spec: name = "".join(["iter", "tools"])
module = _imp.create_builtin(Spec)
_imp.exec_builtin(module)
module.permutations""",
    "the module is imported again": """
import sys
sys.modules.pop("iter" + "tools", None)
__import__("iter" + "tools").permutations""",
    "a file of the library that isn't there": f"""
import os
text = "r = __import__(" + repr({COPY}) + ").deepcopy([1])"
exec(compile(text, os.path.join(os.path.dirname(os.__file__), "zz.py"), "exec"), {{}})""",
    "a frozen module that isn't there": f"""
exec(compile("__import__(" + repr({COPY}) + ").copy", "<frozen zz>", "exec"))""",
    "a name with dots": f"""
import os
text = "__import__(" + repr({COPY}) + ").copy"
exec(compile(text, os.path.join(os.path.dirname(os.__file__), "..", "random.py"), "exec"), {{}})""",
    "source run again": f"""
import os
exec(open(os.path.join(os.path.dirname(os.__file__), {COPY} + ".py")).read(), {{"__name__": "mine"}})""",
    "a pickle": "import pickle\npickle.loads(b'citertools\\npermutations\\n((I1\\nltR.')",
    "code in a library function": f"""
import textwrap
def f(text): return __import__({COPY}).copy
textwrap.dedent.__code__ = f.__code__.replace(co_filename=textwrap.__file__)
textwrap.dedent("")""",
}


@pytest.mark.parametrize(
    "guard",
    [f"type({COPY_MODULE}).__getattribute__", f"{COPY_MODULE}.deepcopy", "_imp.create_builtin", "chain.__new__"],
)
def test_a_guard_gives_nothing_away(tmp_path: Path, guard: str) -> None:
    """No cell and no global of a guard leads to what it guards or to whom it tells."""
    text = f"""
import _imp, collections, sys
chain = collections._chain
guard = {guard}
print(guard.__closure__, "report" in str(guard.__globals__))
"""
    assert run(tmp_path, text)[1] == "None False"


@pytest.mark.parametrize("way", WAYS)
def test_ways_round_the_watch_are_reported(tmp_path: Path, way: str) -> None:
    """Threads, forged names, guards taken off, modules made twice: the use is told all the same."""
    reports, _ = run(tmp_path, WAYS[way])
    assert {report["module"] for report in reports} <= {"itertools", "copy"}
    assert reports


INNOCENT = """
import xml.etree.ElementTree as E
E.fromstring("<a><b/></a>").find("b")
import datetime, decimal, json, logging, re, string, tempfile, uuid, zoneinfo, sqlite3, csv, queue
datetime.datetime.strptime("2020", "%Y")
datetime.date.today().strftime("%Y"), datetime.datetime.now().timetuple()
object().__reduce_ex__(2), object().__reduce_ex__(1)
logging.getLogger().warning
sqlite3.connect(":memory:").close()
print("fine")
"""


@pytest.mark.parametrize(
    "modules",
    ["itertools,copy", "os", "sys", "threading", "functools", "time", "re", "collections,copyreg", "types,weakref"],
)
@pytest.mark.parametrize("python", PYTHONS, ids=lambda path: Path(path).name)
def test_what_the_library_uses_accuses_nobody(tmp_path: Path, python: str, modules: str) -> None:
    """Extensions that load, functions in C, and the library may use what the student may not name."""
    text = "\n".join(line for line in INNOCENT.split("\n") if not any(f" {m}" in line for m in modules.split(",")))
    text = text if modules != "re" else 'import xml.etree.ElementTree as E\nE.fromstring("<a/>")\nprint("fine")\n'
    reports, output = run(tmp_path, text, modules=modules, python=python)
    assert (reports, output.splitlines()[-1]) == ([], "fine")


def test_packages_of_the_assignment_are_library(tmp_path: Path) -> None:
    """A folder that stands in sys.path before the student's code is trusted like the library."""
    packages = tmp_path / "packages"
    packages.mkdir()
    (packages / "tool.py").write_text("import itertools\nx = getattr(itertools, 'permu' + 'tations')([1])\n")
    home = tmp_path / "home"
    home.mkdir()
    text = ARM.replace("import json, sys", f"import json, sys\nsys.path.insert(1, {str(packages)!r})", 1)
    (home / "main.py").write_text("import tool\nprint(list(tool.x))\n")
    command = [sys.executable, "-B", "-c", text, "itertools,copy"]
    done = subprocess.run(command, cwd=home, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "[(1,)]\n", done.stderr


def test_a_traceback_names_no_file_of_the_watch(tmp_path: Path) -> None:
    """What fails inside a banned function is shown as without the watch: the library's lines."""
    text = """
import copy, traceback
class Bad:
    def __deepcopy__(self, memo): raise ValueError("mine")
try:
    copy.deepcopy(Bad())
except ValueError:
    print(traceback.format_exc())
del copy.deepcopy
try:
    copy.deepcopy
except AttributeError:
    print(traceback.format_exc())
"""
    _, output = run(tmp_path, text)
    assert "mine" in output
    assert "deepcopy" in output
    assert "<watch>" not in output
