"""Compares what the site says of every solution with what `grader check` says.

python tests/site/compare_site.py [ASSIGNMENT…]
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from functools import reduce
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from course_run import Told, course_run
from programs import programs

from bench.tab import ARGUMENTS, CHROMIUM, Tab, served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[2]
NAMES = ("lefthand", "alice-csv", "alice-grid", "alice-263", "runner")
Cases = list[dict[str, Any]]
_MACHINE = tuple(
    map(
        re.compile,
        (
            r'(?<=class="used">)[^<]*',  # time and memory
            r"[\d.]+ m?s from start to end, [\d.]+ m?s of processor time, [\d.]+ \w+ at most",
            r"(computed for|hadn.{1,5}t finished after)( more than)? [\d.]+ s( without finishing)?",
            r"more than [0-9.]+ s\b",  # a tab has more patience
            r"(?<=When it was stopped, )it was (?:in|at) .*?(?:`|</code>)\)",
            r"(?m)^ *[~^]+$",  # below the lines of a traceback
            r"min\(\) (arg is an empty sequence|iterable argument is empty)",
        ),
    )
)

_LISTING = re.compile(r'(?s)<figure class="source">.*?</figure>')


def compare(names: list[str]) -> int:
    """Print where browser and course differ, then how often they agree; 1 when they ever differ."""
    from playwright.sync_api import sync_playwright

    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chosen = [word for name in names for word in ("-a", name)]
        subprocess.run([sys.executable, "-m", "grader", "site", *chosen, "-o", folder], check=True, cwd=ROOT)
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
    return sorted(path for path in programs(name).glob("*/*") if not path.name.startswith("__"))


def _compare_one(tab: Tab, course: Callable[[Path], Told], path: Path, tally: Counter[str]) -> None:
    tally["solutions"] += 1
    name = "/".join(path.parts[-3:])
    print(f"{tally['solutions']}: {name}", file=sys.stderr, flush=True)
    found, (wanted, page) = tab.check(files_of(path)), course(path)
    tally["cases"] += len(wanted)
    for what in ("verdict", "message"):
        for case, here, there in differences(what, found, wanted):
            _differ(tally, f"{what}s", f"{name} {case}", here, there)
    lines = zip_longest(told(tab.report), told(page))
    if other := next(((here, there) for here, there in lines if here != there), None):
        _differ(tally, "pages", name, *other)


def files_of(path: Path) -> dict[str, bytes]:
    """Return what a student hands in."""
    parts = [path] if path.is_file() else [each for each in sorted(path.iterdir()) if each.is_file()]
    return {each.name: each.read_bytes() for each in parts}


def differences(what: str, found: Cases, wanted: Cases) -> Iterator[tuple[str, str, str]]:
    """Yield the cases of which the tab says something else than the course, with both."""
    tab = {case["id"]: case for case in found}
    for case in wanted:
        here, there = (_of_any_machine(str(one.get(what))) for one in (tab.get(case["id"], {}), case))
        if here != there:
            yield case["id"], here, there


def _differ(tally: Counter[str], what: str, where: str, here: object, there: object) -> None:
    tally[what] += 1
    print(f"{where} ({what}):\n    tab:    {here}\n    course: {there}", flush=True)


def told(page: str) -> list[str]:
    """Return what a report says of its cases."""
    main = re.sub(' data-command="[^"]*"', "", page.partition("<main")[2].partition("</main")[0])  # a tab has none
    if "When it was stopped" in main:
        main = _LISTING.sub("", main)  # which loop it was in is chance
    lines = _of_any_machine(main).splitlines()
    return [line for line in lines if line != "…"]


def _of_any_machine(text: str) -> str:
    """Leave out what hangs on the machine, on chance, or on the version of Python."""
    return reduce(lambda so_far, pattern: pattern.sub("…", so_far), _MACHINE, text)


if __name__ == "__main__":
    sys.exit(compare(sys.argv[1:] or list(NAMES)))
