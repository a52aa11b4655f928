"""The submission page works in a real browser, by mouse and by keyboard."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from report_drawings import drawn, opened
from report_factory import case, rich_sheet, sheet, walk_scene

from grader.model.result import Evidence
from grader.model.scene import PackedScene, Probe, Scene
from grader.model.verdict import Audience, Verdict
from grader.report.html import page as pages
from grader.report.view import view

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytest_plugins = ["report_fixtures"]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@cache
def rich_page(audience: Audience = Audience.STAFF) -> str:
    return pages.render(view(rich_sheet(), audience))


def counter(page: Page, number: int = 2) -> str:
    return page.locator(f"#case-{number} .counter").inner_text()


def trailed(page: Page) -> int:
    """Count the squares of all boards that are drawn as left behind."""
    rows = page.locator(".trail-ground").all()
    return sum((row.get_attribute("d") or "").count("M") for row in rows)


def test_the_first_failure_is_open_at_its_difference(visit: Callable[..., Page]) -> None:
    """A reader lands on the explanation, the diff and the frame where the walks part."""
    page = visit(rich_page())
    assert page.locator("details.case[open]").count() == 1
    assert page.locator("#case-2 .explain").is_visible()
    assert counter(page) == "17 / 115"
    assert "3,0 facing W" in page.locator("#case-2 .is-expected .frame-words").inner_text()
    assert "3,0 facing E" in page.locator("#case-2 .is-actual .frame-words").inner_text()


def test_buttons_step_scrub_and_jump(visit: Callable[..., Page]) -> None:
    """Step, first, last, scrub and first difference move both boards together; both walks fit on one."""
    page = visit(rich_page())
    player = page.locator("#case-2 .player")
    player.get_by_label("One step on").click()
    assert counter(page) == "18 / 115"
    player.get_by_label("First frame").click()
    assert counter(page) == "0 / 115"
    assert trailed(page) == 0
    player.get_by_label("Frame", exact=True).fill("60")
    page.locator("#case-2 .counter", has_text="60 / 115").wait_for()
    assert trailed(page) > 40
    player.get_by_label("Jump to the first difference").click()
    assert counter(page) == "17 / 115"
    player.get_by_label("One step back").click()
    both = player.locator(".frame-words").all_inner_texts()
    assert both[0] == both[1]
    player.get_by_label("Frame", exact=True).fill("30")
    player.get_by_role("button", name="One board").click()
    assert [board.is_visible() for board in player.locator(".board").all()] == [True, False]
    assert player.locator(".fork").first.is_visible()


def test_the_comparison_of_texts_follows_the_player(visit: Callable[..., Page]) -> None:
    """Each frame's text is compared as the slider goes; what agrees and what isn't kept is said."""
    page = visit(rich_page())
    player, texts = page.locator("#case-2 .player"), page.locator("#case-2 .texts")
    assert "Current·Position" in texts.inner_text()
    player.get_by_label("One step on").click()
    assert "frame 18" in texts.locator(".where").inner_text()
    assert texts.locator("li").all_inner_texts() == ["at·18", "expected\nfacing·S", "found\nfacing·E"]
    player.get_by_label("Frame", exact=True).fill("12")
    texts.get_by_text("Printed as expected, frame 12").wait_for()
    assert texts.locator("li").all_inner_texts() == ["at·12", "facing·S"]
    player.get_by_label("First frame").click()
    assert texts.locator("li").all_inner_texts() == ["The text of this frame is not kept here."]


def test_it_plays_and_pauses(visit: Callable[..., Page]) -> None:
    """Play runs to the end by itself and stops there."""
    page = visit(rich_page())
    player = page.locator("#case-2 .player")
    player.get_by_label("Speed, frames a second").select_option("1000")
    player.get_by_label("Play").click()
    page.locator("#case-2 .counter", has_text="115 / 115").wait_for()
    player.locator(".play[aria-label='Play']").wait_for()


def test_the_keyboard_alone_is_enough(visit: Callable[..., Page]) -> None:
    """Tab reaches the case and its player; arrows, Home, End, D and space do all that the buttons do."""
    page = visit(rich_page())
    page.locator("#case-2 > summary").focus()
    for is_open in (False, True):
        page.keyboard.press("Enter")
        assert (drawn(page).locator("#case-2").get_attribute("open") is not None) is is_open
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('player')"):
            break
    for key, shown in (
        ("Home", "0 / 115"),
        ("ArrowRight", "1 / 115"),
        ("PageDown", "11 / 115"),
        ("End", "115 / 115"),
        ("ArrowLeft", "114 / 115"),
        ("d", "17 / 115"),
    ):
        page.keyboard.press(key)
        assert counter(page) == shown
    for named in ("Pause", "Play"):  # half a minute is left to play: time enough for both on any machine
        page.keyboard.press("Space")
        page.locator(f"#case-2 .play[aria-label='{named}']").wait_for()


def test_alice_shows_arrows_and_the_length_of_a_step(visit: Callable[..., Page]) -> None:
    """Arrows are drawn in their colours, with + and − beside colour, and d stands beside both boards."""
    page = visit(rich_page())
    player = opened(page, 4)
    assert player.locator(".arrows-red").count() == 2
    assert player.locator(".arrows-yellow").count() == 2
    assert set(player.locator(".sign").all_text_contents()) == {"+", "−"}
    player.get_by_label("Last frame").click()
    assert player.locator(".label-now").all_text_contents() == ["d = 3", "d = 1"]


def test_the_search_is_shown_in_its_frame(visit: Callable[..., Page]) -> None:
    """The order of the pseudocode's search is numbered in the frame that it belongs to, step by step."""
    page = visit(rich_page())
    player = opened(page, 5)
    assert player.locator(".board .probe").count() == 0
    player.get_by_label("First frame").click()
    assert player.locator(".board .probe").count() == 12
    player.get_by_label("Search step").fill("3")
    assert player.locator(".probe-order").all_text_contents() == ["1", "2", "3"]
    assert "cost 1 + 6" in player.locator(".search").inner_text()
    assert "OPEN: f, below it g + h" in player.locator(".key").inner_text()


