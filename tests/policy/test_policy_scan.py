"""The scan of small programs: what is found, where, and how it is told."""

from __future__ import annotations

import io
import zipfile

import msgspec
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
    assert "permutations" in found.instead


def test_what_a_banned_function_returns_is_no_second_finding() -> None:
    """One import is one finding, whatever is done with what it gives."""
    text = "import copy\ngrid = copy.deepcopy([1])\nprint(type(grid), getattr(grid, 'x', 0), vars(copy), grid.y)\n"
    (found,) = look(text)
    assert found.line == 1


def test_columns_count_characters_not_bytes() -> None:
    """A caret stands under the import even after letters of several bytes."""
    (found,) = look("größe = 'äöü'; import copy\n")
    assert found.column == 23


@pytest.mark.parametrize(
    "text",
    [
        "name = 'c'; name += 'opy'; __import__(name)",
        "d = {'f': __import__}\nd['f']('copy')",
        "def f(a=__import__):\n    return a('copy')",
        "print.__self__.__import__('copy')",
        "import threading\nthreading.Thread(target=exec, args=('import copy',)).start()",
        "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import copy'])",
        "import os\nos.system(\"python3 -c 'import itertools'\")",
        "__import__('dataclasses').copy",
        "for n in ['math', 'copy']:\n    __import__(n)",
        "k = 'co'\ndef f():\n    return __import__(k + 'py')",
        f"x = [{'0, ' * 300}__import__('copy')]",
        "(n := 'copy') and __import__(n)",
        "import sys\nsys.modules['copy'].copy([1])",
        "exec(f'import {\"copy\"}')",
        "name = lambda: 1\nname = 'iter'\n[__import__(part) for part in (name + 'tools', 'math')]",
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
        "class _Box: ...\nbox = _Box()\nif input() == 'copy': getattr(box, input())",
        "import sys\nprint('copy' in sys.modules, len(sys.modules))",
        "print(list(map(str.upper, ['copy', 'itertools'])))",
        "import math, sys\nprint(getattr(math, sys.argv[1]))",
        "for n in ['math']:\n    __import__(n)\nfor n in ['copy', 'paste']:\n    print(n)",
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


@pytest.mark.parametrize(
    ("text", "ban"),
    [
        ("import os.path\nos.system('ls')", "os"),
        ("import os.path as p\np.join('a')", "os"),
        ("from os import path", "os"),
        ("import xml.etree.ElementTree", "xml"),
        ("from collections import abc", "collections"),
        ("import functools\nfunctools.reduce(max, [1])", "functools.reduce"),
    ],
)
def test_a_package_is_banned_with_all_that_is_in_it(text: str, ban: str) -> None:
    """`import os.path` imports `os`, too."""
    assert certain(text, PolicySpec(ban=(ban,)))


def test_advice_fits_what_is_banned() -> None:
    """What to do instead is told for the module at hand, not for another."""
    texts = {name: look(f"import {name}\n", PolicySpec(ban=(name,)))[0].instead for name in ("heapq", "os", "abc")}
    assert len(set(texts.values())) == 3
    assert not any("grid.copy()" in text for text in texts.values())


def test_an_import_that_is_not_used_says_so() -> None:
    """The shortest way out is to delete the line."""
    assert "delete the line" in certain("import copy\n")[0]
    assert "delete" not in certain("import copy\ncopy.copy(1)\n")[0]


def test_a_file_in_the_place_of_a_built_in_module_is_explained() -> None:
    """The student learns why the own itertools.py isn't what the import finds."""
    (message,) = certain("import itertools\n", others={"itertools.py": "x = 1\n"})
    assert "comes before a file of that name" in message


def stray(others: dict[str, str], main: str = "print(1)\n") -> list[Finding]:
    files = {"main.py": main, **others}
    given = tuple(File(path=path, content=body.encode()) for path, body in files.items())
    return [finding for finding in scan(given, BAN, ("main.py",)) if finding.rule == "banned-import"]


def test_a_file_that_nothing_imports_is_a_note() -> None:
    """An old version or a test beside the program costs nothing."""
    old = "import itertools\nitertools.chain()\n"
    for path in ("old_version.py", "test_main.py", "tools/make.py"):
        (note,) = stray({path: old})
        assert (note.severity, "delete it" in note.message) == (Severity.REVIEW, True)


@pytest.mark.parametrize(
    "main",
    [
        "import helper\n",
        "from helper import x\n",
        "def f():\n    from . import helper\n",
        "__import__('hel' + 'per')\n",
        "import importlib\nimportlib.import_module('helper')\n",
        "import runpy\nrunpy.run_path('helper.py')\n",
        "exec(open('help' + input() + '.py').read())\n",
        f"x = 'c'\n{'__import__(' + repr('a' * 60_000) + ' + x)'}\n" * 300,
        "0\n" * 200_000,
        "import between\n",
    ],
)
def test_a_file_that_is_reached_counts(main: str) -> None:
    """Whichever way the program gets to a helper, its imports are the program's."""
    others = {"helper.py": "import copy\ncopy.copy(1)\n", "between.py": "import helper\n"}
    assert any(finding.breach for finding in stray(others, main))


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("import math, random\nfrom math import sqrt\nfrom __future__ import annotations\n", True),
        ("import os.path\n", True),
        ("from os import path\n", True),
        ("import helper\nfrom . import helper\n", True),
        ("import heapq\n", False),
        ("import os\n", False),
        ("from os import system\n", False),
        ("__import__('heapq')\n", False),
        ("import numpy as np\n", False),
    ],
)
def test_only_some_modules_may_be_allowed(text: str, fits: bool) -> None:
    """`only` is the list of what may be imported; own files always may."""
    policy = PolicySpec(only=("math", "random", "os.path"))
    assert (certain(text, policy, {"helper.py": "x = 1\n"}) == []) is fits


