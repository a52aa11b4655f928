"""Row 15: pages of the demo's class: their weight, what a class takes on disk, a class page of five thousand rows."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bench.row import Row, at_most, missing
from bench.tab import ARGUMENTS, CHROMIUM
from grader.model.verdict import Audience
from grader.report.html import classpage, page
from grader.report.sheet_files import stored
from grader.report.summary import ClassSummary
from grader.report.view import view

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROWS = 5_000
_LOADED = "() => performance.getEntriesByType('navigation')[0].loadEventEnd"
_SCENES = re.compile(r'<script type="application/json" id="scenes">(.*?)</script>', re.DOTALL)


RUNS = 1
"""What is weighed doesn't change from run to run."""


def measure(*, quick: bool) -> Iterator[Row]:
    del quick  # the demo is small enough
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "demo"
        command = [sys.executable, "-m", "grader", "demo", "-o", str(out)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        runs = sorted(path.parent for path in out.glob("*/sheets"))
        begun = process_time()
        made = [page.render(view(sheet, Audience.STAFF)) for run in runs for sheet in stored(run)]
        spent_s = process_time() - begun
        held = sum(path.stat().st_blocks * 512 for run in runs for path in run.rglob("*") if path.is_file())
        loaded = _loaded_s(out / "lefthand", Path(scratch) / "index.html")
    beside = [len(_SCENES.sub("", text).encode()) for text in made]
    yield Row(
        number="15a",
        what="weight of a submission's page beside its scenes, KiB, the heaviest",
        instead="-",
        score=at_most(max(beside) / 1024, 150),
        detail=f"{len(made)} pages of the demo, {sum(map(len, made)) / len(made) / 1024:.0f} KiB each with scenes; "
        f"{1000 * spent_s / len(made):.0f} ms to render one",
    )
    yield Row(
        number="15b",
        what="a thousand submissions of the demo's mix on disk, sheets included, MB",
        instead="-",
        score=at_most(held / len(made) / 1000, 120),
        detail=f"{len(made)} submissions, scaled; each of the {len(runs)} classes has its own class page",
    )
    yield Row(
        number="15c",
        what=f"class page of {_ROWS:,} submissions, s until Chromium has loaded it",
        instead="-",
        score=missing("no Chromium") if loaded is None else at_most(loaded, 2),
    )


def _loaded_s(run: Path, page: Path) -> float | None:
    """Write the page of a class of the demo's mix, each of its sheets many times, and open it."""
    sheets = [view(sheet, Audience.STAFF) for sheet in stored(run)]
    summary = ClassSummary()
    for number in range(_ROWS):
        name = f"student-{number:04}"
        summary.add(replace(sheets[number % len(sheets)], submission=name, folder=name))
    page.write_text(classpage.render(summary), encoding="utf-8")
    if not Path(CHROMIUM).exists():
        return None
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 -- only this row needs a browser

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        tab = browser.new_page()
        tab.goto(page.as_uri())
        loaded_ms: float = tab.evaluate(_LOADED)
        browser.close()
    return loaded_ms / 1000
