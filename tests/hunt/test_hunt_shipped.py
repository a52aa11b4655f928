"""Promises of a hunt over the shipped assignments: found, smallest, the same again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from programs import program

from grader.catalogue.kits import kit_of
from grader.catalogue.load import load
from grader.cli.check import check
from grader.cli.hunt import hunt as hunt_command
from grader.hunt.ask import Question
from grader.hunt.hunt import Counterexample, Hunt, hunt
from grader.intake.collect import collect_one
from grader.model.run import Limits
from grader.wiring import open_asker

if TYPE_CHECKING:
    from grader.model.assignment import Assignment

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
    (found,) = load(Path("cases"), names=(name,), check_inputs=False)
    return found


def found(solution: str, seed: int = 1) -> tuple[Counterexample, list[int]]:
    assignment = assignment_of(solution.split("/", maxsplit=1)[0])
    submission = collect_one(program(solution), assignment)
    counts: list[int] = []
    with open_asker(assignment) as asker:
        return hunt(asker, submission, Hunt(seconds=PATIENT_S, seed=seed), tell=counts.append), counts


@pytest.mark.parametrize("solution", WRONG)
def test_a_hunt_finds_a_puzzle_that_can_lose_nothing(solution: str) -> None:
    """Whatever is taken away from the puzzle, the solution then gets it right, or fails otherwise."""
    example, _ = found(solution)
    name, verdict, _ = solution.split("/")
    assert example.result is not None
    assert example.kind is not None
    assert (example.result.verdict, example.is_smallest) == (verdict, True)
    assignment = assignment_of(name)
    submission = collect_one(program(solution), assignment)
    kit: Any = kit_of(example.kind)
    with open_asker(assignment) as asker:
        for less in kit.smaller(kit.parse(example.text)):
            question = Question(example.kind.name, kit.write(less), Limits())
            assert asker.ask(submission, question).verdict is not example.result.verdict


def test_a_seed_gives_the_same_puzzle_again() -> None:
    first, again = found("lefthand/WA/right_hand"), found("lefthand/WA/right_hand")
    assert (first[0].text, first[0].tried, first[1]) == (again[0].text, again[0].tried, again[1])


def test_a_right_solution_is_never_blamed() -> None:
    """Nothing found is said with the number of puzzles tried, and the time is kept."""
    assignment = assignment_of("runner")
    submission = collect_one(program("runner/AC/heap"), assignment)
    with open_asker(assignment) as asker:
        example = hunt(asker, submission, Hunt(seconds=4), tell=lambda _: None)
    assert example.result is None
    assert example.tried > 0


def test_check_hunts_for_a_failing_student() -> None:
    answer = CliRunner().invoke(check, [str(program("lefthand/WA/right_hand")), "-a", "lefthand", "--hunt"])
    assert answer.exit_code == 1
    assert "that your program gets wrong" in answer.output


def test_check_does_not_hunt_when_all_is_well() -> None:
    answer = CliRunner().invoke(check, [str(program("lefthand/AC/functions")), "-a", "lefthand", "--hunt"])
    assert answer.exit_code == 0
    assert "puzzles" not in answer.output


@pytest.mark.parametrize(
    ("solution", "end"),
    [
        ("alice-csv/RTE/needs_final_newline", "G,0"),
        ("alice-csv/WA/counts_squares", "G,0\n"),
        ("alice-grid/RTE/binary_file", "\r\n"),
        ("lefthand/WA/right_hand", " E\n"),
    ],
)
def test_line_ends_are_hunted_too(solution: str, end: str) -> None:
    """A file may come from Windows, or lack its last line end; shown where nothing plainer fails."""
    example, _ = found(solution)
    assert example.text.endswith(end)
    assert example.is_smallest


def test_a_hunt_survives_what_no_reader_does(tmp_path: Path) -> None:
    """A program that prints hostile words is judged in a reader; a puzzle is found all the same."""
    (tmp_path / "maze_solver.py").write_text("print('position' + ' ' * 10**6 + 'x')")
    answer = CliRunner().invoke(
        hunt_command, [str(tmp_path), "-a", "lefthand", "--seconds", "5", "--save", str(tmp_path / "found.yaml")]
    )
    assert answer.exit_code == 1
    assert "that your program gets wrong" in answer.output
    assert (tmp_path / "found.yaml").exists()
