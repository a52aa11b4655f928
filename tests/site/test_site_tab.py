"""Promises of the check in a browser's tab, in real Chromium: the course's verdicts, and a wall round the program."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import pytest
from compare_site import NAMES, ROOT, differences, files_of
from course_run import course_run
from own_course import WRONG
from programs import program, programs

from bench.tab import Tab, served

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser

pytest_plugins = ["site_fixtures"]
CHOSEN = {
    "lefthand": ("AC/helper_module", "WA/right_hand", "RTE/crashes", "PV", "OLE"),
    "alice-csv": ("AC", "WA/no_diagonals", "RTE"),
    "alice-grid": ("AC", "WA/no_diagonals", "RTE"),
    "alice-263": ("AC", "WA/no_diagonals", "RTE"),
    "runner": ("AC", "WA/beeline", "RTE"),
}
"""Of each assignment a spread of endings; a folder of several stands for its first."""
FILES = {"lefthand": "maze_solver.py", "runner": "maze.py"}
HOSTILE = """
import gc, sys
found = []
def attempt(name, deed):
    try:
        deed()
        found.append(name)
    except BaseException:
        pass

def js():
    frame = sys._getframe()  # whoever holds the modules that were taken away
    while frame is not None:
        for each in [*sys.modules.values(), *frame.f_globals.get("_state", {}).get("kept", {}).values()]:
            if type(each).__name__ == "JsProxy":
                return each
        frame = frame.f_back
    return next(each for each in gc.get_objects() if type(each).__name__ == "JsProxy")

def world():
    return js().constructor.constructor("return self")()

def polluted():
    js().constructor.prototype.limit = ""
    js().constructor.prototype.what = "told"

attempt("import js", lambda: __import__("js"))
attempt("import pyodide_js", lambda: __import__("pyodide_js"))
sys.meta_path[:] = [each for each in sys.meta_path if type(each).__name__ != "_Absent"]
attempt("import js again", lambda: __import__("js"))
attempt("run_js", lambda: __import__("pyodide").code.run_js("1"))
attempt("eval", world)
attempt("fetch", lambda: world().fetch("/index.html").then)
for name in ("fetch", "XMLHttpRequest", "WebSocket", "importScripts", "Worker", "SharedWorker", "indexedDB",
        "localStorage", "caches", "document", "postMessage", "BroadcastChannel", "EventSource", "navigator", "close"):
    attempt(name, lambda: getattr(world(), name).name)
attempt("loadPackage", lambda: js().loadPackage("/index.html") and 1 / 0)
attempt("socket", lambda: __import__("socket").create_connection(("127.0.0.1", 80), 1))
try:
    polluted()
except BaseException:
    pass
sys.stderr.write("REACHED " + ", ".join(found) + "\\n")
raise SystemExit(9)
"""
"""It goes on where the front door is shut: frames, the collector, JavaScript's own constructors."""
FORGING = """
import os
for fd in range(3, 64):
    for frame in (b"\\0\\0\\0\\x05Gnull", b"\\0\\0\\0\\x05Rnull", b"\\0\\0\\0\\x0eV12345678[true]", b"\\xff" * 64):
        try:
            os.write(fd, frame)
        except OSError:
            pass
"""
FLOODING = """
import os
while True:
    for fd in range(3, 16):
        try:
            os.write(fd, b"x" * 65536)
        except OSError:
            pass
"""


def solution(name: str, where: str) -> Path:
    path = programs(name) / where
    return path if "/" in where else min(each for each in path.iterdir() if each.is_dir())


def main_of(name: str) -> str:
    return FILES.get(name, "Alice.py")


def verdicts(cases: list[dict[str, Any]]) -> dict[str, str]:
    return {case["id"]: case["verdict"] for case in cases}


