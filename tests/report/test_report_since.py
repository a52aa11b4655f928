"""Pages say what changed since the run before, and nothing that a reader may not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from report_factory import case, sheet

from grader.model.verdict import Audience, HiddenOutcomes, Verdict, Visibility
from grader.report.writer import RunWriter, Style, Wanted, write_sheet

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model.result import GradeSheet
    from grader.report.since import Since

OLD, NEW = {"solver.py": "a = 1\nb = 2\n"}, {"solver.py": "a = 1\nb = 3\n"}


def graded(name: str = "ann", *, sources: dict[str, str] = OLD, **verdicts: Verdict) -> GradeSheet:
    cases = [
        case(
            each.replace("_", "-"), verdict, visibility=Visibility.HIDDEN if each.startswith("hidden") else "visible"
        )
        for each, verdict in verdicts.items()
    ]
    return sheet(name, cases=cases, sources=sources, hidden_outcomes=HiddenOutcomes.NEVER)


def told(before: GradeSheet, after: GradeSheet, audience: Audience = Audience.STAFF) -> Since | None:
    return Wanted(sheet=after, audience=audience, before=before).view().since


def run(out: Path, *sheets: GradeSheet) -> dict[str, str]:
    """Write a run and return its pages."""
    writer = RunWriter(Style(out=out))
    for each in sheets:
        writer.add(each)
    writer.finish()
    return {path.parent.name: path.read_text("utf-8") for path in sorted(out.rglob("*.html"))}


def test_cases_points_and_lines_are_compared() -> None:
    """What got better, what got worse, and the lines that changed."""
    before = graded(one=Verdict.AC, two=Verdict.WA, three=Verdict.WA)
    found = told(before, graded(sources=NEW, one=Verdict.WA, two=Verdict.AC, three=Verdict.WA))
    assert found is not None
    assert [(title, [step.title for step in steps]) for title, steps in found.groups] == [
        ("Worse", ["The one"]),
        ("Better", ["The two"]),
    ]
    assert found.sources[0].lines == (
        ("place", "from line 1"),
        ("same", "a = 1"),
        ("gone", "b = 2"),
        ("new", "b = 3"),
        ("same", ""),
    )


def test_the_same_attempt_again_tells_nothing() -> None:
    """Where nothing differs, there is nothing to say."""
    assert told(graded(one=Verdict.WA), graded(one=Verdict.WA)) is None


def test_a_student_learns_nothing_of_hidden_cases() -> None:
    """Where hidden outcomes aren't told, a change in them alone is no change; staff see it."""
    before, after = graded(one=Verdict.AC, hidden_x=Verdict.WA), graded(one=Verdict.AC, hidden_x=Verdict.AC)
    assert told(before, after, Audience.STUDENT) is None
    assert told(before, after) is not None


@pytest.mark.parametrize(
    "text", ["a\n" * 32_000, "".join(f"x{n % 7}\n" for n in range(12_000)), "\n" * 60_000, "x" * 64_000]
)
def test_odd_sources_are_compared_in_bounded_space(text: str) -> None:
    """Thousands of equal lines, or one endless one, give few lines or a word."""
    found = told(graded(sources={"s.py": text}, a=Verdict.AC), graded(sources={"s.py": text[::2]}, a=Verdict.AC))
    assert found is not None
    assert len(found.sources[0].lines) <= 300
    assert found.sources[0].lines or found.sources[0].note


def test_a_class_page_says_who_rose_and_who_fell(tmp_path: Path) -> None:
    """The second run names who fell, who rose, who is new and who is gone, by the cases."""
    run(tmp_path, graded("ann", one=Verdict.AC), graded("ben", one=Verdict.WA), graded("cem", one=Verdict.AC))
    pages = run(
        tmp_path, graded("ann", one=Verdict.WA), graded("ben", one=Verdict.AC), graded("dora", one=Verdict.AC)
    )
    page = pages[tmp_path.name]
    assert "1 rose, 1 fell, 1 new, 1 not in this run, 0 as they were" in page
    assert page.index("Fell since the last run") < page.index(">Rose<")


def test_a_run_that_changes_nothing_leaves_the_pages_alone(tmp_path: Path) -> None:
    """However often the same is graded again, the pages tell of the last change, byte for byte."""
    first = run(tmp_path, graded("ann", one=Verdict.WA), graded("ben", one=Verdict.AC))
    assert "Since the" not in first["ann"] + first[tmp_path.name]
    again = run(tmp_path, graded("ann", one=Verdict.WA), graded("ben", one=Verdict.AC))
    assert again == first
    better = (graded("ann", sources=NEW, one=Verdict.AC), graded("ben", one=Verdict.AC))
    changed = run(tmp_path, *better)
    assert "Since the attempt before" in changed["ann"]
    assert changed["ben"] == first["ben"]
    assert run(tmp_path, *better) == changed


def test_only_another_source_is_another_attempt(tmp_path: Path) -> None:
    """A case that is judged otherwise moves no attempt: a student must not learn of hidden ones by that."""
    run(tmp_path, graded("ann", one=Verdict.WA))
    run(tmp_path, graded("ann", sources=NEW, one=Verdict.AC))
    page = run(tmp_path, graded("ann", sources=NEW, one=Verdict.AC, two=Verdict.WA))["ann"]
    assert "b = 2" in page


def test_another_set_of_cases_is_not_compared(tmp_path: Path) -> None:
    """A run of some cases only says nothing of who fell."""
    run(tmp_path, graded("ann", one=Verdict.AC, two=Verdict.AC))
    assert "Since the last run" not in run(tmp_path, graded("ann", one=Verdict.AC))[tmp_path.name]


def test_a_page_leads_back_to_the_class_and_on_to_the_next(tmp_path: Path) -> None:
    """Staff go from one submission to the next; a student's page names nobody else's."""
    style = Style(out=tmp_path, order=("ann", "ben", "cem"))
    write_sheet(graded("ann", one=Verdict.WA), style)
    page = (tmp_path / "ann" / "report.html").read_text("utf-8")
    assert '<a href="../index.html">' in page
    assert '<a href="../ben/report.html"' in page
    assert "Previous" not in page.partition("<header")[0]
    assert style.beside("cem") == ("ben", "")
    assert Style(out=tmp_path, order=("ann", "ben"), audience=Audience.STUDENT).beside("ann") is None
