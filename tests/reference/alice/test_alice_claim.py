"""Promises of the lenient reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.run import RunRecord, Stream
from grader.model.verdict import Ending
from reference.alice import csv, grid
from reference.alice.claim import count_of, path_of, read, read_text, says_unsolvable

MAZE = csv.parse("4\n3,0\n0,3\nN,0,N,0,N,0,G,0\nN,0,N,0,N,0,N,0\nN,0,N,0,N,0,N,0\nB,4,R,4,N,0,R,2\n")
PATH = ((3, 0), (3, 1), (3, 3), (0, 3))
HOME = csv.parse("2\n1,1\n1,1\nB,4,B,8\nB,2,G,0\n")

RIGHT = {
    "as asked": "(3, 0)->(3, 1)->(3, 3)->(0, 3)\n3\n",
    "no blanks": "(3,0)->(3,1)->(3,3)->(0,3)\n3",
    "263": "The shortest path length was 3 steps.\nThe path was (3, 0) -> (3, 1) -> (3, 3) -> (0, 3).\n",
    "grid": "(3,0)->(3,1)->(3,3)->(0,3)\nlength is 3\n",
    "proper arrows": "Path: (3, 0) → (3, 1) → (3, 3) → (0, 3)\nmoves: 3",
    "double arrows": "(3, 0) => (3, 1) => (3, 3) => (0, 3)\n3 moves",
    "python list": "Path: [(3, 0), (3, 1), (3, 3), (0, 3)]\nSteps: 3",
    "list of lists": "[[3, 0], [3, 1], [3, 3], [0, 3]] 3",
    "list of strings": "['(3, 0)', '(3, 1)', '(3, 3)', '(0, 3)']\n3",
    "pprint": "[(3, 0),\n (3, 1),\n (3, 3),\n (0, 3)]\n3",
    "one a line": "(3, 0)\n(3, 1)\n(3, 3)\n(0, 3)\n3\n",
    "numbered lines": "Step 0: (3, 0)\nStep 1: (3, 1)\nStep 2: (3, 3)\nStep 3: (0, 3)\nTotal: 3\n",
    "one move a line": "(3, 0) -> (3, 1)\n(3, 1) -> (3, 3)\n(3, 3) -> (0, 3)\nTotal steps: 3\n",
    "wrapped": "(3, 0)->(3, 1)->\n(3, 3)->(0, 3)\n3",
    "words": "From (3, 0) to (3, 1) to (3, 3) to (0, 3) in 3 moves",
    "commas": "(3, 0), (3, 1), (3, 3), (0, 3); 3",
    "count first": "3\n(3, 0)->(3, 1)->(3, 3)->(0, 3)\n",
    "count in front": "Length 3: (3, 0)->(3, 1)->(3, 3)->(0, 3)",
    "count in brackets": "(3, 0)->(3, 1)->(3, 3)->(0, 3) (3 moves)",
    "bare pairs": "3,0 -> 3,1 -> 3,3 -> 0,3\n3\n",
    "with d": "(3, 0)[d=1] -> (3, 1)[d=2] -> (3, 3)[d=3] -> (0, 3)\nnumber of moves = 3",
    "colours of a terminal": "\x1b[32m(3, 0)->(3, 1)->(3, 3)->(0, 3)\x1b[0m\n\x1b[1m3\x1b[0m\n",
    "crlf": "(3, 0)->(3, 1)->(3, 3)->(0, 3)\r\n3\r\n",
    "prompt": "Maze file? Start: (3, 0), goal: (0, 3)\n(3, 0)->(3, 1)->(3, 3)->(0, 3)\n3",
    "headings": "4\nStart: (3, 0)\nGoal: (0, 3)\nThe path is\n(3, 0)->(3, 1)->(3, 3)->(0, 3)\n3",
    "debug before": "visiting (3, 0) d=1\nvisiting (3, 1) d=2\n57\n\n\n\n(3, 0)->(3, 1)->(3, 3)->(0, 3)\n3",
    "debug path before": "try (3, 0)->(3, 1)\ntry (3, 0)->(2, 1)\n(3, 0)->(3, 1)->(3, 3)->(0, 3)\n3",
    "debug after": "(3, 0)->(3, 1)->(3, 3)->(0, 3)\n3\nlast square was (0, 3)\nexplored 57 states in 0.004 s",
    "debug list after": "(3, 0)->(3, 1)->(3, 3)->(0, 3)\n3\nvisited [(3, 0), (3, 1), (0, 3)]",
    "debug path after": "(3, 0)->(3, 1)->(3, 3)->(0, 3)\n3\nlast move (3, 3)->(0, 3)",
    "dead ends before": "no solution from (1, 1)\n(3, 0)->(3, 1)->(3, 3)->(0, 3)\n3",
    "no more after": "(3, 0)->(3, 1)->(3, 3)->(0, 3)\n3\nno more paths to explore",
    "none shorter": "(3, 0)->(3, 1)->(3, 3)->(0, 3)\n3\nNo solution is shorter than this one.",
    "none with fewer": "(3, 0)->(3, 1)->(3, 3)->(0, 3)\n3\nThere is no path with fewer moves.",
    "shorter not found": "(3, 0)->(3, 1)->(3, 3)->(0, 3)\n3\nA shorter path was not found.",
    "squares numbered": "1. (3, 0)\n2. (3, 1)\n3. (3, 3)\n4. (0, 3)\n3\n",
    "squares numbered from 0": "0) (3, 0)\n1) (3, 1)\n2) (3, 3)\n3) (0, 3)\nlength 3\n",
    "squares numbered, count first": "3\n(1) (3, 0)\n(2) (3, 1)\n(3) (3, 3)\n(4) (0, 3)\n",
    "numbers without a dot": "1 (3, 0)\n2 (3, 1)\n3 (3, 3)\n4 (0, 3)\n\n3\n",
    "bold arrows": "(3, 0) ➡ (3, 1) ➡ (3, 3) ➡ (0, 3)\n3",
    "bare pairs in lines": "3,0\n3,1\n3,3\n0,3\n3\n",
    "rows and columns in words": "row 3, column 0 -> row 3, column 1 -> row 3, column 3 -> row 0, column 3\n3",
    "count in words": "(3, 0)->(3, 1)->(3, 3)->(0, 3)\nThe path takes three steps.",
    "statistics in the line of the count": "(3, 0)->(3, 1)->(3, 3)->(0, 3)\n3 moves, visited 12 states in 0.003 s",
    "from start to goal before": "The way from (3, 0) to (0, 3) takes 3 moves\n(3, 0)\n(3, 1)\n(3, 3)\n(0, 3)",
    "labelled beats lone": "(3, 0)->(3, 1)->(3, 3)->(0, 3)\nFound a path with 4 squares and 3 moves\n",
}


@pytest.mark.parametrize("text", list(RIGHT.values()), ids=list(RIGHT))
def test_a_right_answer_is_read_in_many_styles(text: str) -> None:
    """Path and count are found whatever stands around them."""
    claim = read_text(text)
    assert claim
    assert path_of(MAZE, claim) == PATH
    assert count_of(MAZE, claim) == 3


@pytest.mark.parametrize(
    "text",
    [
        "No solution",
        "no solution.",
        "NO SOLUTION!",
        "The maze has no solution.",
        "There is no path to the goal",
        "No valid path found",
        "This maze is unsolvable",
        "Goal cannot be reached",
        "There isn't a solution.",
        "start (3, 0)\ngoal (0, 3)\nvisited (3, 1)\nNo solution\n57 states",
        "(3, 0)->(3, 1)\ndead end\nNo solution",
        "There is no path from (3,0) to (0,3)",
        "There is no path from (3, 0) to (0, 3).\n",
        "(3, 0) -> (0, 3): not possible",
        "The maze doesn't have a solution.",
        "Failed to find a path",
        "Unable to solve this maze",
        "Alice can't get to the goal",
        "start (3, 0) to goal (0, 3) is unreachable",
    ],
)
def test_no_solution_is_read_in_variants(text: str) -> None:
    """The words vary, the meaning doesn't."""
    claim = read_text(text)
    assert claim
    assert says_unsolvable(MAZE, claim)
    assert path_of(MAZE, claim) is None


