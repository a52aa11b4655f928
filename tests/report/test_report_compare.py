"""Two runs are compared by whom and by which cases."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from report_factory import case, sheet

from grader.cli.compare import compare as command
from grader.errors import UsageError
from grader.model.verdict import Verdict
from grader.report.compare import compare, lines, page, read_run
from grader.report.writer import RunWriter, Style

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from grader.model.result import GradeSheet

pytest_plugins = ["report_fixtures"]


def graded(name: str, *verdicts: Verdict) -> GradeSheet:
    cases = [
        case(f"c{place}", verdict, points=float(verdict is Verdict.AC)) for place, verdict in enumerate(verdicts)
    ]
    return sheet(name, cases=cases, points=sum(one.points for one in cases), max_points=float(len(cases)))


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    """Write two runs in which everything that can happen to somebody happens."""
    ac, wa, rte = Verdict.AC, Verdict.WA, Verdict.RTE
    before = [graded("up", wa, wa), graded("down", ac, ac), graded("same", ac, wa), graded("moved", ac, wa)]
    after = [graded("up", ac, wa), graded("down", ac, rte), graded("same", ac, wa), graded("moved", wa, ac)]
    for name, sheets in (("one", [*before, graded("left", ac)]), ("two", [*after, graded("new", ac, ac)])):
        writer = RunWriter(Style(out=tmp_path / name))
        for one in sheets:
            writer.add(one)
        writer.finish()
    return tmp_path / "one", tmp_path / "two"


def test_everyone_is_in_one_list(runs: tuple[Path, Path]) -> None:
    """Who rose, who fell, who has other cases, who came and went; each with the cases that did it."""
    shown = CliRunner().invoke(command, [*map(str, runs), "--json"])
    found: dict[str, Any] = json.loads(shown.output)
    assert [change["submission"] for change in found["rose"]] == ["up"]
    assert found["fell"][0]["cases"] == [{"id": "c1", "before": "AC", "after": "RTE"}]
    assert [change["submission"] for change in found["other"]] == ["moved"]
    assert (found["added"], found["removed"], found["unchanged"]) == (["new"], ["left"], 1)
    assert found["cases"] == {"c1": [1, 2]}


def test_the_terminal_tells_the_falls_first(runs: tuple[Path, Path]) -> None:
    """Who got worse needs somebody."""
    text = "\n".join(lines(compare(*map(read_run, runs))))
    assert text.index("down: 2 → 1 (c1 AC → RTE)") < text.index("up: 0 → 1 (c0 WA → AC)")
    assert "lefthand: 1 rose, 1 fell, 1 are as they were" in text


def test_the_page_is_clean(
    runs: tuple[Path, Path], visit: Callable[..., Page], violations: Callable[[Page], list[Any]]
) -> None:
    """The page names both sides of every change, and axe-core has nothing to complain of."""
    shown = visit(page(compare(*map(read_run, runs))), viewport={"width": 390, "height": 800})
    row = shown.get_by_role("row").filter(has_text="down")
    assert " ".join(row.inner_text().split()) == "down 2 → 1 c1 AC : accepted → then RTE : run-time error"
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(shown) == []


def test_what_is_no_run_is_refused(runs: tuple[Path, Path], tmp_path: Path) -> None:
    """A folder without results, another format and another assignment are named."""
    with pytest.raises(UsageError, match="can't be read"):
        read_run(tmp_path)
    odd = tmp_path / "odd.json"
    odd.write_text("[]")
    with pytest.raises(UsageError, match=r"is no results\.json"):
        read_run(odd)
    first = (runs[0] / "results.json").read_text()
    odd.write_text(first.replace('"format":1', '"format":9'))
    with pytest.raises(UsageError, match="has format 9"):
        read_run(odd)
    odd.write_text(first.replace('"assignment":"lefthand"', '"assignment":"runner"'))
    with pytest.raises(UsageError, match="one run is of runner"):
        compare(read_run(odd), read_run(runs[1]))


def test_the_page_leads_to_both_classes(runs: tuple[Path, Path], visit: Callable[..., Page], tmp_path: Path) -> None:
    """The page of a comparison links the class page of each run that has one."""
    html = tmp_path / "pages" / "changes.html"
    (runs[0] / "index.html").rename(tmp_path / "kept.html")
    CliRunner().invoke(command, [*map(str, runs), "--html", str(html)], catch_exceptions=False)
    seen = visit(html)
    assert seen.locator("nav a").all_inner_texts() == ["↑ Second run"]
    seen.locator("nav a").click()
    assert seen.url == (runs[1] / "index.html").as_uri()


def test_the_page_leads_to_everyone_who_changed(runs: tuple[Path, Path], visit: Callable[..., Page]) -> None:
    """Each name is a link to that submission's page of the second run, wherever the comparison lies."""
    html = runs[0] / "changes.html"
    CliRunner().invoke(command, [*map(str, runs), "--html", str(html)], catch_exceptions=False)
    seen = visit(html)
    assert seen.locator("tbody bdi a").all_inner_texts() == ["down", "up", "moved"]
    seen.get_by_role("link", name="down").click()
    assert seen.url == (runs[1] / "down" / "report.html").as_uri()
