"""Promises of the proof by mutants: real judge, real children, marks that go stale."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from grader.catalogue.load import load
from grader.errors import CatalogueError
from grader.model.kit import Telling
from grader.model.verdict import Verdict
from grader.pipeline.prepare import prepare
from grader.prove.run_mutants import Mark, Marks, TimedCase, all_mutants, judge, read_marks, run_mutant, run_mutants

if TYPE_CHECKING:
    from grader.model.assignment import Assignment
    from grader.prove.mutants import Mutant

ASSIGNMENTS = ("alice-263", "alice-csv", "alice-grid", "lefthand", "runner")
WALK = "reference.lefthand.walk"


def assignment_of(name: str) -> Assignment:
    (found,) = load(Path("cases"), names=(name,), check_inputs=False)
    return found


def mutant_of(assignment: Assignment, module: str, text: str) -> Mutant:
    """Give the first mutant that writes this text."""
    return next(
        each for each in all_mutants(assignment) if each.module == module and text in each.about.split("→")[1]
    )


@pytest.fixture(scope="module")
def cases() -> tuple[TimedCase, ...]:
    plan = prepare(assignment_of("lefthand"))
    return tuple(TimedCase(prepared, 2.0) for prepared in plan.cases)


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_a_kit_tells_what_its_judge_accepts(name: str) -> None:
    """The sound solver, heard as a student's program, passes every case; only so do mutants prove anything."""
    for prepared in prepare(assignment_of(name)).cases:
        assert isinstance(prepared.kit, Telling)
        assert {judge(prepared, record) for record in prepared.kit.tell(prepared.puzzle)} == {Verdict.AC}


def test_a_faulty_turn_is_killed(cases: tuple[TimedCase, ...]) -> None:
    mutant = mutant_of(assignment_of("lefthand"), WALK, "turns = (heading, heading.left")
    assert run_mutant(mutant, cases).verdict is not Verdict.AC


def test_an_endless_loop_is_killed_by_the_clock(cases: tuple[TimedCase, ...]) -> None:
    """A walk that never ends costs processor time, and memory, up to a bound."""
    sound = mutant_of(assignment_of("lefthand"), WALK, "pose")
    code = "def walk(maze):\n    while True:\n        pass\n\nfirst_pose = move = walk\n"
    fate = run_mutant(msgspec.structs.replace(sound, code=code), cases)
    assert fate.verdict is Verdict.TLE


def test_a_crash_is_killed(cases: tuple[TimedCase, ...]) -> None:
    sound = mutant_of(assignment_of("lefthand"), WALK, "pose")
    assert run_mutant(msgspec.structs.replace(sound, code="1 / 0"), cases).verdict is Verdict.RTE


def test_the_sound_program_survives(cases: tuple[TimedCase, ...]) -> None:
    """Putting a module in place itself kills nobody."""
    sound = mutant_of(assignment_of("lefthand"), WALK, "pose")
    source = Path("reference/lefthand/walk.py").read_text()
    assert run_mutant(msgspec.structs.replace(sound, code=source), cases).case == ""


def test_a_mark_follows_its_line_and_not_another(cases: tuple[TimedCase, ...]) -> None:
    """Lines above may come and go; another text makes the mark stale."""
    mutant = mutant_of(assignment_of("lefthand"), WALK, "turns = (heading, heading.left")
    mark = Mark(mutant=mutant.id, source=mutant.source, reason="because")
    marks = Marks(marks=(mark,))
    moved = msgspec.structs.replace(mutant, line=mutant.line + 7)
    rewritten = msgspec.structs.replace(mutant, source="turns = ()")
    assert (marks.reason_for(mutant), marks.reason_for(moved), marks.reason_for(rewritten)) == (
        "because",
        "because",
        "",
    )
    assert list(marks.unused([rewritten])) == [mark]


def test_a_mark_needs_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "marks.yaml"
    path.write_text('format: 1\nmarks:\n  - {mutant: "a:1:2:swap", source: x, reason: ""}\n')
    with pytest.raises(CatalogueError, match="reason"):
        read_marks([path])


def test_a_proof_tells_every_mutants_fate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed by a case, or alive; each of them once, and the count is told as it goes."""
    assignment = assignment_of("lefthand")
    few = tuple(all_mutants(assignment))[:6]
    monkeypatch.setattr("grader.prove.run_mutants.all_mutants", lambda _: few)
    counts: list[tuple[int, int]] = []
    proof = run_mutants(assignment, Marks(), seen=lambda *count: counts.append(count))
    assert len(proof.killed) + len(proof.survivors) == proof.mutants == 6
    assert counts == [(number, 6) for number in range(1, 7)]


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_every_shipped_mark_names_a_mutant(name: str) -> None:
    """A solver that changed under its marks is found without running anything."""
    marks = read_marks([Path("reference/equivalent-mutants", f"{name}.yaml")])
    assert marks.marks
    assert not list(marks.unused(all_mutants(assignment_of(name))))