@pytest.mark.parametrize(
    "text",
    [
        "(1, 1)\n0\n",
        "(1, 1)->(1, 1)\n0",
        "[(1, 1)]\nlength is 0",
        "Start: (1, 1)\n(1, 1)\n0 steps",
        "at (1, 1) d = 1\n(1, 1)\n\n(1, 1)\n0\ndone",
    ],
)
def test_a_walk_of_no_moves_is_one_square_or_the_square_twice(text: str) -> None:
    """Start on the goal."""
    claim = read_text(text)
    assert claim
    assert path_of(HOME, claim) in {((1, 1),), ((1, 1), (1, 1))}
    assert count_of(HOME, claim) == 0


def test_the_last_full_path_counts() -> None:
    """Who prints several answers is judged by the last."""
    claim = read_text("(3, 0)->(0, 3)\n1\n(3, 0)->(3, 1)->(3, 3)->(0, 3)\n3\n")
    assert claim
    assert path_of(MAZE, claim) == PATH
    assert count_of(MAZE, claim) == 3


def test_grid_places_are_turned() -> None:
    """(column,row) on paper is (row, column) in the kit."""
    record = RunRecord(ending=Ending.EXITED, stdout=Stream.of(b"(0,2)->(1,0)\nlength is 1\n"))
    claim = grid.kit().read(record)
    assert claim
    assert claim.paths[0].squares == ((2, 0), (0, 1))


