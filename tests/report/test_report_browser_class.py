"""The class page stays usable with a thousand submissions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from report_factory import case, class_of, rich_sheet, sheet

from grader.model.verdict import Audience, Verdict
from grader.report.html import classpage
from grader.report.summary import ClassSummary
from grader.report.view import view
from grader.report.writer import RunWriter, Style

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

pytest_plugins = ["report_fixtures"]


@pytest.fixture(scope="module")
def thousand() -> str:
    return class_page(1000)


def class_page(count: int) -> str:
    summary = ClassSummary()
    for graded in class_of(count):
        summary.add(view(graded, Audience.STAFF))
    return classpage.render(summary)


def first_rows(page: Page, count: int = 3) -> list[str]:
    return page.locator("#matrix tbody th").all_inner_texts()[:count]


def test_the_matrix_draws_only_what_is_in_sight(visit: Callable[..., Page], thousand: str) -> None:
    """A thousand rows are in the data, a screenful in the page, and scrolling brings the rest."""
    assert len(thousand) < 400_000
    page = visit(thousand)
    assert page.locator("#matrix tbody tr").count() < 80
    page.evaluate("document.getElementById('matrix').scrollTop = 1e6")
    page.get_by_role("link", name="s1999", exact=True).wait_for()
    assert page.locator("#matrix tbody tr").count() < 80


def test_the_matrix_sorts(visit: Callable[..., Page], thousand: str) -> None:
    """A head sorts by its column, a second click turns the order round, and the state is announced."""
    page = visit(thousand)
    assert first_rows(page) == ["s1000", "s1001", "s1002"]
    points = page.locator("#matrix thead th", has_text="Points")
    points.locator("button").click()
    assert points.get_attribute("aria-sort") == "ascending"
    assert page.locator("#matrix tbody td.fixed-1").first.inner_text() == "0 / 24"
    points.locator("button").click()
    assert page.locator("#matrix tbody td.fixed-1").first.inner_text() == "24 / 24"
    page.locator("#matrix thead .case-head button").first.click()
    assert page.locator("#matrix tbody .mark").first.inner_text() == "SK"


def test_the_matrix_filters(visit: Callable[..., Page], thousand: str) -> None:
    """Text, verdict and case narrow the rows; Clear brings all back."""
    page = visit(thousand)
    shown = page.locator("#shown")
    page.get_by_label("Submission", exact=True).fill("s199")
    assert shown.inner_text() == "10 of 1000 submissions"
    page.get_by_role("button", name="Clear").click()
    page.locator("#shown", has_text="1000 of 1000").wait_for()
    page.locator("select[name=verdict]").select_option("RTE")
    page.locator("select[name=case]").select_option("2")
    letters = page.locator("#matrix tbody tr:not(.spacer) td:nth-child(6)").all_inner_texts()
    assert set(letters) == {"RTE"}


def test_a_mark_leads_to_the_case(visit: Callable[..., Page], thousand: str) -> None:
    """Every mark links to its case in that submission's report."""
    page = visit(thousand)
    assert page.locator(".mark").nth(1).get_attribute("href") == "s1000/report.html#case-2"


def test_groups_that_fail_alike_are_named(visit: Callable[..., Page], thousand: str) -> None:
    """The largest group comes first and names its members, some at once and all on demand."""
    page = visit(thousand)
    group = page.locator(".alike > li").first
    assert int(group.locator(".many").inner_text()) > 30
    assert group.locator(".people a:visible").count() == 12
    group.get_by_text("more who fail so").click()
    assert group.locator(".people a:visible").count() == int(group.locator(".many").inner_text())


def test_keys_move_through_the_matrix(visit: Callable[..., Page], thousand: str) -> None:
    """Arrow keys go from mark to mark, and to rows that were out of sight."""
    page = visit(thousand)
    page.locator("#matrix tbody th a").first.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.getAttribute('href')") == "s1001/report.html#case-2"
    for _ in range(60):
        page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "s1061/report.html#case-2"


def test_the_hardest_cases_come_first_on_demand(visit: Callable[..., Page], thousand: str) -> None:
    """Heads are ids with the share that passed; a button orders them by it, and the marks move along."""
    page = visit(thousand)
    page.get_by_role("button", name="Hardest cases first").click()
    rates = [int(text.rstrip("%")) for text in page.locator("#matrix thead .rate").all_inner_texts()]
    assert rates == sorted(rates)
    head = page.locator("#matrix thead .case-head").first
    number = int(head.get_attribute("data-key") or "") + 1
    assert (page.locator(".mark").first.get_attribute("href") or "").endswith(f"#case-{number}")


