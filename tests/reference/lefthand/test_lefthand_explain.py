"""The left-hand kit's explanations, claims and pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from grader.model.kit import Divergence, Expect
from grader.model.run import RunRecord, Stream
from grader.model.verdict import Ending
from reference.lefthand import kit
from reference.lefthand.draw import MOST_FRAMES

if TYPE_CHECKING:
    from reference.lefthand.maze import Maze

KIT = kit()
MAZE = KIT.parse("#  ####\n#  # S\n####\n  E\n")


def frame(*rows: str, at: str = "4,1", facing: str = "W") -> str:
    return "\n".join([*rows, "", f"Current Position:  {at}", f"Current Direction: {facing}"])


def said(index: int, found: str | None) -> str:
    return KIT.explain(MAZE, Divergence(index=index, expected="", found=found)).message


def record(text: str) -> RunRecord:
    return RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(text.encode()))


def test_the_maze_of_these_tests_is_known() -> None:
    """Frames 0 to 2 of the little maze, so that the messages below can be read."""
    poses = [(pose.x, pose.y, str(pose.facing)) for pose in KIT.solve(MAZE)][:8]
    assert poses[:3] == [(5, 1, "N"), (5, 0, "W"), (4, 0, "W")]


@pytest.mark.parametrize(
    ("index", "found", "words"),
    [
        (0, frame(at="5,1", facing="W"), "the way N is open, so the solver faces N first; yours faces W"),
        (0, frame(at="1,5", facing="N"), "x, the column, comes first"),
        (0, None, "holds no frame"),
        (1, frame(at="5,0", facing="E"), "at (5, 0) facing N the way left (W) is open, so the rule turns W"),
        (1, frame(at="5,0", facing="E"), "your solver turned right to E"),
        (1, frame(at="5,1", facing="N"), "yours stayed where it was"),
        (2, frame(at="3,0", facing="W"), "a step W from (5, 0) leads to (4, 0)"),
        (2, "Solution Found!", "stops after 2 of"),
        (2, None, "your transcript stops after 2 of"),
        (
            3,
            frame(at="3,0", facing="E"),
            "the way left (S) is open, so the rule turns S; your solver turned back to E",
        ),
    ],
)
def test_wrong_walk_is_explained_by_the_rule(index: int, found: str | None, words: str) -> None:
    """The message names the place, the open ways and what the student's solver did."""
    assert words in said(index, found)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (("#  ##<#", "#  # S", "####", "  E"), "S itself is never drawn"),
        (("#  ##<#", "#  # #", "####", "  E"), "has been at (5, 1) and left it"),
        (("#  ####", "#  # .", "####", "  E"), "the solver stands at (5, 0) facing W"),
        (("#  ##<#", "#  # .", "####", "  ."), "E at (2, 3) stays drawn"),
        (("#  #.<#", "#  # .", "####", "  E"), "hasn't been at (4, 0) yet"),
        (("###<#", "#  # .", "####", "  E"), "lost or gained blanks"),
        (("#  ##<#", "#  # .", "####"), "4 rows that aren't empty, your frame draws 3"),
        (("#  ##<#", "#  #", "####", "  E"), "row 1 of the map is damaged"),
    ],
)
def test_wrong_drawing_names_the_square(rows: tuple[str, ...], words: str) -> None:
    """With pose and direction right, the first wrong square is explained."""
    assert words in said(1, frame(*rows, at="5,0", facing="W"))


def test_wrong_wording_of_a_line_is_shown() -> None:
    """One blank instead of two after `Position:` is named as such."""
    rows = ("#  ##<#", "#  # .", "####", "  E")
    text = frame(*rows, at="5,0", facing="W").replace(":  ", ": ")
    assert "two blanks follow the colon" in said(1, text)


def test_end_of_the_walk_is_explained() -> None:
    """A missing message, a step on E and a talkative ending are told apart."""
    frames = len(KIT.solve(MAZE))
    assert f"all {frames} frames are right" in said(frames, None)
    assert "E is never stepped on" in said(frames, frame(at="2,3", facing="S"))
    assert "to the letter" in said(frames, "solution found")
    assert "yours holds more" in said(frames + 1, "bye")


@given(KIT.puzzles())
@settings(max_examples=60, deadline=None)
def test_reference_transcript_is_accepted_as_a_claim(maze: Maze) -> None:
    """The checker accepts what the reference prints, and draws it without a difference."""
    claim = KIT.read(record("\n".join(KIT.transcript(maze))))
    assert KIT.check(maze, claim, Expect()) is None
    scene = KIT.draw(maze, claim)
    assert scene.difference is None
    assert len(scene.tracks) == 2


def test_wrong_claim_is_refused_at_its_frame() -> None:
    """A claim is wrong when empty, when a pose differs or when the message is missing."""
    text = "\n".join(KIT.transcript(MAZE))
    assert KIT.check(MAZE, KIT.read(record("hello")), Expect()) is not None
    wrong = KIT.check(MAZE, KIT.read(record(text.replace("4,0", "9,9"))), Expect())
    assert wrong is not None
    assert wrong.step == 2
    silent = KIT.check(MAZE, KIT.read(record(text.replace("Solution", ""))), Expect())
    assert silent is not None
    assert silent.kind == "no-message"


def test_long_walk_is_drawn_around_its_difference() -> None:
    """The scene is bounded, says what it leaves out and keeps the first difference."""
    maze = KIT.parse("S" + "#" * 4000 + "E")
    text = "\n".join(KIT.transcript(maze)).replace("Position:  3000,", "Position:  3001,")
    scene = KIT.draw(maze, KIT.read(record(text)))
    track = scene.tracks[0]
    assert scene.difference == 3000
    assert track.first <= 3000 < track.first + len(track.frames)
    assert len(track.frames) <= MOST_FRAMES
    assert track.omitted == 4001 - len(track.frames)
    assert len(track.frames[0].marks) == track.first


def test_missing_prompt_and_capital_arrow_are_named() -> None:
    """What differs beside the walk itself is said plainly."""
    first = ("#  ####", "#  # ^", "####", "  E")
    assert "must ask for the file" in said(0, frame(*first, at="5,1", facing="N"))
    third = ("#  v..#", "#  # .", "####", "  E")
    assert "must be 'v'; you draw 'V'" in said(3, frame(*third, at="3,0", facing="S").replace("v", "V"))


def test_only_the_first_of_several_frames_is_read() -> None:
    """A student's direction line that ends no frame for the judge must not mix frames up."""
    later = frame(at="4,0", facing="W")
    assert "turned right to E" in said(1, frame(at="5,0", facing="E") + "\n" + later)
