"""Waits for drawings, which a page unpacks on its own time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

_DRAWN = """() => [...document.querySelectorAll("details.case[open] .player")].every(
    (host) => host.childNodes.length)"""


def drawn(page: Page) -> Page:
    """Wait until every player of an open case has its board."""
    page.wait_for_function(_DRAWN)
    return page


def opened(page: Page, number: int) -> Locator:
    """Open a case; return its player, drawn."""
    page.locator(f"#case-{number} > summary").click()
    return drawn(page).locator(f"#case-{number} .player")
