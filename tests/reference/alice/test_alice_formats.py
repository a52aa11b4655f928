"""Promises of the three written formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from drawn import puzzles_of
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.model.kit import PuzzleError
from reference.alice import csv, grid, text263
from reference.alice.puzzle import Arrow, Colour, Maze

if TYPE_CHECKING:
    from reference.alice.kit import AliceKit

KITS = [csv.kit(), grid.kit(), text263.kit()]
NAMES = ["csv", "grid", "263"]

CSV = "4\n3,0\n0,3\nR,46,B,4,B,68,G,0\nN,0,B,2,B,2,B,7\nB,24,Y,4,B,2,B,2\nB,4,B,24,R,1,B,8\n"
GRID = "3 3\n#,r,e_se_s !,, #,y,sw\n#,b,n #,b,n #,b,sw\n?,b,n_e #,b,e #,b,n\n"
TEXT263 = "3\ns=(2,0)\ng=(0,1)\nr:(r,dr,d) goal y:(dl)\nb:(u) b:(u) b:(dl)\nb:(u,r) b:(r) b:(u)\n"


@pytest.mark.parametrize("kit", KITS, ids=NAMES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_reading_what_was_written_gives_the_maze_back(kit: AliceKit, data: st.DataObject) -> None:
    """Parse after write is the identity, for whatever the generator makes."""
    maze = data.draw(puzzles_of(kit))
    assert kit.parse(kit.write(maze)) == maze


@settings(max_examples=80, deadline=None)
@given(maze=puzzles_of(text263.kit()))
def test_a_maze_keeps_its_solution_in_every_format(maze: Maze) -> None:
    """The three formats write one puzzle."""
    steps = text263.kit().solve(maze).steps
    assert csv.kit().solve(csv.parse(csv.write(maze))).steps == steps
    if maze.start != maze.goal:
        assert grid.kit().solve(grid.parse(grid.write(maze))).steps == steps


def test_the_examples_of_grid_and_263_are_one_maze() -> None:
    """Both seeds show the same little maze."""
    assert grid.parse(GRID) == text263.parse(TEXT263)


def test_csv_codes_go_clockwise_from_the_top_left() -> None:
    """The digits 1 to 8 stand for NW N NE E SE S SW W."""
    maze = csv.parse("2\n0,0\n1,1\nB,12345678,R,0\nN,0,G,0\n")
    assert maze.at((0, 0)).arrows == tuple(Arrow)
    assert (maze.at((0, 1)).colour, maze.at((0, 1)).arrows) == (Colour.RED, ())
    assert maze.is_blank((1, 0))
    assert not maze.is_blank((1, 1))


def test_the_start_of_csv_is_row_then_column() -> None:
    """The seed's x is the row."""
    maze = csv.parse(CSV)
    assert (maze.start, maze.goal) == ((3, 0), (0, 3))
    assert maze.at((0, 2)).arrows == (Arrow.S, Arrow.W)


@pytest.mark.parametrize(("kit", "text"), list(zip(KITS, (CSV, GRID, TEXT263), strict=True)), ids=NAMES)
def test_line_ends_are_free(kit: AliceKit, text: str) -> None:
    """CRLF, a missing final newline and empty lines at the end change nothing."""
    maze = kit.parse(text)
    assert kit.parse(text.replace("\n", "\r\n")) == maze
    assert kit.parse(text.rstrip("\n")) == maze
    assert kit.parse(text + "\n\n") == maze


def test_grid_squares_may_stand_further_apart() -> None:
    """The seed itself puts two blanks between squares and empty lines between rows."""
    assert grid.parse(GRID.replace(" #", "   #").replace("\n", "\n\n")) == grid.parse(GRID)


def test_grid_need_not_be_square() -> None:
    """Width comes first."""
    maze = grid.parse("3 2\n?,b,e #,r,e !,,\n#,, #,b, #,y,nw_w\n")
    assert (maze.rows, maze.columns, maze.goal) == (2, 3, (0, 2))
    assert maze.is_blank((1, 0))
    assert not maze.is_blank((1, 1))


