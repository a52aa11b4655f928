"""Students' files are a function of visible facts and of told outcomes, whatever else hidden cases did."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from report_factory import case, sheet, walk_scene, wrong_walk

from grader.model.result import CaseResult, Evidence, Finding, GradeSheet, Mismatch, Severity
from grader.model.run import Stream
from grader.model.scene import PackedScene
from grader.model.submission import Note
from grader.model.verdict import Audience, HiddenOutcomes, Verdict, Visibility
from grader.report import gradescope
from grader.report.registry import FORMATS
from grader.report.sheet_files import store
from grader.report.view import view
from grader.report.writer import RunWriter, Style

FILES = {"maze_solver.py": "import sys\n" * 300, "other.py": "\n" * 300}
FAILED = (Verdict.WA, Verdict.RTE, Verdict.TLE, Verdict.MLE, Verdict.OLE, Verdict.PV)
OUTCOMES: dict[str, tuple[Verdict, ...]] = {
    "passed": (Verdict.AC,),
    "failed": FAILED,
    "partly": FAILED,
    "skipped": (Verdict.SK,),
    "error": (Verdict.JE,),
}
POINTS = {"passed": 2.0, "partly": 0.5}
CLOSED = {
    Audience.STUDENT: (Visibility.HIDDEN, Visibility.AFTER_DUE_DATE, Visibility.AFTER_PUBLISHED),
    Audience.STUDENT_AFTER_DUE: (Visibility.HIDDEN, Visibility.AFTER_PUBLISHED, Visibility.HIDDEN),
}

numbers = st.floats(0, 10_000, allow_nan=False)
words = st.text(max_size=30)
paths = st.sampled_from((*FILES, "gone.py", ""))


class Secret(NamedTuple):
    """What one program did on the hidden cases: everything but the outcomes."""

    results: tuple[CaseResult, ...]
    findings: tuple[Finding, ...]
    notes: tuple[Note, ...]


@st.composite
def hidden_results(draw: st.DrawFn, outcome: str, number: int, audience: Audience) -> CaseResult:
    """Draw a result of this outcome, with a number of the program's choice wherever it has one."""
    mismatch = Mismatch(
        kind=draw(words),
        message=draw(words),
        where=draw(words),
        expected=draw(words),
        found=draw(words),
        step=draw(st.none() | st.integers(0, 99)),
        path=draw(paths),
        line=draw(st.integers(0, 400)),
        source=draw(words),
        names_cause=draw(st.booleans()),
        cause=draw(words),
    )
    return case(
        f"hidden-{number}",
        draw(st.sampled_from(OUTCOMES[outcome])),
        visibility=CLOSED[audience][number],
        points=POINTS.get(outcome, 0.0),
        max_points=2.0,
        message=draw(words),
        mismatch=draw(st.sampled_from((None, mismatch))),
        cpu_s=draw(numbers),
        wall_s=draw(numbers),
        peak_mib=draw(numbers),
        read_s=draw(numbers),
        evidence=Evidence(
            stdout=Stream.of(draw(st.binary(max_size=40)) * draw(st.integers(1, 40))),
            stderr=Stream.of(draw(st.binary(max_size=40))),
            traceback=draw(words),
            scene=draw(st.sampled_from((None, PackedScene.of(walk_scene(20))))),
        ),
    )


@st.composite
def hidden_findings(draw: st.DrawFn, *, at_least: int) -> tuple[Finding, ...]:
    """Draw what the watch saw on hidden cases: how often, where, in which order."""
    finding = st.builds(
        Finding,
        rule=st.sampled_from(("banned-use", "banned-import", "too-long")),
        path=paths,
        line=st.integers(0, 400),
        column=st.integers(1, 90),
        end_column=st.integers(0, 90),
        message=words,
        source=words,
        why=words,
        instead=words,
        cases=st.lists(st.sampled_from(range(3)), min_size=1, max_size=3, unique=True).map(
            lambda them: tuple(f"hidden-{number}" for number in them)
        ),
    )
    return tuple(draw(st.lists(finding, min_size=at_least, max_size=8)) * draw(st.sampled_from((1, 1, 60))))


