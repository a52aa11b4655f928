"""Hostile content does nothing in a real browser: no dialog, no request, no broken page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from report_drawings import drawn
from report_hostile import PAYLOADS, hostile_sheet

from grader.model.verdict import Audience
from grader.report.html import classpage
from grader.report.html import page as pages
from grader.report.summary import ClassSummary
from grader.report.view import view

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

pytest_plugins = ["report_fixtures"]


@pytest.mark.parametrize("width", [390, 1200])
def test_a_hostile_submission_is_only_read(visit: Callable[..., Page], width: int) -> None:
    """Every payload stands in the page as text; the page keeps its width, its parts and its player."""
    page = visit(pages.render(view(hostile_sheet(), Audience.STAFF)), viewport={"width": width, "height": 800})
    page.get_by_role("button", name="Open all").click()
    assert drawn(page).locator(".player .board").count() > 20
    inside = "details.more, .case"
    page.evaluate(f"for (const fold of document.querySelectorAll('{inside}')) fold.open = true")
    assert page.locator("details.case").count() == len(PAYLOADS) + 1
    assert (
        page.evaluate("document.querySelectorAll('iframe, img, link, [onerror], [onload], [onmouseover]').length")
        == 0
    )
    ours = 6  # style, script, the scenes, the packed player, and the style and script that came out of it
    assert page.evaluate("document.querySelectorAll('script, style').length") == ours
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("footer").is_visible()
    assert "alert('close')" in page.locator("#case-2 .explain").inner_text()


def test_a_hostile_class_is_only_read(visit: Callable[..., Page]) -> None:
    """Submissions named by an attacker stay links into the run's own folder."""
    summary = ClassSummary()
    for name in PAYLOADS:
        graded = hostile_sheet(name)
        summary.add(view(graded, Audience.STAFF))
    page = visit(classpage.render(summary))
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    links = page.evaluate("[...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))")
    outward = [
        link for link in links if not link.startswith("#") and not re.match(r"[A-Za-z0-9][^/:]*/report\.html", link)
    ]
    assert outward == []
    assert page.evaluate("document.querySelectorAll('iframe, img, link').length") == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_policy_stops_a_script_that_got_in(browser: Browser) -> None:
    """Even were a tag to slip through, the page's own policy would not run it, nor let it call out."""
    html = pages.render(view(hostile_sheet(), Audience.STUDENT))
    page = browser.new_page()
    refused: list[str] = []
    page.on("console", lambda line: refused.append(line.text))
    page.set_content(
        html.replace("<main>", "<main><script>document.title = 'owned'</script><img src='http://evil.invalid/'>")
    )
    for _ in ("the script", "the picture"):
        if len(refused) < 2:
            page.wait_for_event("console")
    assert page.title() != "owned"
    assert len([line for line in refused if "Content Security Policy" in line]) >= 2
