"""Opens pages in Debian's Chromium, and fetches what npm gives the tests."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import offers
import pytest
from report_drawings import drawn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request

HERE = Path(__file__).parent
CHROMIUM = "/usr/bin/chromium"
FIREFOX = "/usr/bin/firefox-esr"
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def npm() -> Path:
    """Return the folder of the packages that package-lock.json pins, installed once."""
    if shutil.which("npm") is None:
        offers.lack("npm", "as root, apt-get install npm")
    with (HERE / ".npm.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted, installed = (HERE / "package-lock.json").read_bytes(), HERE / "node_modules" / ".installed"
        if not installed.is_file() or installed.read_bytes() != wanted:
            command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
            run = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=300, check=False)
            if run.returncode:
                offers.lack("packages from npm", f"npm ci failed: {run.stderr[-300:]}")
            installed.write_bytes(wanted)
    return HERE / "node_modules"


@pytest.fixture(scope="session")
def firefox() -> Path:
    """Return the script that drives Debian's Firefox."""
    if not Path(FIREFOX).exists():
        offers.lack("Firefox", "as root, apt-get install firefox-esr")
    return HERE / "firefox.mjs"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Run one Chromium for a module's tests; no longer, for its event loop would be in the way of others'."""
    if not Path(CHROMIUM).exists():
        offers.lack("Chromium", "as root, apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield chromium
        chromium.close()


class Tab:
    """One tab for all visits that ask for the same options: a new one costs more than what it shows."""

    def __init__(self, browser: Browser, options: dict[str, Any]) -> None:
        self.has_scripts = options.get("java_script_enabled", True)
        self.complaints: list[str] = []
        self.page = browser.new_context(**options).new_page()
        self.page.on("dialog", self.refuse)
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("console", self.hear)
        self.page.on("request", self.look)

    def refuse(self, dialog: Dialog) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def hear(self, line: ConsoleMessage) -> None:
        if line.type == "error":
            self.complaints.append(f"console: {line.text}")

    def look(self, sent: Request) -> None:
        if not sent.url.startswith(("file://", "about:")):
            self.complaints.append(sent.url)

    def show(self, path: Path) -> Page:
        self.page.goto(path.as_uri())
        return drawn(self.page) if self.has_scripts else self.page

    def leave(self) -> list[str]:
        """Forget the page, and that it was for paper or in forced colours; return what it did that no page may do."""
        self.page.emulate_media(media="null", forced_colors="null")
        self.page.goto("about:blank")
        found, self.complaints[:] = list(self.complaints), []
        return found


@pytest.fixture(scope="module")
def tabs(browser: Browser) -> dict[str, Tab]:
    """Keep the tabs of a module's tests by their options."""
    return {}


@pytest.fixture
def visit(browser: Browser, tabs: dict[str, Tab], tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Return a function that opens HTML or a file, in place of what the same options showed before.

    It waits for the drawings. The page must have made no request, dialog or error in the end.
    """
    used: dict[str, Tab] = {}

    def opened(what: str | Path, **options: Any) -> Page:
        path = what if isinstance(what, Path) else tmp_path / "page.html"
        if isinstance(what, str):
            path.write_text(what, encoding="utf-8")
        name = repr(sorted(options.items()))
        used[name] = tabs[name] = tabs.get(name) or Tab(browser, options)
        return used[name].show(path)

    yield opened
    assert [complaint for tab in used.values() for complaint in tab.leave()] == []


@pytest.fixture
def violations(npm: Path) -> Callable[[Page], list[Any]]:
    """Return a function that names what axe-core finds against a page as it stands."""
    rules = (npm / "axe-core" / "axe.min.js").read_text("utf-8")

    def found(page: Page) -> list[Any]:
        page.evaluate(rules)
        offences: list[Any] = page.evaluate(
            """axe.run({resultTypes: ["violations"]}).then((done) => done.violations.map(
                (one) => [one.id, one.nodes.slice(0, 5).map((node) => node.html.slice(0, 200))]))"""
        )
        return offences

    return found