def test_the_search_opens_where_it_decides(visit: Callable[..., Page]) -> None:
    """A scene that names the step of its search begins there; the slider goes on to its end."""
    search = tuple(Probe(0, column, "taken") for column in range(3))
    scene = Scene(rows=1, columns=3, squares=(), search=search, search_step=2)
    failed = case("ties", Verdict.WA, evidence=Evidence(scene=PackedScene.of(scene)))
    page = visit(pages.render(view(sheet(cases=[failed]), Audience.STAFF)))
    assert page.get_by_label("Search step").input_value() == "2"
    assert page.locator(".board .probe").count() == 2


def test_twenty_thousand_frames_stay_small_and_playable(visit: Callable[..., Page]) -> None:
    """20,000 frames make a small file, any of them can be reached, and the board follows the walker."""
    rows = tuple("S" + "#" * 98 if not row else "#" * 99 if row % 2 == 0 else " " * 99 for row in range(99))
    scene = walk_scene(20_000, rows=rows, difference=15_000)
    long = case("long", Verdict.WA, evidence=Evidence(scene=PackedScene.of(scene)))
    html = pages.render(view(sheet(cases=[long]), Audience.STAFF))
    assert len(html) < 600_000
    page = visit(html)
    assert page.locator(".counter").inner_text() == "15000 / 19999"
    page.get_by_label("Last frame").click()
    assert page.locator(".counter").inner_text() == "19999 / 19999"
    page.get_by_label("One step back").click()
    page.get_by_label("First frame").click()
    assert trailed(page) == 0
    board = page.locator(".board").first
    assert board.get_attribute("viewBox") == "-0.8 -0.8 24.8 24.8"
    page.get_by_role("button", name="Whole board").click()
    assert (board.get_attribute("viewBox") or "").startswith("-0.1 -0.1 99.")


