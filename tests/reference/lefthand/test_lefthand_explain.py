"""The left-hand kit's explanations of whole outputs."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from grader.model.kit import Divergence
from grader.model.run import RunRecord, Stream
from grader.model.verdict import Ending
from reference.lefthand import kit
from reference.lefthand.mistaken import walk_text
from reference.lefthand.suspects import NAMES
from reference.lefthand.told_walk import told_walk
from reference.lefthand.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.model.result import Mismatch
    from reference.lefthand.maze import Maze

KIT = kit()
MAZE = KIT.parse("#  ####\n#  # S\n####\n  E\n")
RIGHT = "\n".join(transcript(MAZE))
BLOCKS = RIGHT.partition("\n")[2].split("\n\n")
"""Map and lines by turns, then the last line."""
FRAMES = ["\n\n".join(pair) for pair in zip(BLOCKS[:-1:2], BLOCKS[1::2], strict=True)]


def explained(text: str, *, ending: Ending = Ending.EXITED, maze: Maze = MAZE) -> Mismatch:
    record = RunRecord(ending=ending, exit_status=0, stdout=Stream.of(text.encode()))
    return KIT.explain(maze, Divergence(index=0, expected="", found=text, record=record))


def walked(*poses: tuple[int, int, str], closing: str = "Solution Found!\n") -> str:
    """Print lines without maps, which no explanation of a walk needs."""
    lines = (f"Current Position:  {x},{y}\nCurrent Direction: {facing}\n" for x, y, facing in poses)
    return f"Please give the maze file:\n{''.join(lines)}{closing}"


def test_the_maze_of_these_tests_is_known() -> None:
    """Its poses, so that the messages below can be read."""
    told = [(pose.x, pose.y, str(pose.facing)) for pose in KIT.solve(MAZE)]
    assert told[:5] == [(5, 1, "N"), (5, 0, "W"), (4, 0, "W"), (3, 0, "S"), (3, 1, "S")]
    assert told[5:] == [(3, 2, "W"), (2, 2, "S")]


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        (walked((5, 1, "W")), "first-facing", "the way N is open, so the solver faces N first; yours faces W"),
        (walked((5, 1, "N"), (5, 0, "S")), "wrong-turn", "at column 5, row 0, facing N, the way left (W) is open"),
        (walked((5, 1, "N"), (5, 1, "N"), (5, 0, "N")), "position", "yours stays where it was"),
        (walked((5, 1, "N"), (5, 0, "W"), (3, 0, "W")), "position", "from column 5, row 0 leads to column 4, row 0"),
        (walked((5, 1, "N"), (5, 0, "W")), "ended-early", "stops after 2 of 7 frames, at column 5, row 0, facing W"),
        (walked(), "no-answer", "no frame"),
        (walked((1, 5, "N")), "position", "begins on S at column 5, row 1; your solver is at column 1, row 5"),
    ],
)
def test_a_wrong_walk_is_explained_by_the_rule(text: str, kind: str, words: str) -> None:
    """The message names the place, the open ways and what the student's solver did; no map, no talk of swapping."""
    mismatch = explained(text)
    assert (mismatch.kind, words in mismatch.message) == (kind, True), mismatch.message


DRAWINGS: dict[str, tuple[Callable[[str], str], str]] = {
    "start-drawn": (lambda text: text.replace("# .", "# S"), "S itself is never drawn"),
    "no-dot": (lambda text: text.replace(".", "#"), "has been at column 5, row 1 and left it"),
    "end-lost": (lambda text: text.replace("  E", "  #"), "E at column 2, row 3 stays drawn"),
    "lost-spaces": (lambda text: text.replace("#  ", "#"), "lost or gained spaces"),
    "spaces-between": (lambda text: _mapped(text, " ".join), "a space between squares"),
    "transposed": (lambda _: _turned(), "rows are printed as columns"),
    "printed-lists": (lambda text: _mapped(text, lambda row: str(list(row))), "''.join(row)"),
    "drawing": (
        lambda text: text.replace("\n####   \n", "\n#\n"),
        "row 2 of the map goes on to column 3; you print it up to column 0 only",
    ),
    "drawing ": (
        lambda text: text.replace("\n####   \n", "\nx#\n"),
        "row 2 of the map must be '####'; you print 'x#'",
    ),
}


def _mapped(text: str, change: Callable[[str], str]) -> str:
    is_row = (line.strip() and set(line) <= set("#.E^<>v ") for line in text.split("\n"))
    return "\n".join(change(row) if yes else row for row, yes in zip(text.split("\n"), is_row, strict=True))


def _turned() -> str:
    maps = ["\n".join(map("".join, zip(*block.split("\n"), strict=True))) for block in BLOCKS[:-1:2]]
    return told([f"{drawn}\n{lines}" for drawn, lines in zip(maps, BLOCKS[1::2], strict=True)])


