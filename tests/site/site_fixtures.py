"""Builds the site once for all tests, with everything hidden marked, and opens it in Chromium."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import offers
import pytest
from canary import with_canary
from compare_site import NAMES, ROOT
from msgspec.structs import replace
from own_course import make_course, release_solver

from bench.tab import ARGUMENTS, CHROMIUM, Tab, served
from grader.catalogue.load import load_assignment
from grader.site.packages import Packages, open_packages
from grader.site.publish import publish

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

    from grader.model.assignment import Assignment

WEB = ROOT / "web"
_SHORT_S = 1.0
"""Processor time of a case: an endless loop is waited for some times as long."""


@pytest.fixture(scope="session")
def packages() -> Packages:
    """Return the packages that web/package-lock.json pins, installed once."""
    if shutil.which("npm") is None:
        offers.lack("npm", "as root, apt-get install npm")
    with (WEB / ".npm.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (WEB / "node_modules" / ".package-lock.json").is_file():
            command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
            done = subprocess.run(command, cwd=WEB, capture_output=True, text=True, timeout=300, check=False)
            if done.returncode:
                offers.lack("packages from npm", f"npm ci failed: {done.stderr[-300:]}")
    with open_packages(WEB) as found:
        return found


@pytest.fixture(scope="session")
def site(packages: Packages, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a site with all five assignments; the first test process to ask builds it for all."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    folder = shared / "site"
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "service.js").is_file():
            publish([*(_marked(name) for name in NAMES), _released(shared / "course")], folder, packages)
    return folder


def _released(folder: Path) -> Assignment:
    """Return an assignment whose solver students get, with a rule about the source."""
    release_solver(make_course(folder, own_judge=False))
    with (folder / "cases" / "sums" / "cases.yaml").open("a") as cases:
        cases.write("  - {id: short, title: A short program, policy: {max_lines: 3}}\n")
    return load_assignment(folder / "cases", "sums")


def _marked(name: str) -> Assignment:
    assignment = with_canary(load_assignment(ROOT / "cases", name))
    cases = tuple(replace(case, limits=replace(case.limits, cpu_s=_SHORT_S)) for case in assignment.cases)
    return replace(assignment, cases=cases)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Run one Chromium for a module's tests."""
    if not Path(CHROMIUM).exists():
        offers.lack("Chromium", "as root, apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with served(site) as where:
        yield where


@pytest.fixture
def tab(browser: Browser, address: str) -> Iterator[Callable[..., Tab]]:
    """Return a function that opens an assignment in a browser of its own; the page must have met no error."""
    complaints: list[str] = []
    contexts = []

    def opened(name: str, **options: Any) -> Tab:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        context.on("request", lambda sent: None if _is_own(sent.url, address) else complaints.append(sent.url))
        return Tab(page).open(address, name)

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Tab]:
    """Return a page of `lefthand` that several tests use, one after the other: starting Python takes seconds."""
    complaints: list[str] = []
    with browser.new_context() as context:
        opened = context.new_page()
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        context.on("request", lambda sent: None if _is_own(sent.url, address) else complaints.append(sent.url))
        yield Tab(opened).open(address, "lefthand")
    assert complaints == []


def _is_own(url: str, address: str) -> bool:
    return url.startswith((address, "blob:", "data:", "about:"))
