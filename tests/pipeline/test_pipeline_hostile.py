"""Promises of the trusted side: whatever a student's words do to a kit, the neighbours are graded right."""

from __future__ import annotations

import os
import re
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from doubling import KIND, RIGHT, DoublingKit, case, student
from model_values import make_assignment
from msgspec.structs import replace

from grader.intake.entries import entries
from grader.model.result import Mismatch
from grader.model.run import Reply, RunRecord, Stream
from grader.model.verdict import Ending, Verdict
from grader.pipeline.grade import grade
from grader.pipeline.grade_case import measure
from grader.pipeline.prepare import Plan, prepare_case
from grader.pipeline.sheet import without_words
from grader.wiring import Settings, open_grading

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model.assignment import Case
    from grader.model.kit import Expect
    from grader.model.result import CaseResult, GradeSheet
    from grader.model.scene import Scene


class CarelessKit(DoublingKit):
    """Does what the words say, wherever it meets them."""

    def read(self, record: RunRecord) -> Any:
        text = record.stdout.content().decode("utf-8", "replace").strip()
        if text.startswith("read "):
            _do(text)
        return text if text.startswith(("draw", "check")) else super().read(record)

    def check(self, puzzle: int, claim: Any, expect: Expect) -> Mismatch | None:
        if not isinstance(claim, str):
            return super().check(puzzle, claim, expect)
        if claim.startswith("check "):
            _do(claim)
        return Mismatch(kind="double", message="that is no number.")

    def draw(self, puzzle: int, claim: Any) -> Scene:
        if isinstance(claim, str):
            _do(claim)
        return super().draw(puzzle, None)


class BrokenKit(DoublingKit):
    """Fails on everything."""

    def read(self, record: RunRecord) -> Any:
        os._exit(3 if record else 4)


def _do(words: str) -> None:
    match words.split()[1]:
        case "regex":
            re.match(r"(a|a?)+$", "a" * 40 + "b")
        case "memory":
            bytearray(1 << 40)
        case "grow":
            parts: Any = ()
            while True:
                parts = (parts, [0] * 10**6)
        case "exit":
            os._exit(0)
        case "crash":
            os.abort()
        case "deep":
            _do(words)
        case "raise":
            raise ValueError("a fault of the kit")


def work(kit: DoublingKit, *cases: Case) -> Plan:
    assignment = make_assignment("double.py", name="double", kinds={"double": KIND}, cases=cases)
    return Plan(assignment=assignment, cases=tuple(prepare_case(each, kit) for each in cases))


def graded(plan: Plan, **sources: str) -> dict[str, GradeSheet]:
    students = [student(name, source) for name, source in sources.items()]
    with open_grading(Settings(workers=2), plan) as grading:
        return {sheet.submission: sheet for sheet in grade(grading, students)}


def judged(words: str, kit: DoublingKit) -> CaseResult:
    """Grade a hostile student among honest ones, which must not notice."""
    sheets = graded(work(kit, case(4)), ann=RIGHT, bad=f"print({words!r})", bob="print(9)", cat=RIGHT)
    assert sheets["ann"].points == sheets["cat"].points == 1
    wrong = sheets["bob"].cases[0]
    assert wrong.verdict is Verdict.WA
    assert wrong.evidence.scene is not None
    return sheets["bad"].cases[0]


@pytest.mark.parametrize("place", ["read", "check"])
@pytest.mark.parametrize("deed", ["memory", "grow", "exit", "crash"])
def test_words_that_no_reader_survives_are_a_wrong_answer(place: str, deed: str) -> None:
    """A control shows that the words are the cause; the verdict says so, with their size and longest line."""
    result = judged(f"{place} {deed}\n" + "x" * 77, CarelessKit())
    assert (result.verdict, result.points, result.outage) == (Verdict.WA, 0.0, False)
    assert result.mismatch is not None
    assert result.mismatch.kind == "unreadable"
    assert "longest line is line 2 with 77" in result.message
    assert result.evidence.stdout.size
    assert result.evidence.scene is None