@pytest.mark.parametrize("width", [390, 1440])
def test_no_name_hides_the_matrix(visit: Callable[..., Page], width: int) -> None:
    """A platform's folder name is shown as the person's; 180 letters leave room for the marks at any width."""
    summary = ClassSummary()
    names = ("Anne-Marie de la Fontaine-Beauregard_1234508_assignsubmission_file", "x" * 180)
    for name in names:
        summary.add(view(rich_sheet(name), Audience.STAFF))
    page = visit(classpage.render(summary), viewport={"width": width, "height": 900})
    assert first_rows(page, 1) == ["Anne-Marie de la Fontaine-Beauregard"]
    taken = page.evaluate(
        "document.querySelector('#matrix tbody th').offsetWidth / document.querySelector('#matrix').clientWidth"
    )
    assert taken < 0.5


def test_who_needs_help_first_is_named_once() -> None:
    """Never ran, always stops, one fix away: each submission is in the first group that fits."""
    summary = ClassSummary()
    one = sheet("near", cases=[case("a", Verdict.WA, message="m"), *(case(f"c{n}") for n in range(4))])
    stops = sheet("stops", cases=[case("a", Verdict.RTE, message="m"), case("b", Verdict.TLE, message="n")])
    for graded in (
        one,
        stops,
        sheet("lost", cases=[case("a", Verdict.SK)], problem="no file"),
        sheet("all", cases=[case("a")]),
    ):
        summary.add(view(graded, Audience.STAFF))
    assert [(title.split()[0], [row.id for row in rows]) for title, rows in summary.triage()] == [
        ("Never", ["lost"]),
        ("Stops", ["stops"]),
        ("One", ["near"]),
    ]


@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("count", [0, 1, 30])
def test_no_class_is_too_small(visit: Callable[..., Page], count: int, width: int) -> None:
    """None, one or thirty submissions make a whole page that never scrolls sideways."""
    page = visit(class_page(count), viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("#matrix tbody th").count() == count or count > 20


def test_axe_finds_no_violation_in_a_class(
    visit: Callable[..., Page], violations: Callable[[Page], list[Any]]
) -> None:
    """By day, with every fold open, axe-core has nothing to complain of; by night, see every page's test."""
    page = visit(class_page(12), color_scheme="light")
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    assert violations(page) == []


def test_the_matrix_prints_whole(visit: Callable[..., Page]) -> None:
    """On paper all rows are there, not only those in sight."""
    page = visit(class_page(60))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#matrix tbody th").count() == 60


def test_the_readmes_pictures_are_made_by_a_script(browser: Browser, tmp_path: Path) -> None:
    """The script takes all pictures of a stored run."""
    writer = RunWriter(Style(out=tmp_path / "run"))
    writer.add(rich_sheet("s1"))
    writer.finish()
    script = Path(__file__).parents[2] / "docs" / "make_screenshots.py"
    command = [sys.executable, script, tmp_path / "run", "--submission", "s1", "--out", tmp_path / "out"]
    subprocess.run([str(part) for part in command], check=True, timeout=120)
    pictures = sorted(path.name for path in (tmp_path / "out").iterdir() if path.stat().st_size > 10_000)
    assert pictures == [
        "class-matrix.png",
        "class.png",
        "submission-dark.png",
        "submission-phone.png",
        "submission.png",
    ]


def test_the_class_is_listed_without_scripts(visit: Callable[..., Page]) -> None:
    """Without JavaScript every student is there, with points and a link to the page."""
    page = visit(class_page(30), java_script_enabled=False)
    people = page.locator("section:has(#matrix-title) noscript li")
    assert people.count() == 30
    for place, graded in enumerate(sorted(class_of(30), key=lambda each: each.submission)):
        link = people.nth(place).locator("a")
        assert (link.inner_text(), link.get_attribute("href")) == (
            graded.submission,
            f"{graded.submission}/report.html",
        )
        assert people.nth(place).locator(".amount").inner_text() == f"{graded.points:g} / {graded.max_points:g}"
        assert link.is_visible()


def test_a_class_leads_up_to_the_page_above(visit: Callable[..., Page], tmp_path: Path) -> None:
    """A class page among others links the page that lists them; one that stands alone links none."""
    for above in ("", "../index.html"):
        writer = RunWriter(Style(out=tmp_path / "class", above=above))
        writer.add(rich_sheet())
        writer.finish()
        links = visit(tmp_path / "class" / "index.html").locator("nav.around a")
        assert [link.get_attribute("href") for link in links.all()] == [above] * bool(above)