@pytest.mark.parametrize("kind", DRAWINGS)
def test_a_wrong_drawing_names_the_square_or_what_was_done_to_the_map(kind: str) -> None:
    """With position and direction right, the first wrong square is explained."""
    change, words = DRAWINGS[kind]
    mismatch = explained(change(RIGHT))
    assert (mismatch.kind, words in mismatch.message) == (kind.strip(), True), mismatch.message


AROUND: dict[str, tuple[str, str]] = {
    "noise": (f"Welcome!\n{RIGHT}", "The walk is right, but line 1 of your output, 'Welcome!',"),
    "noise ": (RIGHT.replace("\n#  ##<", "\nDEBUG 1,2\n#  ##<"), "'DEBUG 1,2', isn't part of the walk"),
    "noise  ": (f"{RIGHT}\nbye", "'bye', isn't part of the walk"),
    "noise   ": (f"####\n{RIGHT}", "line 1 of your output, '####'"),
    "noise    ": (f"{RIGHT}\nSolution Found!", "the last line, 'Solution Found!', is printed more than once"),
    "no-prompt": (RIGHT.partition("\n")[2], "must first ask for the file"),
    "prompt": (RIGHT.replace("Please give the maze file:\n", "File? "), "you print 'File?'"),
    "letter-case": (RIGHT.replace("Current P", "current p"), "capital and small letters count"),
    "label": (RIGHT.replace("Current Position", "Place"), "you print 'Place:  5,1'"),
    "spaces": (RIGHT.replace(":  ", ": "), "two spaces after the colon"),
    "tabs": (RIGHT.replace(":  ", ":\t"), "not a tab"),
    "number-format": (RIGHT.replace("n:  5,1", "n:  (5, 1)"), "'Current Position:  (5, 1)'"),
    "direction-format": (RIGHT.replace("n: N", "n: North"), "a letter: N, W, S or E"),
    "line-missing": ("\n".join(line for line in RIGHT.split("\n") if "Dir" not in line), "'Current Direction: N' is"),
    "glued": (RIGHT.replace("W\n\n", "W"), "a line end is missing behind 'Current Direction: W'"),
    "no-message": (RIGHT.replace("Solution Found!", ""), "the last line, 'Solution Found!', is missing"),
    "message": (RIGHT.replace("Found!", "Found"), "to the letter; you print 'Solution Found'"),
    "swapped-xy": (RIGHT.replace("5,1", "1,5").replace("5,0", "0,5").replace("4,0", "0,4").replace("3,0", "0,3")
                   .replace("3,1", "1,3").replace("3,2", "2,3"), "x, the column, comes first"),
}  # fmt: skip


@pytest.mark.parametrize("kind", AROUND)
def test_what_is_wrong_around_a_right_walk_is_named_as_such(kind: str) -> None:
    """The walk is said to be right, and the line that isn't is quoted."""
    text, words = AROUND[kind]
    mismatch = explained(text)
    assert (mismatch.kind, words in mismatch.message) == (kind.strip(), True), mismatch.message
    assert mismatch.message.startswith("The walk is right, but")


def test_noise_in_a_wrong_walk_is_told_after_the_walk() -> None:
    """Both are true; the walk is what must be fixed first."""
    mismatch = explained(walked((5, 1, "W")).replace("\nC", "\nhello 1\n#\n#\n#\n#\nC", 1))
    assert mismatch.kind == "first-facing"
    assert "Also, line 2 of your output, 'hello 1'" in mismatch.message


def told(frames: list[str]) -> str:
    return "\n\n".join(["Please give the maze file:", *frames, "Solution Found!"])


SEQUENCES: dict[str, tuple[list[str], str]] = {
    "first-frame-missing": (FRAMES[1:], "the first frame is missing"),
    "frame-missing": ([*FRAMES[:3], *FRAMES[4:]], "Frame 3: this frame is missing"),
    "frame-missing ": ([FRAMES[0], FRAMES[6]], "goes on with frame 6 of the walk: 5 frames are missing"),
    "frame-repeated": ([frame for frame in FRAMES for _ in "12"], "every frame is printed twice"),
    "frame-repeated ": ([*FRAMES, FRAMES[-1]], "frame 6 is printed twice"),
    "ended-early": (FRAMES[:-1], "the last frame is missing"),
    "stepped-on-end": (
        [*FRAMES, FRAMES[-1].replace("2,2", "2,3")],
        "in frame 6 the solver faces E at column 2, row 3, so the walk is over; your solver steps on E",
    ),
    "map-not-updated": ([f"{BLOCKS[0]}\n\n{lines}" for lines in BLOCKS[1::2]], "the same in every frame"),
    "map-late": (
        [FRAMES[0], *("\n\n".join(pair) for pair in zip(BLOCKS[:-3:2], BLOCKS[3::2], strict=True))],
        "the map is that of the frame before",
    ),
    "lines-late": (
        [FRAMES[0], *("\n\n".join(pair) for pair in zip(BLOCKS[2:-1:2], BLOCKS[1:-2:2], strict=True))],
        "the two lines below it are those of the frame before",
    ),
}


