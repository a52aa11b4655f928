"""The left-hand kit's claims and pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drawn import puzzles_of
from hypothesis import given, settings

from grader.model.kit import Expect
from grader.model.run import RunRecord, Stream
from grader.model.verdict import Ending
from reference.lefthand import kit
from reference.lefthand.draw import MOST_FRAMES

if TYPE_CHECKING:
    from reference.lefthand.maze import Maze

KIT = kit()
MAZE = KIT.parse("#  ####\n#  # S\n####\n  E\n")


def record(text: str) -> RunRecord:
    return RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(text.encode()))


@given(puzzles_of(KIT))
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


def test_a_circle_is_drawn_twice_and_then_named() -> None:
    """What an endless walk repeats is left out, and the last frame says which frames come again."""
    there, back = "Position: 1,0\nDirection: E\n", "Position: 2,0\nDirection: W\n"
    claim = KIT.read(record((there + back) * 30_000))
    yours = KIT.draw(KIT.parse("S####E"), claim).tracks[1]
    assert len(yours.frames) == 5
    assert len(yours.frames) + yours.omitted == 60_000
    assert yours.frames[-1].caption.endswith("From here on frames 0 to 2 come again and again")
