"""Row 14: a check in a browser tab against `grader check`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from bench.clock import seconds
from bench.row import Row, missing, plain
from bench.tab import ARGUMENTS, CHROMIUM, Tab, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[1]
RIGHT = ROOT / "reference" / "solutions" / "lefthand" / "AC" / "functions"
_AGAIN = 5


def measure(*, quick: bool) -> Iterator[Row]:
    if not Path(CHROMIUM).exists():
        yield Row(number="14", what="a check in a browser tab", instead="grader check", score=missing("no Chromium"))
        return
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only this row needs it

    there = min(seconds(at_home) for _ in range(2 if quick else 5))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "grader", "site", "-a", "lefthand", "-o", folder]
        subprocess.run(command, check=True, cwd=ROOT)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        first, again = _times(browser, Path(folder))
        browser.close()
    told = f"grader check: {there:.2f} s; first check of a warm cache: {first:.2f} s; later: {again:.2f} s"
    instead = "grader check maze_solver.py -a lefthand"
    yield Row(
        number="14a",
        what="site: first check, warm cache, page load included",
        instead=instead,
        score=plain(first / there),
        detail=told,
    )
    yield Row(number="14b", what="site: later checks of 6 cases", instead=instead, score=plain(again / there))


def _times(browser: Browser, folder: Path) -> tuple[float, float]:
    """Return the best first check of a page whose files are there, and the best later one."""
    files = {"maze_solver.py": (RIGHT / "maze_solver.py").read_bytes()}
    firsts, laters = [], []
    with served(folder) as address:
        context = browser.new_context()
        Tab(context.new_page()).open(address, "lefthand").check(files)  # fills the cache
        for _ in range(2):
            page = context.new_page()
            begun = perf_counter()
            tab = Tab(page).open(address, "lefthand")
            tab.press("check")  # the program is kept in the browser
            firsts.append(perf_counter() - begun)
            for _ in range(_AGAIN):
                page.wait_for_timeout(500)
                laters.append(seconds(partial(tab.press, "check")))
            page.close()
        context.close()
    return min(firsts), min(laters)


def at_home() -> None:
    """Run `grader check` as a student does."""
    command = [sys.executable, "-m", "grader", "check", str(RIGHT), "-a", "lefthand"]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
