"""The scan of small programs: what is found, where, and how it is told."""

from __future__ import annotations

import io
import zipfile

import pytest

from grader.model.assignment import Clause, PolicySpec, Recursion
from grader.model.result import Finding, Severity
from grader.model.run import File
from grader.policy.scan import scan

BAN = PolicySpec(ban=("itertools", "copy"))


def look(text: str, policy: PolicySpec = BAN, others: dict[str, str] | None = None) -> list[Finding]:
    files = {"main.py": text, **(others or {})}
    return list(scan(tuple(File(path=path, content=body.encode()) for path, body in files.items()), policy))


def certain(text: str, policy: PolicySpec = BAN, others: dict[str, str] | None = None) -> list[str]:
    return [finding.message for finding in look(text, policy, others) if finding.breach]


def test_a_finding_says_where_how_why_and_what_instead() -> None:
    """Line, column, the line itself, the way it was reached, the reason, the alternative."""
    (found,) = look("import unittest.case\nm = unittest.case.traceback\nperms = m.itertools.permutations\n")
    assert (found.path, found.line, found.column, found.end_column) == ("main.py", 3, 9, 20)
    assert found.source == "perms = m.itertools.permutations"
    assert found.message == "`m` is `traceback`, whose attribute `itertools` is the banned module `itertools`."
    assert found.why
    assert "grid.copy()" in found.instead


def test_columns_count_characters_not_bytes() -> None:
    """A caret stands under the import even after letters of several bytes."""
    (found,) = look("größe = 'äöü'; import copy\n")
    assert found.column == 23


@pytest.mark.parametrize(
    "text",
    [
        "name = 'c'; name += 'opy'; __import__(name)",
        "__import__('ypoc'[::-1])",
        "__import__('%s%s' % ('co', 'py'))",
        "__import__('pbcl'.translate(str.maketrans('pbcl', 'copy')))",
        "import codecs\n__import__(codecs.decode('pbcl', 'rot13'))",
        "__import__(bytes([99, 111, 112, 121]).decode())",
        "g = lambda n: __import__(n)\ng('copy')",
        "class A:\n    def load(self, n):\n        return __import__(n)\nA().load('copy')",
        "class C:\n    def __init__(self):\n        self.n = 'copy'\n    def go(self):\n        __import__(self.n)",
        "d = {'f': __import__}\nd['f']('copy')",
        "def f(a=__import__):\n    return a('copy')",
        "print.__self__.__import__('copy')",
        "import threading\nthreading.Thread(target=exec, args=('import copy',)).start()",
        "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import copy'])",
        "import os\nos.system(\"python3 -c 'import itertools'\")",
        "import operator, dataclasses\noperator.attrgetter('copy.deepcopy')(dataclasses)",
        "__import__('dataclasses').copy",
        "import sys\nclass A:\n    m = sys.modules\n    def f(self):\n        return self.m['copy']",
        "for n in ['math', 'copy']:\n    __import__(n)",
        "k = 'co'\ndef f():\n    return __import__(k + 'py')",
        "import random\nrandom.Random.choices.__globals__['_repeat']",
    ],
)
def test_one_mechanism_finds_many_tricks(text: str) -> None:
    """Names, constants and paths are followed, whichever trick they are spelled with."""
    assert certain(text)


@pytest.mark.parametrize(
    "text",
    [
        "import numpy as np\na = np.array([1]).copy(); np.repeat(np.copy(a), 2)",
        "def f(copy):\n    return copy.deepcopy(1)",
        "class copy:\n    deepcopy = 1\ncopy.deepcopy",
        "from mymod import chain, copy, itertools\nchain(1); copy.deepcopy(2)",
        "'x'.count('x'); [1].copy(); {}.copy()",
        "import pygame\npygame.locate('copy')",
        "class Loader:\n    def load_module(self, n):\n        return n\nLoader().load_module('copy')",
        "import re, logging\nre.compile('import copy'); logging.getLogger('copy')",
        "import timeit\ntimeit.timeit('x.copy()', setup='x = [1]')",
        "class A: ...\nfor s in A.__subclasses__():\n    print(s.__name__ == 'copy')",
        "import os\nos.system('clear'); os.system('cls')",
        "menu = {'copy': print}\nmenu['copy']()",
        "import sys\nprint('copy' in sys.modules, len(sys.modules))",
        "print(list(map(str.upper, ['copy', 'itertools'])))",
        "import math, sys\nprint(getattr(math, sys.argv[1]))",
    ],
)
def test_what_only_looks_like_it_is_left_alone(text: str) -> None:
    """Methods, own names, strings and other modules give no finding and no note."""
    assert look(text) == []


def test_own_module_in_place_of_the_banned_is_a_note() -> None:
    """`import copy` that finds the student's copy.py costs nothing; staff are told."""
    (note,) = look("import copy\ncopy.clone([1])\n", others={"copy.py": "def clone(x):\n    return list(x)\n"})
    assert (note.rule, note.severity) == ("own-module", Severity.REVIEW)


def test_a_builtin_module_is_never_the_students_own() -> None:
    """A file itertools.py is never imported: the library's is built in."""
    assert certain("import itertools\n", others={"itertools.py": "x = 1\n"})


def test_own_copy_inside_a_package_does_not_hide_the_library() -> None:
    """Inside a package the plain import finds the library's module, whatever stands beside."""
    kit = {"kit/__init__.py": "", "kit/a.py": "import copy\n", "kit/copy.py": ""}
    assert certain("import kit.a\n", others=kit)


