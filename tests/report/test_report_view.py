"""One place decides what a reader may see."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from report_factory import SOURCE, banned_import, case, crash, review_note, rich_sheet, sheet

from grader.model.result import Evidence, Mismatch
from grader.model.run import Stream
from grader.model.scene import PackedScene
from grader.model.verdict import Audience, Verdict, Visibility
from grader.report.html import page
from grader.report.view import Outcome, view

CLOSED = [
    (Audience.STUDENT, Visibility.HIDDEN, True),
    (Audience.STUDENT, Visibility.AFTER_DUE_DATE, True),
    (Audience.STUDENT, Visibility.AFTER_PUBLISHED, True),
    (Audience.STUDENT, Visibility.VISIBLE, False),
    (Audience.STUDENT_AFTER_DUE, Visibility.HIDDEN, True),
    (Audience.STUDENT_AFTER_DUE, Visibility.AFTER_DUE_DATE, False),
    (Audience.STUDENT_AFTER_DUE, Visibility.AFTER_PUBLISHED, True),
    (Audience.STAFF, Visibility.HIDDEN, False),
    (Audience.STAFF, Visibility.AFTER_PUBLISHED, False),
]


@pytest.mark.parametrize(("audience", "visibility", "closed"), CLOSED)
def test_each_audience_sees_its_cases(audience: Audience, visibility: Visibility, closed: bool) -> None:
    """A case is open or closed by its visibility and its reader."""
    shown = view(sheet(cases=[case(visibility=visibility)]), audience)
    assert shown.cases[0].is_open is not closed


def test_publishing_opens_what_waited_for_it() -> None:
    """Cases for after the publication open to students when it comes, hidden ones never."""
    cases = [case("a", visibility=Visibility.AFTER_PUBLISHED), case("b", visibility=Visibility.HIDDEN)]
    shown = view(sheet(cases=cases), Audience.STUDENT_AFTER_DUE, published=True)
    assert [one.is_open for one in shown.cases] == [True, False]


def test_a_closed_case_keeps_title_and_points_alone() -> None:
    """Nothing but title, points and what follows from them leaves a hidden case."""
    secret = case(
        "clue-in-id",
        Verdict.TLE,
        title="A plain title",
        visibility=Visibility.HIDDEN,
        tags=("clue",),
        hint="clue",
        evidence=Evidence(input="clue", stdout=Stream.of(b"clue")),
    )
    (shown,) = view(sheet(cases=[secret]), Audience.STUDENT).cases
    assert (shown.facts.title, shown.points, shown.facts.points, shown.outcome) == (
        "A plain title",
        0.0,
        1.0,
        Outcome.FAILED,
    )
    assert shown.verdict is None
    assert shown.measured is None
    assert "clue" not in repr(shown)


def test_nothing_of_a_closed_case_is_read_for_students() -> None:
    """A drawing that can't be unpacked, or takes too long, changes no word of a student's page."""
    broken = case("b", Verdict.WA, visibility=Visibility.HIDDEN, evidence=Evidence(scene=PackedScene(b"no scene")))
    plain = case("b", Verdict.WA, visibility=Visibility.HIDDEN)
    assert view(sheet(cases=[case(), broken]), Audience.STUDENT) == view(
        sheet(cases=[case(), plain]), Audience.STUDENT
    )


def test_review_findings_are_for_staff() -> None:
    """A finding that only asks for a look is never put before the student, nor the source it points into."""
    graded = sheet(findings=(banned_import(), review_note()), sources={"maze_solver.py": "x"})
    assert [finding.rule for finding in view(graded, Audience.STUDENT).findings] == ["banned-import"]
    assert len(view(graded, Audience.STAFF).findings) == 2
    only_review = sheet(findings=(review_note(),), sources={"maze_solver.py": "x"})
    assert view(only_review, Audience.STUDENT).sources == {}


@pytest.mark.parametrize(
    ("cases", "audience", "words"),
    [
        ([case()], Audience.STAFF, "final."),
        ([case()], Audience.STUDENT, "until the due date"),
        ([case()], Audience.STUDENT_AFTER_DUE, "final."),
        ([case(verdict=Verdict.JE)], Audience.STAFF, "could not be judged"),
        (
            [case(visibility=Visibility.AFTER_PUBLISHED)],
            Audience.STUDENT_AFTER_DUE,
            "not published yet",
        ),
        ([case(verdict=Verdict.SK), case("b", Verdict.SK)], Audience.STUDENT, "2 cases not run here"),
    ],
)
def test_the_total_says_whether_it_is_final(cases: list[object], audience: Audience, words: str) -> None:
    """A reader is told if the total can still change, and why."""
    shown = view(sheet(cases=cases), audience)  # type: ignore[arg-type]  # pytest's parameters are plain objects
    assert words in shown.standing
    assert shown.is_final is (words == "final.")


@pytest.mark.parametrize("audience", list(Audience))
def test_every_verdict_but_ac_has_a_message(audience: Audience) -> None:
    """No failure goes unexplained, even when the judge said nothing."""
    cases = [case(str(verdict), verdict, message="") for verdict in Verdict]
    assert all(one.message for one in view(sheet(cases=cases), audience).cases if one.outcome is not Outcome.PASSED)


def test_the_wall_is_described_to_staff_alone() -> None:
    """Students read the level; the mechanisms behind it are the staff's."""
    assert view(rich_sheet(), Audience.STUDENT).isolation is None
    assert view(rich_sheet(), Audience.STAFF).isolation is not None


def test_our_own_breakdown_stays_with_the_staff() -> None:
    """A judge error of an open case shows students that it is our fault, and nothing of what the judge knew."""
    broken = case(
        verdict=Verdict.JE,
        message="the grader itself failed on this case; it costs you nothing.",
        mismatch=Mismatch(kind="judge", message="clue", found="clue"),
        evidence=Evidence(input="clue"),
    )
    (student,) = view(sheet(cases=[broken]), Audience.STUDENT).cases
    (staff,) = view(sheet(cases=[broken]), Audience.STAFF).cases
    assert "clue" not in repr(student)
    assert student.verdict is Verdict.JE
    assert "clue" in repr(staff)


@pytest.mark.parametrize("visibility", [Visibility.VISIBLE, Visibility.HIDDEN])
def test_a_crash_shows_its_line_to_those_who_may_see_it(visibility: Visibility) -> None:
    """A page lists the source round the line of a crash; of a hidden one students get none of it."""
    cause = Mismatch(kind="UnicodeDecodeError", message="", path="maze_solver.py", line=19)
    crashed = replace(crash(), mismatch=cause, facts=replace(crash().facts, visibility=visibility))
    both = sheet(cases=[crashed], sources={"maze_solver.py": SOURCE})
    staff, student = (view(both, audience) for audience in (Audience.STAFF, Audience.STUDENT))
    assert '<li class="line found"><span class="lineno">19</span>' in page.render(staff)
    assert ('class="lineno"' in page.render(student)) is bool(student.sources) is (visibility is Visibility.VISIBLE)
