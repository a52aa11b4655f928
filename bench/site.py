"""Row 14: a check in a browser tab against `grader check`.

python -m bench site                        the times, as ratios
python -m bench.site [ASSIGNMENT…]          every solution's verdicts beside those of `grader check`
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from functools import partial
from itertools import zip_longest
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from bench.clock import seconds
from bench.course_run import Told, course_run
from bench.row import Row, missing, plain
from bench.tab import ARGUMENTS, CHROMIUM, Tab, served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[1]
SOLUTIONS = ROOT / "reference" / "solutions"
RIGHT = SOLUTIONS / "lefthand" / "AC" / "functions"
NAMES = ("lefthand", "alice-csv", "alice-grid", "alice-263", "runner")
_AGAIN = 5
_MACHINE = re.compile(r'<span class="used">[^<]*<span[^<]*</span></span>')
_SECONDS = re.compile(r"more than [0-9.]+ s\b")
"""What a report says of the machine; a tab has more patience."""


def measure(*, quick: bool) -> Iterator[Row]:
    if not Path(CHROMIUM).exists():
        yield Row(number="14", what="a check in a browser tab", instead="grader check", score=missing("no Chromium"))
        return
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only this row needs it

    at_home = min(seconds(lambda: official("lefthand", RIGHT)) for _ in range(2 if quick else 5))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        _build(Path(folder), ["lefthand"])
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        first, again = _times(browser, Path(folder))
        browser.close()
    told = f"grader check: {at_home:.2f} s; first check of a warm cache: {first:.2f} s; later: {again:.2f} s"
    instead = "grader check maze_solver.py -a lefthand"
    yield Row(
        number="14a",
        what="site: first check, warm cache, page load included",
        instead=instead,
        score=plain(first / at_home),
        detail=told,
    )
    yield Row(number="14b", what="site: later checks of 6 cases", instead=instead, score=plain(again / at_home))


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


def _build(folder: Path, names: list[str]) -> None:
    chosen = [word for name in names for word in ("-a", name)]
    subprocess.run([sys.executable, "-m", "grader", "site", *chosen, "-o", str(folder)], check=True, cwd=ROOT)


def official(name: str, folder: Path) -> dict[str, str]:
    """Return the verdicts of `grader check`."""
    command = [sys.executable, "-m", "grader", "check", str(folder), "-a", name, "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return {case["id"]: case["verdict"] for case in json.loads(done.stdout)["cases"]}


def compare(names: list[str]) -> int:
    """Print where browser and course differ, then how often they agree; 1 when they ever differ."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - as above

    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        _build(Path(folder), names)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        with served(Path(folder)) as address:
            for name in names:
                with course_run(ROOT / "cases", name) as course:
                    tab = Tab(browser.new_page()).open(address, name)
                    for path in _below(name):
                        _compare_one(tab, course, path, tally)
                    tab.page.close()
        browser.close()
    told = ", ".join(f"{tally[what]} {what} differ" for what in ("verdicts", "messages", "pages"))
    print(f"{tally['solutions']} solutions, {tally['cases']} cases: {told}")
    return int(tally["verdicts"] + tally["messages"] + tally["pages"] > 0)


def _below(name: str) -> list[Path]:
    return sorted(path for path in (SOLUTIONS / name).glob("*/*") if not path.name.startswith("__"))


def _compare_one(tab: Tab, course: Callable[[Path], Told], path: Path, tally: Counter[str]) -> None:
    parts = [path] if path.is_file() else [each for each in sorted(path.iterdir()) if each.is_file()]
    tally["solutions"] += 1
    print(f"{tally['solutions']}: {path.relative_to(SOLUTIONS)}", file=sys.stderr, flush=True)
    found = {case["id"]: case for case in tab.check({each.name: each.read_bytes() for each in parts})}
    wanted, page = course(path)
    tally["cases"] += len(wanted)
    for what, field in (("verdicts", "verdict"), ("messages", "message")):
        for case in wanted:
            here, there = (_SECONDS.sub("…", str(one.get(field))) for one in (found.get(case["id"], {}), case))
            if here != there:
                _differ(tally, what, f"{path.relative_to(SOLUTIONS)} {case['id']}", here, there)
    if told(tab.report) != told(page):
        here, there = next(pair for pair in zip_longest(told(tab.report), told(page)) if pair[0] != pair[1])
        _differ(tally, "pages", f"{path.relative_to(SOLUTIONS)}", here, there)


def _differ(tally: Counter[str], what: str, where: str, here: object, there: object) -> None:
    tally[what] += 1
    print(f"{where} ({what}):\n    tab:    {here}\n    course: {there}", flush=True)


def told(page: str) -> list[str]:
    """Return what a report says of its cases, without what hangs on the machine: times, memory, sandbox."""
    body = page.partition("<main")[2].partition("</main")[0]
    return _SECONDS.sub("…", _MACHINE.sub("", body)).splitlines()


if __name__ == "__main__":
    sys.exit(compare(sys.argv[1:] or list(NAMES)))