CALLS = {
    "def f(n):\n    return f(n - 1)\n": True,
    "f = lambda n: n and f(n - 1)\n": True,
    "class A:\n    def depth(self):\n        return self.depth()\n": True,
    "class A:\n    @classmethod\n    def make(cls):\n        return cls.make()\n": True,
    "def f(n):\n    def g():\n        return f(n - 1)\n    return g()\n": True,
    "def f(cells):\n    return list(map(f, cells))\n": True,
    "def walk(x): ...\nclass Maze:\n    def walk(self):\n        walk(self)\n": False,
    "class Stack:\n    def pop(self):\n        return self.items.pop()\n": False,
    "def f(n):\n    f = len\n    return f(n)\n": False,
    "def f(f):\n    return f(1)\n": False,
    "def a(): b()\ndef b(): ...\n": False,
}


@pytest.mark.parametrize("text", CALLS)
def test_recursion_is_told_by_calls_and_not_by_names(text: str) -> None:
    """A call counts where its name is the function itself, in that scope."""
    assert bool(certain(text, PolicySpec(recursion=Recursion.FORBIDDEN))) is CALLS[text]


def test_a_method_that_calls_its_like_is_recursion_enough() -> None:
    """`child.depth()` inside `depth` may be recursion: where it's required it counts, where it's forbidden not."""
    text = "class Node:\n    def depth(self):\n        return 1 + max(c.depth() for c in self.children)\n"
    assert certain(text, PolicySpec(recursion=Recursion.REQUIRED)) == []
    assert certain(text, PolicySpec(recursion=Recursion.FORBIDDEN)) == []


@pytest.mark.parametrize(
    "text",
    [
        "import base64\n__import__(base64.test())",
        "import os\nexec('x = %d' % os.path.getsize('maze.txt'))",
        "__import__('{:{}}'.format('x', 3000000000))",
        "import operator\n__import__(operator.mod('%3000000000d', 1))",
        "__import__('%3000000000d' % 1)",
        "import codecs\n__import__(codecs.decode(b'QlpoOTE=', 'bz2'))",
        "__import__(('b' * 60000).encode('punycode').decode())",
        "__import__((b'000'[3:] + b'x').decode('punycode'))",
        "__import__(str(9 ** 9 ** 9))",
        "__import__('c' * (1 << 60))",
    ],
)
def test_nothing_that_a_source_names_is_called(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What only a call could tell stays unknown: nothing is printed, looked at or made large."""
    findings = look(text)
    assert not any(finding.breach or finding.rule == "scan-error" for finding in findings)
    assert capsys.readouterr().out == ""


def test_the_scan_tells_nothing_of_the_machine() -> None:
    """What a source asks about files makes no difference, whether they are there or not."""
    asked = "import os\n__import__('copy'[: 4 * os.path.lexists({!r})])\n__import__('m' * os.path.getsize({!r}))\n"
    there, missing = (look(asked.format(path, path)) for path in ("/etc/passwd", "/etc/nobody"))
    assert [(f.rule, f.line, f.severity) for f in there] == [(f.rule, f.line, f.severity) for f in missing]


def test_a_fault_of_ours_is_told_to_staff_and_the_other_rules_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that fails is a note; it stops neither the scan nor the batch."""
    from grader.policy import scan as room
    from grader.policy.scan import RULES

    broken = msgspec.structs.replace(RULES[-1], check=lambda *_: 1 / 0)
    monkeypatch.setattr(room, "RULES", (broken, *RULES))
    rules = {finding.rule: finding for finding in look("import copy\n")}
    assert rules["scan-error"].severity is Severity.REVIEW
    assert rules["banned-import"].breach
