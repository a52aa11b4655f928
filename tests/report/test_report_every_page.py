"""Every page that we write: for eyes, for screen readers, for a phone, for paper, without colour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from report_drawings import drawn, opened
from report_pages import PAGES

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytest_plugins = ["report_fixtures"]
PHONE = {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark", "reduced_motion": "reduce"}
_BEYOND = """[...document.querySelectorAll('th, td, p, svg')].filter(
    (part) => part.getBoundingClientRect().right > innerWidth + 1).map((part) => part.outerHTML.slice(0, 90))"""
_BLANK = """[...document.querySelectorAll('.cell, .mark, .badge, .kill')].filter(
    (mark) => !mark.textContent.trim()).length"""


@pytest.mark.parametrize("name", PAGES)
def test_nobody_is_left_out(name: str, visit: Callable[..., Page], violations: Callable[[Page], list[Any]]) -> None:
    """In the dark, on a phone, with every fold open, axe-core finds nothing and nothing sticks out.

    Without colour, and where the system forces its own, each verdict is a letter or a sign.
    """
    shown = visit(PAGES[name](), **PHONE)
    shown.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    assert drawn(shown).evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert shown.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    assert violations(shown) == []
    shown.emulate_media(forced_colors="active")
    assert shown.evaluate(_BLANK) == 0


@pytest.mark.parametrize("name", PAGES)
def test_paper_has_every_column(name: str, visit: Callable[..., Page]) -> None:
    """On a sheet of Letter no cell of a table, no line and no drawing ends beyond the edge."""
    shown = visit(PAGES[name](), viewport={"width": 680, "height": 1000})  # between margins of 12 mm, 96 to an inch
    shown.emulate_media(media="print")
    shown.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert shown.evaluate(_BEYOND) == []


def test_paper_shows_where_a_path_has_come_to(visit: Callable[..., Page]) -> None:
    """The ring round that square is drawn on paper as on the screen."""
    shown = visit(PAGES["submission"]())
    rings = opened(shown, 4).locator(".board .here")
    shown.emulate_media(media="print")
    assert rings.count() == 2
    assert rings.evaluate_all("(rings) => rings.map((ring) => getComputedStyle(ring).display)") == ["inline"] * 2