@pytest.mark.parametrize("kind", SEQUENCES)
def test_frames_left_out_repeated_or_late_are_recognised(kind: str) -> None:
    """What explains every frame is named instead of the first square that differs."""
    frames, words = SEQUENCES[kind]
    mismatch = explained(told(frames))
    assert (mismatch.kind, words in mismatch.message) == (kind.strip(), True), mismatch.message


def test_an_endless_walk_is_told_where_its_circle_begins() -> None:
    """The first wrong frame comes first, then the frame whose state returns."""
    poses = [(5, 1, "N"), *([(5, 0, "E"), (6, 0, "W")] * 3)]
    message = explained(walked(*poses, closing=""), ending=Ending.OUTPUT_LIMIT).message
    assert message.startswith("Frame 1: at column 5, row 0")
    assert "Frame 3 has the position and the direction of frame 1 again: your solver walks in a circle." in message


@pytest.mark.parametrize(("facing", "words"), [("N", "column 0, row -1 is off the map"), ("W", "column -1, row 0")])
def test_a_closed_way_is_named_without_a_guess(facing: str, words: str) -> None:
    """One frame that faces off the map proves nothing about Python's -1."""
    mismatch = explained(walked((0, 0, facing)), maze=KIT.parse("S#E\n"))
    assert mismatch.kind == "first-facing"
    assert words in mismatch.message


@pytest.mark.parametrize(
    ("rows", "poses", "kind", "words"),
    [
        (
            "#  ####\n#  # S\n####\n  E\n",
            [(5, 1, "N"), (5, 0, "E"), (6, 0, "W"), (5, 0, "S"), (5, 1, "N")],
            "turn-order",
            "tries right before left and right before straight on",
        ),
        ("#\n#\nS\n#E\n", [(0, 2, "N"), (0, 1, "W"), (-1, 1, "S")], "wraps-around", "as the index -1 is in Python"),
        ("#  ####\n#  # S\n####\n  E\n", [(5, 1, "N"), (5, 0, "S"), (5, 1, "N"), (5, 0, "E")], "", ""),
    ],
)
def test_what_explains_every_frame_can_be_accused(
    rows: str, poses: list[tuple[int, int, str]], kind: str, words: str
) -> None:
    """A suspicion holds all the wrong rules that fit; of several sorts nothing is said."""
    suspicion = explained(walked(*poses, closing=""), maze=KIT.parse(rows)).suspicion
    accusation = suspicion and suspicion.names and KIT.accuse(suspicion.names)
    assert (accusation.kind if accusation else "") == kind
    assert words in (accusation.words if accusation else "")


def test_wrong_rules_that_walk_right_would_pass() -> None:
    """In a corridor no order of turns shows; the rule itself passes everywhere."""
    corridor = KIT.parse("S##E\n")
    assert all(KIT.would_pass(corridor, name) for name in NAMES if name.startswith("order") and name.endswith("b"))
    assert not KIT.would_pass(MAZE, "order rslb")
    assert walk_text(MAZE, "") == told_walk(KIT.solve(MAZE))


def test_a_frame_alone_is_explained_as_well() -> None:
    """Without the whole output, as at home or far behind in a long walk, the frame itself is compared."""
    found = "\n".join(walked((5, 0, "S")).split("\n")[1:3])
    mismatch = KIT.explain(MAZE, Divergence(index=1, expected="", found=found))
    assert "at column 5, row 0, facing N, the way left (W) is open" in mismatch.message
    assert mismatch.step == 1


def test_no_output_however_mangled_is_too_much() -> None:
    """Lines that are lost, repeated, moved or mixed always get an answer."""
    dice = random.Random(7)
    for _ in range(300):
        lines = RIGHT.split("\n")
        for _ in range(dice.randrange(1, 6)):
            place, other = dice.randrange(len(lines)), dice.randrange(len(lines))
            change = dice.choice(("drop", "copy", "swap", "mix"))
            if change == "drop":
                del lines[place]
            elif change == "copy":
                lines.insert(place, lines[other])
            elif change == "swap":
                lines[place], lines[other] = lines[other], lines[place]
            else:
                lines[place] = lines[place][: len(lines[place]) // 2] + lines[other]
        ending = dice.choice((Ending.EXITED, Ending.OUTPUT_LIMIT))
        assert explained("\n".join(lines), ending=ending).message.endswith(".")
