"""Promises of a hunt over the shipped assignments: found, smallest, the same again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from grader.catalogue.kits import kit_of
from grader.catalogue.load import load
from grader.cli.check import check
from grader.intake.collect import collect_one
from grader.model.run import Limits
from grader.pipeline.hunt import Catch, Hunt, hunt_submission
from grader.pipeline.question import Questioner
from grader.wiring import open_one_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import Assignment
    from grader.model.seams import Sandbox

PATIENT_S = 240.0
"""Far more than a hunt needs, so that a busy machine changes no outcome."""
WRONG = (
    "alice-csv/WA/visited_without_d",
    "alice-grid/WA/wrong_dimension",
    "alice-263/WA/path_per_square",
    "lefthand/WA/right_hand",
    "lefthand/RTE/ragged_rows",
    "runner/WA/textbook_astar",
    "runner/RTE/off_the_map",
)


def assignment_of(name: str) -> Assignment:
    (found,) = load(Path("cases"), names=(name,), check_mazes=False)
    return found


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with open_one_sandbox(()) as opened:
        yield opened


def caught(solution: str, sandbox: Sandbox, seed: int = 1) -> tuple[Catch, list[int]]:
    name = solution.split("/", maxsplit=1)[0]
    assignment = assignment_of(name)
    submission = collect_one(Path("reference/solutions", solution), assignment)
    counts: list[int] = []
    plan = Hunt(seconds=PATIENT_S, seed=seed)
    return hunt_submission(assignment, submission, plan, sandbox=sandbox, tell=counts.append), counts


@pytest.mark.parametrize("solution", WRONG)
def test_a_hunt_finds_a_puzzle_that_can_lose_nothing(solution: str, sandbox: Sandbox) -> None:
    """Whatever is taken away from the puzzle, the solution then gets it right, or fails otherwise."""
    catch, _ = caught(solution, sandbox)
    name, verdict, _ = solution.split("/")
    assert catch.result is not None
    assert catch.kind is not None
    assert (catch.result.verdict, catch.is_smallest) == (verdict, True)
    assignment = assignment_of(name)
    submission = collect_one(Path("reference/solutions", solution), assignment)
    kit: Any = kit_of(catch.kind)
    questioner = Questioner(assignment, catch.kind, kit, sandbox=sandbox)
    for less in kit.smaller(kit.parse(catch.text)):
        assert questioner.verdict(submission, less, Limits()) is not catch.result.verdict


def test_a_seed_gives_the_same_catch_again(sandbox: Sandbox) -> None:
    first, again = caught("lefthand/WA/right_hand", sandbox), caught("lefthand/WA/right_hand", sandbox)
    assert (first[0].text, first[0].tried, first[1]) == (again[0].text, again[0].tried, again[1])


def test_a_right_solution_is_never_caught(sandbox: Sandbox) -> None:
    """Nothing found is said with the number of puzzles tried, and the time is kept."""
    assignment = assignment_of("runner")
    submission = collect_one(Path("reference/solutions/runner/AC/heap"), assignment)
    catch = hunt_submission(assignment, submission, Hunt(seconds=4), sandbox=sandbox, tell=lambda _: None)
    assert catch.result is None
    assert catch.tried > 0


def test_check_hunts_for_a_failing_student() -> None:
    answer = CliRunner().invoke(check, ["reference/solutions/lefthand/WA/right_hand", "-a", "lefthand", "--hunt"])
    assert answer.exit_code == 1
    assert "found after" in answer.output


def test_check_does_not_hunt_when_all_is_well() -> None:
    answer = CliRunner().invoke(check, ["reference/solutions/lefthand/AC/functions", "-a", "lefthand", "--hunt"])
    assert answer.exit_code == 0
    assert "puzzles" not in answer.output


@pytest.mark.parametrize(
    ("solution", "end"), [("alice-csv/RTE/needs_final_newline", "G,0"), ("alice-grid/RTE/binary_file", "!,,\r\n")]
)
def test_line_ends_are_hunted_too(solution: str, end: str, sandbox: Sandbox) -> None:
    """A file may come from Windows, or lack its last line end, as the handouts say."""
    catch, _ = caught(solution, sandbox)
    assert catch.text.endswith(end)
    assert catch.is_smallest