@pytest.mark.parametrize("name", NAMES)
def test_the_tab_says_what_the_course_says(name: str, tab: Callable[..., Tab]) -> None:
    """Case by case verdict and words of `grader check`: right, wrong, crashing, banned, endless; the tab goes on."""
    page = tab(name)
    with course_run(ROOT / "cases", name) as course:
        for path in (solution(name, where) for where in CHOSEN[name]):
            found, (wanted, _) = page.check(files_of(path)), course(path)
            differ = [one for what in ("verdict", "message") for one in differences(what, found, wanted)]
            assert differ == [], path
            assert "data-command" not in page.report  # there is no command to repeat a case with
    endless = page.check({main_of(name): b"def move_algo(*_):\n    while True:\n        pass\nmove_algo()\n"})
    assert [case["verdict"] for case in endless][:2] == ["TLE", "SK"]
    assert "line" in endless[0]["message"]
    hostile = page.check({main_of(name): HOSTILE.encode()})
    assert "AC" not in {case["verdict"] for case in hostile}
    assert re.search(r"REACHED(?! \w)", page.report), page.report[-3000:]
    right = solution(name, CHOSEN[name][0])
    assert {case["verdict"] for case in page.check(files_of(right))} == {"AC"}


def test_a_hostile_program_sends_nothing(page: Tab) -> None:
    """While it runs, not even the site's own server hears anything; what others have stored stays as it was."""
    page.page.evaluate("() => localStorage.setItem('precious', 'mine')")
    sent: list[str] = []
    page.page.context.on("request", lambda request: sent.append(request.url))
    page.check({"maze_solver.py": HOSTILE.encode()})
    assert [url for url in sent if not url.startswith(("blob:", "about:"))] == []
    assert page.page.evaluate("() => localStorage.getItem('precious')") == "mine"


@pytest.mark.parametrize("program", [FORGING, FLOODING], ids=["forging", "flooding"])
def test_a_forged_message_is_no_answer(program: str, tab: Callable[..., Tab]) -> None:
    """Frames that nobody asked for end the case; the next check is judged as if nothing had been."""
    page = tab("runner")
    source = f"{program}\ndef move_algo(*_):\n    return 0\n"
    cases = page.check({"maze.py": source.encode()})
    assert "AC" not in {case["verdict"] for case in cases}
    right = solution("runner", "AC")
    assert {case["verdict"] for case in page.check(files_of(right))} == {"AC"}


def test_scripts_inside_the_rooms_frame_reach_nothing(page: Tab) -> None:
    """Even JavaScript of the frame itself has no origin, no storage, no connection and no way to run new code."""
    room = next(frame for frame in page.page.frames if frame.parent_frame and "Python" in frame.title())
    found = room.evaluate(
        """async () => {
            const reached = [];
            const attempt = async (name, deed) => { try { await deed(); reached.push(name); } catch {} };
            await attempt("storage", () => localStorage.length);
            await attempt("indexedDB", () => new Promise((yes, no) => {
                const asked = indexedDB.open("x"); asked.onsuccess = yes; asked.onerror = no; }));
            await attempt("fetch", () => fetch(document.baseURI));
            await attempt("page", () => parent.document.title);
            await attempt("image", () => new Promise((yes, no) => {
                const image = new Image(); image.onload = yes; image.onerror = no; image.src = "data:,"; }));
            return [self.origin, reached];
        }"""
    )
    assert found == ["null", []]


LACKS = [
    ("import sqlite3", "`sqlite3`"),
    ("import threading as t\nt.Thread().start()", "thread"),
    ("import asyncio\nasync def wait():\n    pass\nasyncio.run(wait())", "operating system"),
    ("import subprocess\nsubprocess.run(['clear'])", "operating system"),
    ("import signal\nsignal.alarm(1)", "`signal.alarm`"),
    ("len(range(10**12))", "32 bits"),
    ("from functools import lru_cache\nf = lru_cache(None)(lambda n: n and f(n - 1))\nf(450)", "browser's stack"),
]
if sys.version_info < (3, 12):  # the course runs in this Python, the tab in a newer one
    LACKS += [
        ("import imp", "`imp`"),
        ("import unittest\nunittest.makeSuite", "`unittest.makeSuite`"),
        ("type Row = list[str]", "syntax of a newer Python"),
    ]


