"""Row 14: a check in a browser tab against `grader check`.

python -m bench site                        the times, as ratios
python -m bench.site [ASSIGNMENT…]          every solution's verdicts beside those of `grader check`
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
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
SOLUTIONS = ROOT / "reference" / "solutions"
RIGHT = SOLUTIONS / "lefthand" / "AC" / "functions"
NAMES = ("lefthand", "alice-csv", "alice-grid", "alice-263", "runner")
_AGAIN = 5


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
                tab = Tab(browser.new_page()).open(address, name)
                for path in _below(name):
                    _compare_one(tab, name, path, tally)
                tab.page.close()
        browser.close()
    print(f"{tally['solutions']} solutions, {tally['equal']} verdicts equal, {tally['differ']} differ")
    return int(tally["differ"] > 0)


def _below(name: str) -> list[Path]:
    return sorted(path for path in (SOLUTIONS / name).glob("*/*") if not path.name.startswith("__"))


def _compare_one(tab: Tab, name: str, path: Path, tally: Counter[str]) -> None:
    parts = [path] if path.is_file() else [each for each in sorted(path.iterdir()) if each.is_file()]
    found = {case["id"]: case["verdict"] for case in tab.check({each.name: each.read_bytes() for each in parts})}
    tally["solutions"] += 1
    print(f"{tally['solutions']}: {path.relative_to(SOLUTIONS)}", file=sys.stderr, flush=True)
    for case, verdict in official(name, path).items():
        tally["equal" if found.get(case) == verdict else "differ"] += 1
        if found.get(case) != verdict:
            print(f"{path.relative_to(SOLUTIONS)} {case}: {found.get(case)} in the browser, {verdict} in the course")
            sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(compare(sys.argv[1:] or list(NAMES)))
