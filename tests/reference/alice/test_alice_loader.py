"""Promises of the loader's kit."""

from __future__ import annotations

from typing import Any

from grader.model.kit import Divergence, Expect
from grader.model.run import Reply, RunRecord
from grader.model.verdict import Ending
from reference.alice import csv, loader

MAZE = csv.parse("2\n1,0\n0,1\nR,46,G,0\nB,24,N,0\n")
VALUE: list[Any] = [
    2,
    1,
    0,
    [[["R", "46", [], [], []], ["G", "0", [], [], []]], [["B", "24", [], [], []], ["N", "0", [], [], []]]],
    0,
    1,
]


def check(value: Any) -> str:
    kit = loader.kit()
    record = RunRecord(ending=Ending.EXITED, replies=(Reply(value=value),))
    mismatch = kit.check(MAZE, kit.read(record), kit.expect(MAZE))
    return mismatch.message if mismatch else ""


def test_the_value_is_the_file_s() -> None:
    """Size, start, grid of five fields each, goal."""
    assert loader.kit().expect(MAZE) == Expect(value=VALUE)


def test_numbers_and_tuples_are_as_good() -> None:
    """24 for '24' and tuples for lists are right."""
    assert check(VALUE) == ""
    grid: Any = ((("R", 46, [], [], []), ("G", 0, [], [], [])), (("B", 24, (), (), ()), ("N", 0, [], [], [])))
    assert check((2, 1, 0, grid, 0, 1)) == ""


def test_the_first_difference_is_named_as_in_the_handout() -> None:
    """Names of the fields, what was found, what the file says."""
    assert check([2, 7, 0, VALUE[3], 0, 1]) == "initial_x is 7; the file says 1"
    assert "a tuple of 6" in check(None)
    assert "a tuple of 6" in check([1, 2])
    assert check(["2", *VALUE[1:]]) == "maze_size is the text '2'; it must be a number: int('2')"
    assert check([2, 0, 1, VALUE[3], 0, 1]).endswith("are row (x) and column (y) exchanged?")
    wrong = [2, 1, 0, [[["R", "64", [], [], []], VALUE[3][0][1]], VALUE[3][1]], 0, 1]
    assert check(wrong) == "maze_grid[0][0][1] is '64'; the file says 46 (row 0, column 0)"


def test_exchanged_rows_and_columns_are_recognised() -> None:
    """A transposed grid says so."""
    grid = VALUE[3]
    turned = [[grid[column][row] for column in range(2)] for row in range(2)]
    assert "rows and columns exchanged" in check([2, 1, 0, turned, 0, 1])


def test_a_square_or_a_row_that_is_too_short_says_what_is_missing() -> None:
    """The message agrees with what is expected."""
    four = [square[:4] for square in VALUE[3][0]]
    assert "maze_grid[0][0] has 4 entries; each square has 5" in check([2, 1, 0, [four, VALUE[3][1]], 0, 1])
    assert check([2, 1, 0, [VALUE[3][0][:1], VALUE[3][1]], 0, 1]).endswith("has 1 entries; each row has 2 squares")


def test_lists_that_are_not_empty_are_named() -> None:
    """The three lists start empty."""
    divergence = Divergence(where=(3, 1, 0, 2), expected=[], found=[0])
    message = loader.kit().explain(MAZE, divergence).message
    assert message == "maze_grid[1][0][2] is [0]; step_count_list is empty after loading"
