"""Promises of the page to everyone: by keys alone, for assistive technology, on a slow phone, with any link."""

from __future__ import annotations

import base64
import contextlib
import json
import zlib
from typing import TYPE_CHECKING, Any

import pytest
from compare_site import ROOT, differences, files_of
from course_run import course_run
from own_course import WRONG
from programs import program, programs
from slow_machine import slowed

from bench.tab import PATIENCE_MS, Tab

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

pytest_plugins = ["site_fixtures"]
ENDLESS = b"while True:\n    pass\n"
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
_FOCUSED = """() => {
    let here = document.activeElement;
    while (here?.shadowRoot?.activeElement) here = here.shadowRoot.activeElement;
    return [here.tagName, here.className, here.dataset.do, here.getAttribute("href"), here.title].join(" "); }"""


def tab_to(page: Page, what: str, *, key: str = "Tab") -> None:
    """Press a key until something of this description has the focus."""
    seen = []
    for _ in range(60):
        page.keyboard.press(key)
        seen.append(page.evaluate(_FOCUSED))
        if what in seen[-1]:
            return
    pytest.fail(f"{what} isn't reached by {key}: {seen}")


def offences(page: Page) -> list[str]:
    """Return what axe finds on the page; the report in its frame has tests of its own."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate((ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8"))
    found: list[str] = page.evaluate(
        """() => axe.run({iframes: false}).then(({violations}) => violations.map(
            ({id, nodes}) => `${id}: ${nodes.map(({html}) => html).join(" ")}`))"""
    )
    return found


def test_keys_alone_do_everything(tab: Callable[..., Tab]) -> None:
    """Choose the assignment, write, leave the editor, open a file, copy a link, check, step the player, stop."""
    opened = tab("lefthand", permissions=["clipboard-read", "clipboard-write"])
    page, keys = opened.page, opened.page.keyboard
    page.on("filechooser", lambda _: None)  # from now on none opens outside the page
    tab_to(page, "#a=runner")
    keys.press("Enter")
    page.locator("[data-links] a[href^=runner]").first.wait_for()
    tab_to(page, "skip", key="Shift+Tab")
    keys.press("Enter")
    assert "cm-content" in page.evaluate(_FOCUSED)
    assert page.url.endswith("#a=runner")
    keys.press("Tab")
    assert "cm-content" in page.evaluate(_FOCUSED)
    keys.press("Escape")
    keys.press("Tab")
    assert "cm-content" not in page.evaluate(_FOCUSED)
    tab_to(page, "cm-content", key="Shift+Tab")
    keys.press("Escape")
    tab_to(page, "choose")
    with page.expect_file_chooser() as chosen:
        keys.press("Enter")
    chosen.value.set_files(program("runner/WA/beeline") / "maze.py")
    page.locator("[data-status]", has_text="Taken").wait_for()
    tab_to(page, "share")
    keys.press("Enter")
    page.locator("[data-status]", has_text="copied").wait_for()
    opened.ready()
    tab_to(page, "check", key="Shift+Tab")
    keys.press("Enter")
    page.locator("[data-advice]").wait_for(timeout=PATIENCE_MS)
    tab_to(page, "Report with the player")
    report = next(frame for frame in page.frames if frame.parent_frame and "Maze Runner" in frame.title())
    for wanted in ("[data-fold=open]", ".player:has([aria-label=Frame])"):
        for _ in range(200):
            keys.press("Tab")
            if report.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
                break
        keys.press("Enter")
    slider = "document.querySelector('.player:focus [aria-label=Frame]').value"
    before = report.evaluate(slider)
    keys.press("ArrowLeft")
    report.wait_for_function(f"(before) => {slider} !== before", arg=before)
    tab_to(page, "cm-content", key="Shift+Tab")
    keys.press("Control+a")
    keys.type("while True: pass\n")
    keys.press("Control+Enter")
    keys.press("Escape")
    tab_to(page, "stop")
    keys.press("Enter")
    page.locator("[data-status]", has_text="Stopped").wait_for()


_CONTROLS = """() => {
    const words = "a[href], button:not([disabled]), select, textarea, summary, .cm-content";
    const all = [...document.querySelectorAll(words)].filter((each) => each.checkVisibility());
    return all.map((each, number) => (each.dataset.number = number)); }"""
_SEEN = """() => {
    const here = document.activeElement, shown = here.closest(".editor") ?? here;
    const { outlineStyle, outlineWidth } = getComputedStyle(shown);
    const { right, width } = shown.getBoundingClientRect();
    const isMarked = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    const isThere = width > 0 && right > 0;
    return [Number(here.dataset.number ?? -1), isMarked && isThere, here.outerHTML.slice(0, 80)]; }"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_control_is_reached_by_keys_and_shows_it(scheme: str, tab: Callable[..., Tab], address: str) -> None:
    """With several files, a link's program and everything folded open: Tab comes by all of it, and one sees where."""
    opened = tab("lefthand", color_scheme=scheme)
    page = opened.page
    texts = [["maze_solver.py", "print(1)"], ["walker.py", ""]]
    page.goto(f"{address}#a=lefthand&solution={carried({'texts': texts})}")
    page.locator("[data-shared]").wait_for()
    for summary in page.locator("summary").all():
        summary.click()
    opened.ready()
    controls, reached = page.evaluate(_CONTROLS), {}
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    for _ in range(2 * len(controls)):
        page.keyboard.press("Escape")
        page.keyboard.press("Tab")
        number, is_seen, what = page.evaluate(_SEEN)
        reached[number] = is_seen or what
    assert {number: reached.get(number, "never") for number in controls} == dict.fromkeys(controls, True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_state(scheme: str, tab: Callable[..., Tab]) -> None:
    """Before, while checking, after a wrong answer, a refusal; with a link."""
    opened = tab("sums", color_scheme=scheme, permissions=["clipboard-read", "clipboard-write"], **PHONE)
    page = opened.page
    found = {"before": offences(page)}
    opened.drop({"sums.py": ENDLESS})
    page.locator("[data-do=check]").click()
    page.locator("[data-cases] .is-running").wait_for(timeout=PATIENCE_MS)
    found["while checking"] = offences(page)
    page.locator("[data-do=stop]").click()
    opened.check({"sums.py": WRONG.encode()})
    found["wrong"] = offences(page)
    opened.check({"sums.zip": b"no zip"})
    found["refused"] = offences(page)
    page.goto(f"{page.url.split('#')[0]}#a=sums&solution={carried({'texts': [['sums.py', 'print(1)']]})}")
    page.locator("[data-shared]").wait_for()
    found["a link"] = offences(page)
    page.goto(f"{page.url.split('#')[0]}#a=sums&solution=nonsense")
    page.locator("[data-trouble]").wait_for()
    found["a damaged link"] = offences(page)
    assert {state: offence for state, offence in found.items() if offence} == {}
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]


