"""Beginners' mistakes, each a tiny program run in a real sandbox: the first message names the mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from grader.judge import stdout
from grader.model.assignment import Assignment, Case, CaseFacts, Handin, Kind, RunAs, RunSpec
from grader.model.kit import Expect
from grader.model.result import Mismatch
from grader.model.run import File, Limits
from grader.model.submission import Submission
from grader.model.verdict import Verdict
from grader.pipeline.grade_case import grade_case
from grader.pipeline.prepare import prepare_case
from grader.sandbox.open import open_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.result import CaseResult
    from grader.model.seams import Sandbox

LIMITS = Limits(cpu_s=0.3, wall_s=20, memory_mib=128, output_mib=0.5)


class MapKit:
    """Adds two numbers for each of three maps, and calls a call a map."""

    call_name = "map {index}"

    def parse(self, text: str) -> str:
        return text

    def solve(self, _puzzle: str) -> tuple[int, ...]:
        return (2, 5, 8)

    def calls(self, _puzzle: str) -> tuple[tuple[int, int], ...]:
        return ((1, 1), (2, 3), (4, 4))

    def read(self, record: Any) -> list[Any]:
        return [reply.value for reply in record.replies]

    def check(self, _puzzle: str, claim: list[Any], _expect: Any) -> Mismatch | None:
        wrong = [step for step, want in enumerate((2, 5, 8)) if type(claim[step]) is not int or claim[step] != want]
        return Mismatch(kind="move", message="no move", where=f"map {wrong[0]}", step=wrong[0]) if wrong else None


WAYS: dict[str, tuple[RunSpec, str, Any]] = {
    "argv": (RunSpec(run_as=RunAs.PROGRAM, module="sol.py", argv=("{file}",)), "stdout", stdout.Expect(stdout="5\n")),
    "input": (
        RunSpec(run_as=RunAs.PROGRAM, module="sol.py", stdin="{file}\n"),
        "stdout",
        stdout.Expect(stdout="5\n"),
    ),
    "call": (
        RunSpec(run_as=RunAs.FUNCTION, module="sol.py", function="add_up", args=(2, 3)),
        "value",
        Expect(value=5),
    ),
    "maps": (RunSpec(run_as=RunAs.FUNCTION, module="sol.py", function="add_up"), "claim", Expect()),
}


class Row(NamedTuple):
    """A program, how it is run, and what its author must read: the kind, decisive words, the line shown."""

    way: str
    source: str | bytes
    kind: str
    words: tuple[str, ...]
    line: int = 0


RIGHT = "def add_up(a, b):\n    return a + b\n"
ROWS = {
    "near name": Row(
        "call", "def addUp(a, b):\n    return a + b\n", "no-function", ("rename addUp", "`def addUp(a, b):`"), 1
    ),
    "method": Row(
        "call", "class A:\n    def add_up(self, a, b):\n        return 5\n", "no-function", ("class A",), 2
    ),
    "nested": Row("call", "def f():\n    def add_up(a, b):\n        pass\n", "no-function", ("inside f",), 2),
    "guarded": Row(
        "call", "if __name__ == '__main__':\n    def add_up(a, b):\n        pass\n", "no-function", ("__name__",), 2
    ),
    "other names": Row("call", "def walk():\n    pass\n", "no-function", ("no function add_up", "walk (line 1)"), 1),
    "no function": Row("call", "x = 1\n", "no-function", ("defines no function",)),
    "printed, not returned": Row(
        "call", "def add_up(a, b):\n    print(a + b)\n    return 0\n", "printed", ("printed 5 and returned 0",)
    ),
    "text as key": Row(
        "call", "def add_up(a, b):\n    return {5: 5}[str(a + b)]\n", "KeyError", ("the text '5', not 5",), 2
    ),
    "too many parts": Row(
        "call", "def add_up(a, b):\n    c, d = '1,2,3'.split(',')\n", "ValueError", ("as many as the parts",), 2
    ),
    "no number": Row("call", "def add_up(a, b):\n    return int('x')\n", "ValueError", ("given 'x'",), 2),
    "text for a range": Row(
        "call", "def add_up(a, b):\n    return len(range('5'))\n", "TypeError", ("`int(…)` makes one",), 2
    ),
    "spaces only": Row(
        "call",
        "def add_up(a, b):\n    if a:\n        a = 1\n      return a\n",
        "IndentationError",
        ("more or fewer spaces",),
        4,
    ),
    "leaves without flush": Row(
        "argv", "import os\nprint(5)\nos._exit(0)\n", "unwritten", ("`os._exit(0)`", "throws away"), 3
    ),
    "too few parameters": Row(
        "call",
        "def add_up(a):\n    return a\n",
        "TypeError",
        ("two arguments", "`def add_up(a):`", "one parameter"),
        1,
    ),
    "too many parameters": Row(
        "call", "def add_up(a, b, c):\n    return a\n", "TypeError", ("two arguments", "three parameters"), 1
    ),
    "printed": Row("call", "def add_up(a, b):\n    print(a + b)\n", "printed", ("printed '5'", "`print(a + b)`"), 2),
    "printed, maps": Row("maps", "def add_up(a, b):\n    print(a + b)\n", "printed", ("map 0: ", "printed '2'"), 2),
    "no return": Row("call", "def add_up(a, b):\n    c = a + b\n", "no-return", ("None", "no `return`"), 1),
    "a way without return": Row(
        "call", "def add_up(a, b):\n    if a > b:\n        return 5\n", "no-return", ("some way",), 1
    ),
    "text": Row(
        "call", "def add_up(a, b):\n    return str(a + b)\n", "text-not-number", ("the text '5'", "the number 5"), 2
    ),
    "text, maps": Row("maps", "def add_up(a, b):\n    return str(a + b)\n", "text-not-number", ("map 0: ",), 2),
    "truth": Row("maps", "def add_up(a, b):\n    return [a + b]\n", "list-not-value", ("the list [2]",), 2),
    "input in a function": Row(
        "call", "def add_up(a, b):\n    return int(input())\n", "EOFError", ("use its parameters", "`return int("), 2
    ),
    "input at import": Row("call", f"n = input()\n{RIGHT}", "EOFError", ("as soon as it is imported",), 1),
    "too much input": Row(
        "input",
        "a = input()\nb = input()\n",
        "EOFError",
        ("more input than it is given", "one line", "'maze.txt'"),
        2,
    ),
    "no input": Row("argv", "a = input()\n", "EOFError", ("no input", "sys.argv[1]"), 1),
    "argv[2]": Row(
        "argv", "import sys\nprint(sys.argv[2])\n", "IndexError", ("one argument, the name of the file",), 2
    ),
    "argv unpacked": Row("argv", "import sys\na, b, c = sys.argv\n", "ValueError", ("one argument",), 2),
    "argv with input": Row(
        "input", "import sys\nprint(sys.argv[1])\n", "IndexError", ("no argument", "`input()`"), 2
    ),
    "own path": Row(
        "argv", "open('C:/mazes/my.txt')\n", "FileNotFoundError", ("C:/mazes/my.txt", "'maze.txt'", "sys.argv[1]"), 1
    ),
    "line end in the name": Row(
        "input", "import sys\nopen(sys.stdin.readline())\n", "FileNotFoundError", ("`.strip()`",), 2
    ),
    "never called": Row("argv", "def main():\n    print(5)\n", "not-called", ("never calls it", "`main()`"), 1),
    "named only": Row("argv", "def main():\n    print(5)\nmain\n", "not-called", ("`main()` calls it",), 3),
    "wrong guard": Row(
        "argv", "def main():\n    print(5)\nif __name__ == 'main':\n    main()\n", "not-called", ("'__main__'",), 3
    ),
    "empty": Row("argv", "\n", "not-called", ("empty file",)),
    "exit status": Row(
        "argv", "import sys\nprint(5)\nsys.exit(3)\n", "exit-status", ("exit status 3", "0 means", "`sys.exit(3)`"), 3
    ),
    "exit in a function": Row("call", "def add_up(a, b):\n    exit()\n", "SystemExit", ("`return`",), 2),
    "recursion": Row(
        "argv", "def f(n):\n    return f(n + 1)\nf(0)\n", "RecursionError", ("f calls itself", "`return f(n + 1)`"), 2
    ),
    "loop": Row(
        "argv",
        "def f():\n    x = 0\n    while x < 5:\n        y = x + 1\nf()\n",
        "time",
        ("0.3 s", "loop of line 3 of sol.py (`while x < 5:`)"),
        3,
    ),
    "flood": Row("argv", "while True:\n    print(5)\n", "output", ("megabytes", "loop of line 1"), 1),
    "Latin-1": Row(
        "argv", "# a\n# gr\xfc\xdfe\nprint(5)\n".encode("latin-1"), "SyntaxError", ("UTF-8", "line 2", "grüße"), 2
    ),
    "UTF-16": Row("argv", "print(5)\n".encode("utf-16"), "SyntaxError", ("UTF-16", "UTF-8"), 1),
    "Python 2": Row("argv", "print 5\n", "SyntaxError", ("line 1", "`print 5`", "`print(…)`"), 1),
    "tabs": Row("argv", "if 1:\n\tx = 1\n        y = 2\n", "TabError", ("line 3", "spaces alone"), 3),
    "not installed": Row("argv", "import nunpy\n", "ModuleNotFoundError", ("nunpy isn't installed", "nunpy.py"), 1),
    "near variable": Row("argv", "width = 5\nprint(widht)\n", "NameError", ("Did you mean `width`?",), 2),
    "near method": Row("argv", "[].apend(1)\n", "AttributeError", ("Did you mean `append`?",), 1),
    "no import": Row("argv", "print(math.pi)\n", "NameError", ("`import math`",), 1),
    "global": Row(
        "argv", "n = 4\ndef f():\n    n += 1\n    print(n)\nf()\n", "UnboundLocalError", ("f gives n a value",), 3
    ),
    "text and number": Row("argv", "print('3' < 5)\n", "TypeError", ("Text is compared with a number",), 1),
    "none": Row("argv", "def f():\n    pass\nprint(f()[0])\n", "TypeError", ("None", "without `return`"), 3),
    "edge": Row("argv", "a = [[1]]\nprint(a[0][1])\n", "IndexError", ("edge of the map",), 2),
    "index": Row("argv", "a = [1]\nprint(a[1])\n", "IndexError", ("last item",), 2),
    "crash on one map": Row(
        "maps", "def add_up(a, b):\n    return 10 // (a - 2) and a + b\n", "ZeroDivisionError", ("map 1: add_up",), 2
    ),
}
INNOCENT = {
    "prints, too": Row("call", "def add_up(a, b):\n    print('adding')\n    return a + b\n", "", ()),
    "whole float": Row("call", "def add_up(a, b):\n    return 5.0\n", "", ()),
    "defines and calls": Row("argv", "def main():\n    print(5)\nmain()\n", "", ()),
    "wrong, and prints": Row("call", "def add_up(a, b):\n    print(4)\n    return 6\n", "value", ("6",)),
    "wrong text": Row("call", "def add_up(a, b):\n    return 'six'\n", "value", ("'six'",)),
    "silent by choice": Row("argv", "import sys\nif len(sys.argv) > 5:\n    print(5)\n", "line", ()),
    "argv as index": Row("argv", "import sys\n[][len(sys.argv[1])]\n", "IndexError", ("last item",), 2),
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    opened = open_sandbox()
    yield opened
    opened.close()


def graded(row: Row, sandbox: Sandbox) -> CaseResult:
    run, judge, expect = WAYS[row.way]
    kind = Kind(name="k", run=run, kit="none", judge=judge)
    case = Case(facts=CaseFacts(id="c", title="C"), kind=kind, limits=LIMITS, input="", raw=b"", expect=expect)
    assignment = Assignment(name="a", title="A", files=(Handin(name="sol.py"),), kinds={"k": kind}, limits=LIMITS)
    content = row.source.encode() if isinstance(row.source, str) else row.source
    submission = Submission(id="ann", files=(File(path="sol.py", content=content),))
    return grade_case(prepare_case(case, MapKit()), submission, assignment, sandbox)


@pytest.mark.parametrize("name", ROWS)
def test_the_message_names_the_mistake_and_shows_the_line(name: str, sandbox: Sandbox) -> None:
    """One sentence or two, with the student's own line as text and as data, and no path of the sandbox."""
    row = ROWS[name]
    result = graded(row, sandbox)
    assert result.mismatch is not None
    assert result.mismatch.kind == row.kind, result.message
    assert not [word for word in row.words if word not in result.message], result.message
    assert result.mismatch.line == row.line, result.message
    lines = row.source.splitlines() if isinstance(row.source, str) else []
    assert not lines or not row.line or result.mismatch.source == lines[row.line - 1].strip()
    assert "/work/" not in result.message


@pytest.mark.parametrize("name", INNOCENT)
def test_look_alikes_are_told_nothing_of_the_kind(name: str, sandbox: Sandbox) -> None:
    """A right program is right whatever it prints; a wrong one hears of no mistake that isn't proven."""
    row = INNOCENT[name]
    result = graded(row, sandbox)
    assert (result.mismatch.kind if result.mismatch else "") == row.kind, result.message
    assert (result.verdict is Verdict.AC) == (not row.kind)
    assert not [word for word in row.words if word not in result.message], result.message
