"""Opens the site in Chromium as a student does: serves the folder, drops files, presses Check, reads the verdicts."""

from __future__ import annotations

import functools
import http.server
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from playwright.sync_api import Page

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")
PATIENCE_MS = 180_000
"""A machine may be busy with other tests; nothing is measured by this."""
_LISTEN = """() => { window.heard = [];
    document.addEventListener("checked", ({ detail }) => window.heard.push(detail)); }"""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Say nothing: a tab may go away while it is served."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder as `python3 -m http.server` does; give its address."""
    with _Server(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


class Tab:
    """A page of the site, ready to check."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, address: str, name: str) -> Tab:
        """Go to an assignment and wait until Python has started."""
        self.page.goto(f"{address}#a={name}")
        self.page.evaluate(_LISTEN)
        return self.ready()

    def ready(self) -> Tab:
        self.page.locator("[data-do=check]:not([disabled])").wait_for(timeout=PATIENCE_MS)
        return self

    @property
    def status(self) -> str:
        return self.page.locator("[data-status]").inner_text()

    @property
    def report(self) -> str:
        """The page below the cases."""
        return self.page.locator("[data-page]").get_attribute("srcdoc") or ""

    def drop(self, files: Mapping[str, bytes]) -> None:
        """Give files as the button does, and dropping them."""
        given = [{"name": name, "mimeType": "", "buffer": content} for name, content in files.items()]
        self.page.evaluate("() => { document.querySelector('[data-status]').textContent = '' }")
        self.page.locator("[data-files]").set_input_files(given)  # type: ignore[arg-type]  # a list of mappings will do
        self.page.locator("[data-status]", has_text="taken").or_(
            self.page.locator("[data-status]", has_text="Taken")
        ).first.wait_for(timeout=PATIENCE_MS)

    def check(self, files: Mapping[str, bytes]) -> list[dict[str, Any]]:
        """Check files; return the cases as results.json has them."""
        self.ready().drop(files)
        return self.press("check")

    def press(self, deed: str) -> list[dict[str, Any]]:
        """Press a button that runs something, and wait for its end."""
        before = self.page.evaluate("() => window.heard.length")
        self.page.locator(f"[data-do={deed}]").click()
        self.page.locator("[data-do=stop]").wait_for(state="hidden", timeout=PATIENCE_MS)
        heard: list[Any] = self.page.evaluate("() => window.heard")
        cases: list[dict[str, Any]] = heard[-1]["cases"] if len(heard) > before else []
        return cases