def test_filters_show_what_they_say(visit: Callable[..., Page]) -> None:
    """A filter leaves the cases of one outcome; All brings back the rest, those that fail alike on one card."""
    page = visit(rich_page())
    page.get_by_role("button", name="Passed", exact=True).click()
    assert page.locator(".case:visible").count() == 3
    page.get_by_role("button", name="All", exact=True).click()
    assert page.locator(".case:visible").count() == 13
    page.get_by_text("2 cases fail alike: “The hidden spiral”, “The late comb”").click()
    page.get_by_text("The 2 cases", exact=True).click()
    assert page.locator(".case:visible").count() == 15


def test_a_link_to_a_case_opens_it(visit: Callable[..., Page]) -> None:
    """The strip and the class page's links lead to an open case."""
    page = visit(rich_page())
    page.locator(".strip a").nth(5).click()
    page.locator("#case-6[open]").wait_for()
    assert "UnicodeDecodeError" in page.locator("#case-6 .explain").inner_text()


def test_a_linked_case_stays_in_sight(visit: Callable[..., Page]) -> None:
    """What is drawn above it, after the page has scrolled there, doesn't push it away."""
    page = visit(rich_page())
    page.goto(f"{page.url}#case-5")
    page.reload()
    drawn(page)
    for _ in range(200):  # pages of ours let nobody wait for an expression: that would evaluate text
        top = page.locator("#case-5").evaluate("item => item.getBoundingClientRect().top")
        if abs(top) < 30:
            break
        page.wait_for_timeout(50)
    assert abs(top) < 30


def test_a_student_finds_nothing_to_open_in_a_hidden_case(visit: Callable[..., Page]) -> None:
    """A hidden case is a plain line with its title and points."""
    page = visit(rich_page(Audience.STUDENT))
    hidden = page.locator("#case-12")
    assert hidden.locator("summary, .player").count() == 0
    assert hidden.inner_text().split("\n")[0] == "failed"
    assert "0 / 1" in hidden.inner_text()


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_nothing_sticks_out(visit: Callable[..., Page], options: dict[str, Any]) -> None:
    """The page never scrolls sideways."""
    page = visit(rich_page(), **options)
    page.get_by_role("button", name="Open all").click()
    assert drawn(page).evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_print_opens_what_failed(visit: Callable[..., Page]) -> None:
    """On paper the failed cases are open with their drawings, and the controls are gone."""
    page = visit(rich_page())
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details.case[open]").count() == 10
    assert page.locator("details.group[open]").count() == 1
    assert not page.locator(".controls").first.is_visible()
    drawn = page.locator("details.case[open] .player:has(svg)").count()
    assert drawn == page.locator("details.case[open] .player").count() > 1
    assert len(page.pdf()) > 10_000


def test_it_reads_without_scripts(visit: Callable[..., Page]) -> None:
    """In a preview that runs no script, points, explanations and diffs are all there."""
    page = visit(rich_page(), java_script_enabled=False)
    assert page.locator("#case-2 .explain").is_visible()
    assert page.locator("#case-2 .diff").is_visible()
    assert not page.locator(".tools").is_visible()


def test_axe_finds_no_violation(visit: Callable[..., Page], violations: Callable[[Page], list[Any]]) -> None:
    """In a student's page by day, with every case open, axe-core has nothing to complain of, contrast included."""
    page = visit(rich_page(Audience.STUDENT), color_scheme="light")
    page.get_by_role("button", name="Open all").click()
    drawn(page).locator("#case-5").get_by_label("First frame").click()
    assert violations(page) == []


def test_dark_mode_is_dark(visit: Callable[..., Page]) -> None:
    """The reader's colour scheme decides the ground."""
    grounds = [
        visit(rich_page(), color_scheme=scheme).evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert grounds == ["rgb(246, 246, 243)", "rgb(20, 23, 27)"]
