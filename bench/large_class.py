"""Row 5: ten thousand submissions beside a thousand; their class page; a large grade that is killed."""

from __future__ import annotations

import subprocess
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import TYPE_CHECKING

from bench import course
from bench.commands import command_for, environment, grade
from bench.row import Row, at_most, missing
from bench.tab import ARGUMENTS, CHROMIUM

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.commands import Cost

_CASES = 28

RUNS = 1
"""It takes minutes; the smaller sizes have their spread."""


def measure(*, quick: bool) -> Iterator[Row]:
    sizes = (20, 200) if quick else (1000, 10_000)
    (few, few_bytes, _), (many, many_bytes, opened) = map(_cost, sizes)
    command = "grader grade class -a lefthand"
    ratio = many.wall_s / few.wall_s
    yield Row(
        number="5e",
        what=f"{sizes[0]} and {sizes[1]} submissions × 1 case: exponent of the time",
        instead=command,
        score=at_most(log(ratio) / log(sizes[1] / sizes[0]), 1.02),
        detail=f"{few.wall_s:.1f}, {many.wall_s:.1f} s",
    )
    yield Row(
        number="5f",
        what="parent's peak memory, larger class ÷ smaller",
        instead=command,
        score=at_most(many.peak_mib / few.peak_mib, 1.2),
        detail=f"{few.peak_mib:.0f}, {many.peak_mib:.0f} MiB",
    )
    yield Row(
        number="5g",
        what="bytes written for a submission, larger class ÷ smaller",
        instead=command,
        score=at_most(many_bytes / few_bytes, 1.0),
        detail=f"{few_bytes / 1024:.1f}, {many_bytes / 1024:.1f} KiB",
    )
    yield Row(
        number="5h",
        what=f"the class page of {sizes[1]} submissions opens: seconds",
        instead="chromium out/index.html",
        score=missing("no Chromium") if opened is None else at_most(opened, 1.0),
        detail="the best of three",
    )
    yield _resumed(20 if quick else 800)


def _resumed(size: int) -> Row:
    """Kill a grade at half of its time, and grade again."""
    with TemporaryDirectory() as name, TemporaryDirectory() as other:
        whole = grade(course.make(Path(name), submissions=size, cases=_CASES)).wall_s
        made = course.make(Path(other), submissions=size, cases=_CASES)
        with subprocess.Popen(
            command_for(made.folder, "lefthand", "--cases", str(made.cases)),
            env=environment() | {"XDG_CACHE_HOME": str(made.folder / "cache")},
            stdout=subprocess.DEVNULL,
        ) as process:
            sleep(whole / 2)
            process.kill()
        rest = grade(made).wall_s
    return Row(
        number="5d",
        what=f"after kill -9 at half of the time, {size} submissions × {_CASES} cases",
        instead="the whole grade",
        score=at_most(rest / whole, 0.55),
        detail=f"{rest:.1f} s ÷ {whole:.1f} s",
    )


def _cost(size: int) -> tuple[Cost, float, float | None]:
    """Return what a class costs, the bytes that each submission's files take, and the seconds to open its page."""
    with TemporaryDirectory() as name:
        cost = grade(course.make(Path(name), submissions=size, cases=1))
        out = Path(name, "out")
        written = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
        return cost, written / size, _open(out / "index.html")


def _open(page: Path) -> float | None:
    """Return the seconds until the page can be used, in a browser that runs already."""
    if not Path(CHROMIUM).exists():
        return None
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only this row needs it

    taken = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        for _ in range(3):
            tab = browser.new_page()
            begun = perf_counter()
            tab.goto(page.as_uri(), wait_until="load")
            taken.append(perf_counter() - begun)
            tab.close()
        browser.close()
    return min(taken)