def carried(value: Any) -> str:
    """Pack a value as a link does."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (
        base64.urlsafe_b64encode(deflate.compress(json.dumps(value).encode()) + deflate.flush()).decode().rstrip("=")
    )


def test_a_link_with_nonsense_harms_nothing(tab: Callable[..., Tab], address: str) -> None:
    """Bad escapes, wrong types, strange names, a bomb: the page opens, and one's own work is there to be checked."""
    opened = tab("lefthand")
    page = opened.page
    right = files_of(programs("lefthand") / "AC" / "functions")
    opened.drop(right)
    values: list[Any] = [None, 5, [], {"texts": 5}, {"texts": [None, [1], ["", ""], ["../x", 5]]}, "x" * (64 << 20)]
    fragments = [
        "%",
        "%00=%ff",
        "a",
        "a=__proto__",
        "a=../runner",
        "solution",
        "a=lefthand&solution=A",
    ]
    fragments += [f"a=lefthand&{word}={carried(value)}" for value in values for word in ("solution", "other")]
    for fragment in fragments:
        page.goto(f"{address}#{fragment}")
        page.locator("[data-title]", has_text="left-hand").wait_for()
    page.goto(f"{address}#a=lefthand")
    page.locator(".cm-content", has_text="def ").wait_for()
    assert {case["verdict"] for case in opened.ready().press("check")} == {"AC"}


def test_a_tab_that_dies_while_it_checks_loses_nothing(tab: Callable[..., Tab], address: str) -> None:
    """The browser ends the page in the middle of a check: a new one has the program, and checks it."""
    opened = tab("lefthand")
    opened.drop({"maze_solver.py": b"# mine\n" + ENDLESS})
    opened.page.locator("[data-do=check]").click()
    opened.page.locator("[data-cases] .is-running").wait_for(timeout=PATIENCE_MS)
    other = opened.page.context.new_page()
    with opened.page.expect_event("crash"), contextlib.suppress(Exception):  # that is what it is for
        opened.page.goto("chrome://crash", timeout=5_000)
    again = Tab(other).open(address, "lefthand")
    other.locator(".cm-content", has_text="# mine").wait_for()
    assert [case["verdict"] for case in again.press("check")][:1] == ["TLE"]


def test_a_slow_phone_says_what_the_course_says(browser: Browser, tab: Callable[..., Tab]) -> None:
    """With a quarter of a core at 390 pixels: right stays right, wrong stays wrong, and the page obeys meanwhile."""
    with slowed(browser, 4), course_run(ROOT / "cases", "lefthand") as course:
        opened = tab("lefthand", **PHONE)
        page = opened.page
        for path in (programs("lefthand") / "AC" / "functions", programs("lefthand") / "WA" / "right_hand"):
            found, (wanted, _) = opened.check(files_of(path)), course(path)
            assert [one for what in ("verdict", "message") for one in differences(what, found, wanted)] == []
        opened.drop({"maze_solver.py": ENDLESS})
        page.locator("[data-do=check]").click()
        page.locator("[data-cases] .is-running").wait_for(timeout=PATIENCE_MS)
        page.locator(".cm-content").focus()
        page.keyboard.type("# typed")
        page.locator(".cm-content", has_text="# typed").wait_for()
        page.locator("[data-do=stop]").click()
        page.locator("[data-status]", has_text="Stopped").wait_for()
        assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