@st.composite
def pairs(draw: st.DrawFn, audience: Audience) -> tuple[HiddenOutcomes, Secret, Secret]:
    """Draw two programs whose hidden cases differ in everything but what students are told."""
    told = draw(st.sampled_from(HiddenOutcomes))
    outcomes = draw(st.lists(st.sampled_from([*OUTCOMES]), min_size=3, max_size=3))
    is_caught = draw(st.booleans())

    def secret() -> Secret:
        free = told is HiddenOutcomes.NEVER
        came = draw(st.lists(st.sampled_from([*OUTCOMES]), min_size=3, max_size=3)) if free else outcomes
        results = tuple(draw(hidden_results(outcome, number, audience)) for number, outcome in enumerate(came))
        found = draw(hidden_findings(at_least=int(is_caught))) if is_caught or free else ()
        flaky = Note(kind="not-deterministic", message=f"hidden-1: {draw(words)}")
        return Secret(results, found, draw(st.sampled_from(((), (flaky,)))))

    return told, secret(), secret()


def sheet_of(secret: Secret, told: HiddenOutcomes, *, attempt: int = 2) -> GradeSheet:
    """Return a sheet with these visible facts: a right case, a wrong one, findings of the source and of a run."""
    visible = (case("open", max_points=2.0), wrong_walk(30))
    found = (
        Finding(rule="banned-import", path="other.py", line=7, column=1, message="copy is imported."),
        Finding(rule="dynamic", path="other.py", line=3, column=1, message="a look", severity=Severity.REVIEW),
        Finding(rule="banned-use", path="other.py", line=9, column=1, message="used copy.", cases=("left-turns",)),
    )
    results = (*secret.results[:2], *visible, *secret.results[2:])
    judged = [one for one in results if one.verdict is not Verdict.JE]
    return sheet(
        cases=results,
        findings=(*secret.findings, *found),
        notes=secret.notes,
        fine=0.5,
        points=sum(one.points for one in judged) - 0.5,
        max_points=sum(one.facts.worth for one in judged),
        hidden_outcomes=told,
        sources={**FILES, "maze_solver.py": f"# {attempt}\n" + FILES["maze_solver.py"]},
    )


def files_of(secret: Secret, told: HiddenOutcomes, audience: Audience) -> dict[str, Any]:
    """Return all that this reader gets of a second attempt, in every format."""
    first, second = (sheet_of(secret, told, attempt=number) for number in (1, 2))
    with tempfile.TemporaryDirectory() as name:
        run, out = Path(name, "run"), Path(name, "out")
        store(run, first)
        style = Style(out=out, audience=audience, formats=FORMATS, keep_sheets=False, history=run)
        writer = RunWriter(style)
        writer.add(second)
        writer.finish()
        files: dict[str, Any] = {
            str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()
        }
    upload = json.loads(gradescope.render(view(second, Audience.STAFF)))
    tests = [test for test in upload["tests"] if test["visibility"] == "visible"]
    if told is HiddenOutcomes.NEVER:  # the upload has no score at all where we couldn't judge
        tests = [{name: test[name] for name in test if not name.endswith("score")} for test in tests]
    return {**files, "gradescope, as students see it": (upload["output"], tests)}


@pytest.mark.parametrize("audience", CLOSED)
@given(data=st.data())
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow], phases=[Phase.generate])
def test_numbers_of_hidden_cases_tell_nothing(audience: Audience, data: st.DataObject) -> None:
    """Lines, counts, sizes, times, order, names: no file of a student's differs by them, in any format."""
    told, one, other = data.draw(pairs(audience))
    first, second = files_of(one, told, audience), files_of(other, told, audience)
    assert len(first) > len(FORMATS) - 2
    assert [name for name in first if first[name] != second[name]] == []