def test_words_that_take_for_ever_are_a_wrong_answer() -> None:
    """A regular expression that backtracks holds its lock, and only the kernel's clock ends it."""
    result = judged("read regex", CarelessKit())
    assert result.verdict is Verdict.WA
    assert "takes too long" in result.message


@pytest.mark.parametrize("deed", ["raise", "deep"])
def test_an_exception_on_some_words_is_ours_but_no_outage(deed: str) -> None:
    """JE costs nothing, staff read the traceback, and no attempt is given back: words brought it about."""
    result = judged(f"read {deed}", CarelessKit())
    assert (result.verdict, result.outage) == (Verdict.JE, False)
    assert result.mismatch is not None
    assert "_do" in result.mismatch.found


@pytest.mark.parametrize("deed", ["regex", "memory", "exit", "raise"])
def test_a_drawing_that_fails_costs_no_verdict(deed: str) -> None:
    """The verdict is fixed before anything is drawn."""
    result = judged(f"draw {deed}", CarelessKit())
    assert (result.verdict, result.message) == (Verdict.WA, "that is no number.")
    assert result.evidence.scene is None


def test_a_kit_that_fails_on_everything_is_an_outage() -> None:
    """The control fails too, so no submission can be the cause; and the class still gets its sheets."""
    sheets = graded(work(BrokenKit(), case(4)), ann=RIGHT, bob="1/0")
    result = sheets["ann"].cases[0]
    assert (result.verdict, result.outage) == (Verdict.JE, True)
    assert sheets["bob"].cases[0].verdict is Verdict.RTE


def test_unreadable_answers_are_bounded() -> None:
    """A submission whose words cost the grader its budget gets no more of it."""
    cases = [case(number) for number in range(1, 31)]
    sheet = graded(work(CarelessKit(), *cases), bad="print('read exit')")["bad"]
    assert [result.verdict for result in sheet.cases].count(Verdict.SK) >= 10


def test_a_submission_that_cannot_be_taken_in_is_its_own_problem(tmp_path: Path) -> None:
    """What is too costly to unpack or to scan is named, and the class goes on."""
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "double.py").write_text(RIGHT)
    with zipfile.ZipFile(tmp_path / "bad.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("double.py", b"x = " + b"(" * (1 << 19) + b")" * (1 << 19))
    plan = work(DoublingKit(), case(4))
    with open_grading(Settings(workers=2), plan) as grading:
        sheets = {sheet.submission: sheet for sheet in grade(grading, entries([tmp_path], plan.assignment))}
    assert sheets["ann"].points == 1
    assert sheets["bad"].points == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", ""),
        (b"abc", "; it printed 3 bytes, and its longest line is line 1 with 3"),
        (b"a\nbcd\nef\n", "; it printed 9 bytes, and its longest line is line 2 with 3"),
        (
            b"\n" * 100_000 + b"x" * 200_000 + b"\ny",
            "; it printed 300002 bytes, and its longest line is line 100001 with 200000",
        ),
    ],
)
def test_what_is_too_much_is_measured(text: bytes, told: str) -> None:
    """Size, and the place and length of the longest line, however the output is cut into pieces."""
    assert measure(RunRecord(ending=Ending.EXITED, stdout=Stream.of(text))) == told
    assert measure(RunRecord(ending=Ending.EXITED, replies=(Reply(),) * 3)) == "; it gave 3 answers"


def test_a_report_can_do_without_words() -> None:
    """What can't be rendered is reduced to verdicts and points."""
    sheet = graded(work(DoublingKit(), case(4)), ann="print('CANARY')")["ann"]
    sheet = replace(sheet, sources={"double.py": "CANARY"})
    bare = without_words(sheet, "ask the staff")
    assert "CANARY" not in str(bare)
    assert (bare.points, [each.verdict for each in bare.cases]) == (0, [Verdict.WA])
