"""Row 15: the class page of five thousand: time to render it, to load it in Chromium, and to scroll through it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bench.row import Row, Score, at_most
from bench.tab import ARGUMENTS, CHROMIUM
from grader.model.verdict import Audience
from grader.report.html import classpage
from grader.report.sheet_files import stored
from grader.report.summary import ClassSummary
from grader.report.view import view

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROWS = 5_000
_SCREENS = 60
_LOADED = "() => performance.getEntriesByType('navigation')[0].loadEventEnd"
_SCROLLED = """async (screens) => {
    const matrix = document.getElementById("matrix"), spent = [];
    const next = () => new Promise((done) => requestAnimationFrame(done));
    for (let screen = 0; screen < screens; screen++) {
        matrix.scrollTop = (matrix.scrollHeight * screen) / screens;
        await next();
        const begun = performance.now();
        matrix.getBoundingClientRect();
        await next();
        spent.push(performance.now() - begun);
    }
    return spent.sort((one, other) => one - other);
}"""


RUNS = 2
"""Most of it is the class that is graded first."""


def measure(*, quick: bool) -> Iterator[Row]:
    del quick
    with tempfile.TemporaryDirectory() as scratch:
        begun = process_time()
        text = classpage.render(_class(Path(scratch) / "demo"))
        spent_s = process_time() - begun
        path = Path(scratch) / "index.html"
        path.write_text(text, encoding="utf-8")
        score, scrolled = _shown(path)
        yield Row(
            number="15c",
            what=f"class page of {_ROWS:,} submissions, s until Chromium has loaded it",
            instead="-",
            score=score,
            detail=f"{len(text.encode()) / 2**20:.1f} MiB; {spent_s:.1f} s to add up and render{scrolled}",
        )


def _class(out: Path) -> ClassSummary:
    """Add up a class of the demo's mix; each of its sheets stands for many students."""
    subprocess.run([sys.executable, "-m", "grader", "demo", "-o", str(out)], check=True, stdout=subprocess.DEVNULL)
    sheets = [view(sheet, Audience.STAFF) for sheet in stored(out / "lefthand")]
    summary = ClassSummary()
    for number in range(_ROWS):
        name = f"student-{number:04}"
        summary.add(replace(sheets[number % len(sheets)], submission=name, folder=name))
    return summary


def _shown(path: Path) -> tuple[Score, str]:
    if not Path(CHROMIUM).exists():
        return Score(value=None, lacking="no Chromium"), ""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 -- only this row needs a browser

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        page = browser.new_page()
        page.goto(path.as_uri())
        loaded_ms = page.evaluate(_LOADED)
        frames_ms = page.evaluate(_SCROLLED, _SCREENS)
        browser.close()
    middle, worst = frames_ms[len(frames_ms) // 2], frames_ms[-1]
    told = f"; a screen scrolled in {middle:.0f} ms (worst of {_SCREENS}: {worst:.0f} ms)"
    return at_most(loaded_ms / 1000, 2), told