def test_silence_is_no_claim() -> None:
    """Nothing printed reads as None; something unreadable keeps a sample."""
    assert read(RunRecord(ending=Ending.EXITED, stdout=Stream.of(b" \n"))) is None
    claim = read(RunRecord(ending=Ending.EXITED, stdout=Stream.of(b"hello\n")))
    assert claim
    assert (claim.paths, claim.sample) == ((), "hello")


def test_the_last_words_of_sys_exit_count() -> None:
    """sys.exit("The maze has no solution.") writes to stderr."""
    record = RunRecord(ending=Ending.EXITED, exit_status=1, stderr=Stream.of(b"The maze has no solution.\n"))
    claim = read(record)
    assert claim
    assert says_unsolvable(MAZE, claim)


def test_a_traceback_is_no_answer() -> None:
    """An exception that mentions a solution claims nothing."""
    stderr = b'Traceback (most recent call last):\n  File "Alice.py", line 1\nValueError: no solution\n'
    assert read(RunRecord(ending=Ending.EXITED, exit_status=1, stderr=Stream.of(stderr))) is None


@given(text=st.text(alphabet="0123456789(),->[] \nnosluti.d=", max_size=200))
def test_any_output_can_be_read(text: str) -> None:
    """Reading never fails, whatever was printed."""
    claim = read_text(text)
    if claim:
        path_of(MAZE, claim)
        count = count_of(MAZE, claim)
        assert count is None or count >= 0


def test_huge_numbers_and_long_output_are_harmless() -> None:
    """The answer at the end of a megabyte of debug output is found."""
    noise = ("9" * 5000 + "\n") + "visit (1, 1) d=3 (2, 2)\n" * 40_000
    record = RunRecord(ending=Ending.EXITED, stdout=Stream.of((noise + RIGHT["as asked"]).encode()))
    claim = read(record)
    assert claim
    assert path_of(MAZE, claim) == PATH
    assert count_of(MAZE, claim) == 3