def test_what_a_browser_lacks_is_never_called_wrong(page: Tab) -> None:
    """A missing module, thread or name, syntax that the course's Python hasn't: skipped with that reason."""
    for source, word in LACKS:
        cases = page.check({"maze_solver.py": f"{source}\n".encode()})
        assert {case["verdict"] for case in cases} == {"SK"}, source
        assert word in cases[0]["message"], cases[0]
    for wrong, verdict in (("f'{1:>{2}} {chr(39)}'", "WA"), ("import random\nrandom.randit(1, 2)", "RTE")):
        assert {case["verdict"] for case in page.check({"maze_solver.py": f"{wrong}\n".encode()})} == {verdict}
    advice = page.page.locator("[data-advice]").inner_text()
    assert (f"Python {sys.version_info[0]}.{sys.version_info[1]};" in advice) == (sys.version_info < (3, 13))


ODD = {
    "reads to the end": "import io, sys\nsys.stdin = io.StringIO(sys.stdin.read())",
    "shows what it was given": "import os, sys\nprint([*map(os.path.basename, sys.argv)], os.getcwd(), os.environ)",
    "keeps notes": "open('notes ä.txt', 'w').write('ä')\nassert open('notes ä.txt').read() == 'ä'",
    "opens what isn't there": "open('nothing.txt')",
    "leaves with words": "import sys\nsys.exit('that is all')",
    "leaves quietly": "import atexit, os\natexit.register(os._exit, 0)",
    "speaks at its end": "import atexit\natexit.register(print, 'end')\nclass Last:\n"
    "    def __del__(self):\n        print('last')\nlast = Last()",
    "prints letters": "print('Grüße, 中文, \U0001f600')",
    "prints no letters": "print(chr(0xD800))",
    "complains": "import sys, warnings\nwarnings.warn('old')\nsys.stderr.write('x' * (3 << 20))",
    "catches everything": "import sys\nsys.excepthook = lambda *_: print('caught')\nraise ValueError",
    "recurses": "import sys\nsys.setrecursionlimit(9000)\ndef deep(n):\n    return n and deep(n - 1)\ndeep(8000)",
    "recurses for ever": "def deep():\n    deep()\ndeep()",
    "naps": "import time\nfor _ in range(3):\n    time.sleep(0.001)",
    "uses the library": "import argparse, dataclasses, heapq, pickle, random, statistics, tempfile, unittest\n"
    "import multiprocessing, concurrent.futures\nstatistics.mode([1, 1]), random.choices('ab', k=3)\n"
    "@dataclasses.dataclass\nclass Point:\n    x: list\ndataclasses.asdict(Point([1]))",
}
"""Beginnings that are odd, and right or wrong; a right program follows."""


@pytest.mark.parametrize(("name", "where"), [("lefthand", "AC/functions"), ("alice-csv", "AC/queue")])
def test_odd_programs_are_judged_as_by_the_course(
    name: str, where: str, tab: Callable[..., Tab], tmp_path: Path
) -> None:
    """What a program does to its streams, files, arguments, stack and end comes to the same, verdict and words."""
    page, right = tab(name), files_of(programs(name) / where)
    differ: dict[str, Any] = {}
    with course_run(ROOT / "cases", name) as course:
        for odd, beginning in ODD.items():
            (tmp_path / odd).mkdir()
            files = {path: f"{beginning}\n".encode() + content for path, content in right.items()}
            for path, content in files.items():
                (tmp_path / odd / path).write_bytes(content)
            found, (wanted, _) = page.check(files), course(tmp_path / odd)
            both = [one for what in ("verdict", "message") for one in differences(what, found, wanted)]
            differ |= {odd: both} if both or not found else {}
    assert differ == {}


def test_rules_about_the_source_count(tab: Callable[..., Tab]) -> None:
    """A case about the source is judged like the others."""
    assert verdicts(tab("sums").check({"sums.py": WRONG.encode()})) == {"three": "WA", "short": "AC"}


