"""The left-hand kit's reading and walking."""

from __future__ import annotations

import itertools

import pytest
from drawn import puzzles_of
from hypothesis import given, settings

from grader.model.kit import PuzzleError
from reference.lefthand import kit
from reference.lefthand.generate import smaller
from reference.lefthand.maze import Facing, Maze, Pose

SEED = """\
####S###########   ####
#  #    #      #####  #
#  ###  #####         #
#    #  #   #         #
#  ###  ### #         #
#           #         #
#         ####   ######
#    E#####
"""

KIT = kit()


def test_seed_maze_has_116_frames() -> None:
    """The handout's own maze is walked in 116 frames and ends facing E."""
    poses = KIT.solve(KIT.parse(SEED))
    assert len(poses) == 116
    assert poses[0] == Pose(4, 0, Facing.W)
    assert poses[-1].ahead == (5, 7)


def test_seed_transcript_begins_as_the_handout_shows() -> None:
    """Map, empty line, position with two blanks, direction, empty line; S is an arrow, then a dot."""
    lines = list(KIT.transcript(KIT.parse(SEED)))
    assert lines[0] == "Please give the maze file:"
    assert lines[1] == "####<###########   ####"
    assert lines[8] == "#    E#####            "
    assert lines[9:13] == ["", "Current Position:  4,0", "Current Direction: W", ""]
    assert lines[13] == "###v.###########   ####"
    assert lines[22:24] == ["Current Position:  3,0", "Current Direction: S"]
    assert lines[-1] == "Solution Found!"
    assert len(lines) == 2 + 116 * 12
    assert not any("S#" in line or "#S" in line for line in lines)


@pytest.mark.parametrize(
    ("text", "facing"),
    [("E#\n #\n##S##\n  #\n", "W"), ("#\nS#E\n#\n", "N"), ("S\nE\n", "S"), ("SE", "E"), ("#S#\n#\n#E\n", "W")],
)
def test_first_facing_is_north_or_the_next_open_way_left(text: str, facing: str) -> None:
    """The solver starts N, else W, else S, else E."""
    assert KIT.solve(KIT.parse(text))[0].facing == facing


def test_ragged_windows_file_is_padded_with_blanks() -> None:
    """Short rows and CRLF read as blanks on the right."""
    maze = KIT.parse("  S\r\n###\r\n#\r\nE")
    assert maze.padded() == ["  S", "###", "#  ", "E  "]
    assert [pose.facing for pose in KIT.solve(maze)] == ["S", "W", "W", "S", "S"]


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("##\n#E\n", 1, 1, "no start"),
        ("S#S\nE\n", 1, 3, "second start"),
        ("S##\n", 1, 1, "no end"),
        ("SE\n E\n", 2, 2, "second end"),
        ("S##\n# #\n##E\n", 1, 3, "loop"),
        ("S# \n  E\n", 2, 3, "no way"),
        ("S#\n#x E", 2, 2, "'x'"),
        ("S\t#E", 1, 2, "a tab"),
        ("", 1, 1, "no start"),
    ],
)
def test_bad_map_is_refused_with_its_place(text: str, line: int, column: int, words: str) -> None:
    """An author's error carries line and column inside the map."""
    with pytest.raises(PuzzleError, match=words) as caught:
        KIT.parse(text)
    if words != "loop":
        assert (caught.value.line, caught.value.column) == (line, column)


def test_loop_away_from_the_start_is_refused_too() -> None:
    """The map as a whole must be free of loops."""
    with pytest.raises(PuzzleError, match="loop"):
        KIT.parse("S#E\n\n##\n##\n")


@given(puzzles_of(KIT))
@settings(max_examples=150, deadline=None)
def test_written_maze_reads_back(maze: Maze) -> None:
    """Parse ∘ write is the identity."""
    assert KIT.parse(KIT.write(maze)) == maze


@given(puzzles_of(KIT))
@settings(max_examples=150, deadline=None)
def test_walk_steps_along_walkways_and_ends_facing_the_end(maze: Maze) -> None:
    """Every pose faces a walkway, follows from the one before, and only the last faces E."""
    poses = KIT.solve(maze)
    assert all(maze.is_walkable(*pose.ahead) for pose in poses)
    assert all((after.x, after.y) == pose.ahead for pose, after in itertools.pairwise(poses))
    assert [pose.ahead == maze.end for pose in poses] == [False] * (len(poses) - 1) + [True]


@given(puzzles_of(KIT))
@settings(max_examples=50, deadline=None)
def test_smaller_mazes_are_mazes_with_less(maze: Maze) -> None:
    """Each step of shrinking gives a valid maze: fewer walkways, a smaller map, or the last line's end."""
    squares = sum(len(row) - row.count(" ") for row in maze.rows)
    for less in smaller(maze):
        assert KIT.parse(KIT.write(less)) == less
        fewer = sum(len(row) - row.count(" ") for row in less.rows) < squares
        is_mended = less.final_newline and not maze.final_newline
        assert fewer or is_mended or len(KIT.write(less)) < len(KIT.write(maze))


def test_long_corridor_streams_its_frames() -> None:
    """A walk of 20,000 frames is an everyday input and is told lazily."""
    teeth = 2000
    comb = (" #" * teeth + "\n") * 4 + "S" + "##" * teeth + "#E\n"
    maze = KIT.parse(comb)
    assert sum(1 for _ in KIT.solve(maze)) > 15_000
    lines = KIT.transcript(maze)
    assert next(lines) == "Please give the maze file:"
    assert next(lines).startswith(" # #")
