"""What an assignment's `feedback` keeps back is in nothing that a student reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from report_factory import case, sheet

from grader.model.assignment import Feedback
from grader.model.result import CaseResult, Evidence, GradeSheet, Mismatch
from grader.model.run import Stream
from grader.model.scene import PackedScene, Scene, Square
from grader.model.verdict import Audience, HiddenOutcomes, Verdict
from grader.report.registry import FORMATS
from grader.report.view import view
from grader.report.writer import RunWriter, Style

if TYPE_CHECKING:
    from pathlib import Path

WORDS = {
    "message": ("reasoncanary", "hintcanary"),
    "diff": ("wantcanary", "gotcanary", "drawncanary"),
    "output": ("printedcanary", "errorcanary", "tracecanary"),
    "input": ("inputcanary", "drawncanary"),
    "time": ("7.7777",),
}


def singing(verdict: Verdict) -> CaseResult:
    """Return a visible case with a word of its own in every part."""
    mismatch = Mismatch(
        kind="line",
        message="reasoncanary",
        cause="reasoncanary",
        expected="wantcanary",
        found="gotcanary",
        expected_text="wantcanary",
        found_text="gotcanary",
    )
    evidence = Evidence(
        input="inputcanary",
        stdout=Stream.of(b"printedcanary"),
        stderr=Stream.of(b"errorcanary"),
        traceback="ValueError: tracecanary",
        scene=PackedScene.of(
            Scene(rows=1, columns=1, squares=(Square(row=0, column=0, text="drawncanary"),), title="drawncanary")
        ),
    )
    return case(
        "open",
        verdict,
        message="reasoncanary",
        hint="hintcanary",
        mismatch=mismatch,
        evidence=evidence,
        cpu_s=7.7777,
        wall_s=7.7777,
    )


def with_feedback(**kept_back: HiddenOutcomes) -> GradeSheet:
    return sheet(cases=[case("fine"), singing(Verdict.WA)], feedback=Feedback(**kept_back))


def texts(folder: Path, graded: GradeSheet, audience: Audience) -> str:
    writer = RunWriter(Style(out=folder, audience=audience, formats=FORMATS, keep_sheets=False))
    writer.add(graded)
    writer.finish()
    return "\n".join(path.read_text("utf-8") for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("part", WORDS)
def test_a_part_that_is_kept_back_is_in_no_format(part: str, tmp_path: Path) -> None:
    """Before the due date it is nowhere; shown, and after the due date, it is there."""
    early = texts(tmp_path / "early", with_feedback(**{part: HiddenOutcomes.AFTER_DUE}), Audience.STUDENT)
    late = texts(tmp_path / "late", with_feedback(**{part: HiddenOutcomes.AFTER_DUE}), Audience.STUDENT_AFTER_DUE)
    for word in WORDS[part]:
        assert word not in early
    assert WORDS[part][0][:5] in late


def test_without_verdicts_right_and_wrong_look_alike(tmp_path: Path) -> None:
    """With verdict, points and time kept back, two programs of other outcomes have equal files."""
    kept_back = dict.fromkeys(("verdict", "points", "time", "input"), HiddenOutcomes.NEVER)
    wrong = sheet(cases=[singing(Verdict.WA)], feedback=Feedback(**kept_back))
    right = sheet(cases=[case("open", Verdict.AC)], feedback=Feedback(**kept_back))
    first = texts(tmp_path / "one", wrong, Audience.STUDENT)
    assert first.count("open")
    assert first == texts(tmp_path / "two", right, Audience.STUDENT)


def test_a_sum_has_only_points_that_are_shown() -> None:
    """Nobody can work out the points of a case from the total."""
    shown = view(with_feedback(points=HiddenOutcomes.NEVER), Audience.STUDENT)
    assert (shown.points, shown.max_points) == (0, 0)
    assert [one.points for one in shown.cases] == [None, None]


def test_staff_see_everything(tmp_path: Path) -> None:
    """What is kept back from students is for staff to see."""
    kept_back = dict.fromkeys(Feedback.__struct_fields__, HiddenOutcomes.NEVER)
    written = texts(tmp_path, with_feedback(**kept_back), Audience.STAFF)
    assert "reasoncanary" in written
    assert "printedcanary" in written