def test_every_case_begins_afresh(page: Tab) -> None:
    """Files, modules, patched builtins and the environment of one case are gone in the next; all is as at home."""
    source = """
import builtins, os, sys
assert not os.path.exists("left") and not os.path.exists("/tmp/left")
assert not hasattr(builtins, "left") and "left" not in os.environ and "decimal" not in sys.modules
assert sys.argv == ["maze_solver.py"] and __name__ == "__main__" and "js" not in sys.modules
import decimal
open("left", "w").close(); open("/tmp/left", "w").close()
builtins.left = os.environ["left"] = "x"
builtins.print = None
sys.stdout = None
"""
    cases = page.check({"maze_solver.py": source.encode()})
    assert {case["verdict"] for case in cases} == {"WA"}, cases


def test_work_is_kept_and_downloaded(tab: Callable[..., Tab], address: str) -> None:
    """A killed tab loses nothing; what is downloaded is what was given, byte by byte."""
    page = tab("lefthand")
    source = b"# mine\r\nprint('\xc3\xa4')\r\n"
    page.drop({"maze_solver.py": source})
    with page.page.expect_download() as saved:
        page.page.locator("[data-do=download]").click()
    assert saved.value.suggested_filename == "maze_solver.py"
    assert saved.value.path().read_bytes() == source
    other = page.page.context.new_page()
    page.page.close()
    other.goto(f"{address}#a=lefthand")
    other.locator(".cm-content", has_text="# mine").wait_for()


def test_a_file_can_be_taken_away_again(tab: Callable[..., Tab]) -> None:
    """Of several files any one goes, the others stay, and the last one can't be removed."""
    page = tab("lefthand")
    page.page.on("dialog", lambda asked: asked.accept())
    page.drop({"maze_solver.py": b"import walker\n", "walker.py": b"print('helper')\n"})
    page.page.locator("[data-tabs] button", has_text="walker.py").click()
    page.page.locator("[data-do=remove]").click()
    page.page.locator(".cm-content", has_text="import walker").wait_for()
    page.page.locator("[data-do=remove]").wait_for(state="hidden")
    page.page.reload()
    page.page.locator(".cm-content", has_text="import walker").wait_for()
    assert page.page.locator("[data-tabs] button").count() == 1


def test_a_link_carries_a_program_and_overwrites_nothing(tab: Callable[..., Tab]) -> None:
    """Who opens the link sees the program, keeps their own, and nothing runs by itself."""
    page = tab("lefthand", permissions=["clipboard-read", "clipboard-write"])
    page.drop({"maze_solver.py": b"print('shared')\n"})
    page.page.locator("[data-do=share]").click()
    page.page.locator("[data-status]", has_text="copied").wait_for()
    link = page.page.evaluate("() => navigator.clipboard.readText()")
    page.drop({"maze_solver.py": b"print('mine')\n"})
    page.page.goto(link)
    page.page.locator("[data-shared]").wait_for()
    page.page.locator(".cm-content", has_text="shared").wait_for()
    page.page.locator(".cm-content").focus()
    page.page.keyboard.type("# changed")
    page.page.reload()
    page.page.locator(".cm-content", has_text="# changed").wait_for()
    page.page.locator("[data-do=mine]").click()
    page.page.locator(".cm-content", has_text="mine").wait_for()
    page.page.goto(f"{link[:-9]}")
    page.page.locator("[data-trouble]", has_text="damaged").wait_for()
    page.page.locator(".cm-content", has_text="mine").wait_for()


def test_it_works_without_a_network_after_the_first_visit(site: Path, browser: Browser) -> None:
    """The server is gone, the tab is new: the service worker has everything, page, Python, judge and handout."""
    with browser.new_context() as context:
        with served(site) as address:
            first = Tab(context.new_page()).open(address, "runner")
            first.page.locator("[data-away]", has_text="without a network").wait_for(timeout=120_000)
            first.page.close()
        page = Tab(context.new_page()).open(address, "lefthand")
        right = program("lefthand/AC/functions")
        assert {case["verdict"] for case in page.check(files_of(right))} == {"AC"}
        page.page.locator("[data-links] a").first.click()
        page.page.get_by_role("heading", name="The left-hand rule").first.wait_for()