def test_every_python_file_is_read_also_inside_a_zip() -> None:
    """A helper packed into a zip is no hiding place."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("deep/helper.py", "from copy import deepcopy\n")
    files = (File(path="main.py", content=b""), File(path="assets.zip", content=packed.getvalue()))
    (found,) = scan(files, BAN)
    assert (found.path, found.line) == ("assets.zip/deep/helper.py", 1)


def test_python_under_another_name_is_a_note() -> None:
    """A data file that is Python and imports a banned module is shown to staff."""
    files = (File(path="main.py", content=b""), File(path="table.dat", content=b"import copy\n"))
    (note,) = scan(files, BAN)
    assert (note.rule, note.severity) == ("hidden-way", Severity.REVIEW)


def test_a_pasted_library_is_found_and_an_own_version_is_not() -> None:
    """The library's source under another name is the library; the student's own idea isn't."""
    import copy
    import inspect

    pasted = inspect.getsource(vars(copy)["_reconstruct"])
    assert certain(f"import types\n{pasted}")
    own = "def deepcopy(x):\n    return [deepcopy(i) for i in x] if isinstance(x, list) else x\n"
    assert certain(own) == []


def test_imports_in_doctests_are_notes() -> None:
    """An example in a docstring isn't run with the program."""
    (note,) = look('def f():\n    """Copy.\n\n    >>> import copy\n    """\n')
    assert note.severity is Severity.REVIEW


@pytest.mark.parametrize("name", ["a.pyc", "lib.so", "x.pth", "sitecustomize.py", "__pycache__/a.cpython-311.pyc"])
def test_stray_files_are_notes(name: str) -> None:
    """Compiled files and files that Python runs by itself are named."""
    (note,) = scan((File(path=name, content=b""),), PolicySpec())
    assert (note.rule, note.severity) == ("stray-file", Severity.REVIEW)


def test_names_in_modules_can_be_banned() -> None:
    """`functools.reduce` is found under any name, and the rest of functools is free."""
    policy = PolicySpec(ban=("functools.reduce",))
    assert certain("from functools import reduce as r\n", policy)
    assert certain("import functools as f\nf.reduce(max, [1])\n", policy)
    assert certain("from functools import lru_cache, partial\n", policy) == []


def test_builtins_can_be_banned() -> None:
    """`eval` is found by its name and through `builtins`; the student's own `eval` isn't."""
    policy = PolicySpec(ban=("eval",))
    assert certain("x = eval('1')\n", policy)
    assert certain("import builtins\nbuiltins.eval('1')\n", policy)
    assert certain("def eval(x):\n    return x\neval(1)\n", policy) == []


def test_the_course_s_own_words_replace_the_reason() -> None:
    """A message stands with the entry, or in `messages`."""
    with_entry = PolicySpec(ban=(Clause(name="copy", message="Week 3 is about copying."),))
    by_name = PolicySpec(ban=("copy",), messages={"copy": "Week 3 is about copying."})
    for policy in (with_entry, by_name):
        assert look("import copy\n", policy)[0].why == "Week 3 is about copying."


def test_syntax_can_be_ruled_out() -> None:
    """`while 1` is `while True`; other loops are free."""
    policy = PolicySpec(no=("global", "while True"))
    text = "def f():\n    global x\n    while 1:\n        break\n    while x:\n        break\n"
    assert [finding.line for finding in look(text, policy)] == [2, 3]


def test_structure_can_be_required() -> None:
    """What no file has is told once, by its name."""
    policy = PolicySpec(require=("class Maze", "def solve"))
    (message,) = certain("def solve():\n    pass\n", policy)
    assert "class Maze" in message
    assert certain("def solve(): ...\n", policy, {"maze.py": "class Maze: ...\n"}) == []


def test_recursion_can_be_required_or_forbidden() -> None:
    """Through another function counts; a loop doesn't."""
    mutual = "def a(n):\n    return b(n)\ndef b(n):\n    return a(n - 1) if n else 0\n"
    loop = "def a(n):\n    for i in range(n):\n        print(i)\n"
    assert certain(mutual, PolicySpec(recursion=Recursion.REQUIRED)) == []
    assert len(certain(mutual, PolicySpec(recursion=Recursion.FORBIDDEN))) == 2
    assert certain(loop, PolicySpec(recursion=Recursion.REQUIRED))
    assert certain(loop, PolicySpec(recursion=Recursion.FORBIDDEN)) == []


def test_lines_of_code_can_be_bounded() -> None:
    """Blank lines, comments and docstrings don't count."""
    text = '"""Words."""\n\n# more words\nx = 1\nif x:\n    y = 2\nz = (\n    3\n)\n'
    assert certain(text, PolicySpec(max_lines=6)) == []
    (found,) = look(text, PolicySpec(max_lines=2))
    assert (found.line, "6 lines" in found.message) == (6, True)


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("x = 1\nprint 'hello'\n", 2, "Python 2"),
        ("if 1:\n\tx = 1\n        y = 2\n", 3, "tabs"),
        ("x = (1,\ny = 2\n", 1, "never closed"),
        ("x = 'abc\n", 1, "quote"),
        ("if x\n    pass\n", 1, "`:`"),
        ("def f():\nx = 1\n", 2, "indented"),
        ("x = 1)\n", 1, "closes nothing"),
        ("if x = 1:\n    pass\n", 1, "`==`"),
        ("# coding: nope\n", 1, "UTF-8"),
    ],
)
def test_what_does_not_parse_is_told_in_plain_words(text: str, line: int, told: str) -> None:
    """A syntax error is a finding of its own, at its line; it can't run, so it breaks no rule."""
    (found,) = look(text)
    assert (found.rule, found.line, found.breach) == ("syntax-error", line, False)
    assert told in found.message
    assert found.instead