FAULTS = [
    ("csv", "", 1, 1, "ends before the size"),
    ("csv", "four\n", 1, 1, "expected the size"),
    ("csv", "0\n", 1, 1, "is 0"),
    ("csv", "99999\n", 1, 1, "is 99999"),
    ("csv", CSV.replace("3,0\n0,3", "3;0\n0,3"), 2, 1, "row,column"),
    ("csv", CSV.replace("3,0\n0,3", "4,0\n0,3"), 2, 1, "outside"),
    ("csv", CSV.replace("0,3\n", "0,4\n", 1), 3, 1, "outside"),
    ("csv", CSV.replace("3,0\n0,3", "3,0\n0,2"), 4, 15, "goal G"),
    ("csv", CSV.replace("B,68", "B,69"), 4, 10, "unknown direction '9'"),
    ("csv", CSV.replace("B,68", "B,66"), 4, 10, "twice"),
    ("csv", CSV.replace("B,68", "B,08"), 4, 10, "unknown direction '0'"),
    ("csv", CSV.replace("B,68", "B,"), 4, 10, "no code"),
    ("csv", CSV.replace("Y,4", "Z,4"), 6, 6, "unknown letter 'Z'"),
    ("csv", CSV.replace("N,0", "N,4"), 5, 1, "blank square"),
    ("csv", CSV.replace("G,0", "N,0"), 4, 15, "blank square"),
    ("csv", CSV.replace("R,1,", ""), 7, 1, "4 pairs"),
    ("csv", CSV + "B,1,B,1,B,1,B,1\n", 8, 1, "expected 4 rows"),
    ("csv", CSV[: CSV.rindex("B,4")], 6, 1, "expected 4 rows"),
    ("grid", "3\n", 1, 1, "the width and the height"),
    ("grid", "3 x\n", 1, 1, "the height"),
    ("grid", GRID.replace("!,,", "!„"), 2, 12, "three parts"),
    ("grid", GRID.replace("!,,", "#,,"), 2, 1, "no square is the goal"),
    ("grid", GRID.replace("?,b", "#,b"), 2, 1, "no square is the start"),
    ("grid", GRID.replace("#,b,e", "?,b,e"), 4, 9, "a second start"),
    ("grid", GRID.replace("#,y,sw", "#,g,sw"), 2, 16, "unknown colour 'g'"),
    ("grid", GRID.replace("#,y,sw", "#,y,sx"), 2, 16, "unknown direction 'sx'"),
    ("grid", GRID.replace("#,y,sw", "x,y,sw"), 2, 16, "unknown role 'x'"),
    ("grid", GRID.replace("#,y,sw", "#,,sw"), 2, 16, "no colour"),
    ("grid", GRID.replace(" #,b,e ", " "), 4, 1, "3 squares"),
    ("grid", GRID + "#,, #,, #,,\n", 5, 1, "expected 3 rows"),
    ("grid", GRID[: GRID.index("?")], 3, 1, "expected 3 rows"),
    ("263", TEXT263.replace("s=", "S="), 2, 1, "s=(row,column)"),
    ("263", TEXT263.replace("g=(0,1)", "g=(0,3)"), 3, 1, "outside"),
    ("263", TEXT263.replace("g=(0,1)", "g=(1,1)"), 4, 12, "line 3 says"),
    ("263", TEXT263.replace("y:(dl)", "y:(dk)"), 4, 17, "unknown direction 'dk'"),
    ("263", TEXT263.replace("y:(dl)", "y:dl"), 4, 17, "can't read"),
    ("263", TEXT263.replace("y:(dl)", "n:(dl)"), 4, 17, "unknown colour 'n'"),
    ("263", TEXT263.replace("y:(dl)", ""), 4, 1, "3 squares"),
    ("263", "3\ns=(2,0)\ng=(0,1)\n", 3, 1, "ends before the first row"),
]


@pytest.mark.parametrize(("name", "text", "line", "column", "words"), FAULTS)
def test_a_fault_names_its_place(name: str, text: str, line: int, column: int, words: str) -> None:
    """Authors get line and column inside the maze, and what is wrong there."""
    with pytest.raises(PuzzleError) as caught:
        KITS[NAMES.index(name)].parse(text)
    assert words in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("kit", KITS, ids=NAMES)
@settings(max_examples=60, deadline=None)
@given(text=st.text(alphabet="0123 ,:()=sgrby!?#_\nRGBN", max_size=60))
def test_nonsense_is_refused_or_read_but_never_crashes(kit: AliceKit, text: str) -> None:
    """Any text gives a maze or a PuzzleError."""
    try:
        maze = kit.parse(text)
    except PuzzleError:
        return
    assert len(maze.squares) == maze.rows * maze.columns
