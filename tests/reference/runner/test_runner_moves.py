"""The kit of exact moves: texts, calls, checks, pictures."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from drawn import puzzles_of
from hypothesis import given, settings

from grader.model.kit import PuzzleError
from grader.model.run import Raised, Reply, RunRecord
from grader.model.verdict import Ending
from reference.runner.board import Board
from reference.runner.demo import load_demo
from reference.runner.maps import Maps
from reference.runner.mistaken import mistaken_move
from reference.runner.moves import ExpectedMoves, kit
from reference.runner.simplify import smaller_maps
from reference.runner.suspects import NAMES, asked, mistaken_answer, suspect
from reference.runner.trace import Suspect

if TYPE_CHECKING:
    from pathlib import Path

KIT = kit()
EXAMPLE = "runner 1\n\n2 0 0\n0 0 -1\n\n0 2 0\n0 0 -1\n"
DEMO = "[1, 2, 3, 2, 2]\n[2, 0, 0]\n[0, 0, -1]\n\n2\n[0, 2, 0]\n[0, 0, -1]\n"


def replied(*values: Any) -> RunRecord:
    return RunRecord(ending=Ending.EXITED, replies=tuple(Reply(value=value) for value in values))


def test_example_is_read_and_called() -> None:
    """Each board is one call with a list of its own, the id and both sizes."""
    maps = KIT.parse(EXAMPLE)
    assert KIT.calls(maps) == (([2, 0, 0, 0, 0, -1], 1, 2, 3), ([0, 2, 0, 0, 0, -1], 1, 2, 3))
    assert KIT.solve(maps) == (2, 2)
    assert KIT.expect(maps) == ExpectedMoves(moves=(2, 2))


def test_demo_files_are_read_as_one_text_or_as_a_folder(tmp_path: Path) -> None:
    """The homework's own form gives the same maps."""
    first, second = DEMO.split("\n\n")
    (tmp_path / "0.txt").write_text(first)
    (tmp_path / "1.txt").write_text(second)
    assert KIT.parse(DEMO) == KIT.parse(EXAMPLE) == load_demo(tmp_path)


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("", 1, 1, "runner"),
        ("walker 1\n\n2 0", 1, 1, "runner"),
        ("runner 1\n\n", 3, 1, "no board"),
        ("runner 1\n\n2 0\n0 x\n", 4, 3, "'x'"),
        ("runner 1\n\n2 0\n0\n", 4, 1, "1 numbers"),
        ("runner 1\n\n2 0\n0 -7\n", 4, 3, "-7 is no square"),
        ("runner 1\n\n2 0\n0 2\n", 4, 1, "second head"),
        ("[1, 2, 3]\n", 1, 1, "first line must be"),
        ("[1, 1, 3, 1, 1]\n[2, 0]\n", 2, 1, "list of 3"),
        ("[1, 2, 3, 1, 1]\n[2, 0, 0]\n[0, 0, -1]", 1, 1, r"says 1 \(right\)"),
        ("[1, 1, 3, 5, 1]\n[2, 0, -1]\n", 1, 1, "5 files"),
        ("[1, 1, 2, 2, 1]\n[2, -1]\nx\n[2, -1]", 3, 1, "'x'"),
    ],
)
def test_bad_text_is_refused_with_its_place(text: str, line: int, column: int, words: str) -> None:
    """An author's error carries line and column inside the text."""
    with pytest.raises(PuzzleError, match=words) as caught:
        KIT.parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@given(puzzles_of(KIT))
@settings(max_examples=100, deadline=None)
def test_written_maps_read_back_and_the_solver_is_accepted(maps: Maps) -> None:
    """Parse ∘ write is the identity, and the checker accepts the reference's moves."""
    assert KIT.parse(KIT.write(maps)) == maps
    claim = KIT.read(replied(*KIT.solve(maps)))
    assert KIT.check(maps, claim, KIT.expect(maps)) is None
    assert KIT.draw(maps, claim).difference is None


@given(puzzles_of(KIT))
@settings(max_examples=12, deadline=None)
def test_smaller_maps_are_maps(maps: Maps) -> None:
    """Each step of shrinking leaves out something and can be written."""
    weight = sum(len(board.cells) * 100 - board.cells.count(0) for board in maps.boards)
    for less in smaller_maps(maps):
        assert KIT.parse(KIT.write(less)) == less
        assert sum(len(board.cells) * 100 - board.cells.count(0) for board in less.boards) < weight


def test_a_single_board_shows_the_difference_and_accuses_nobody() -> None:
    """A textbook A* moves so, and so do a dozen others; the overwritten point is what proves the right move."""
    maps = KIT.parse("runner 1\n\n2 0 0\n0 0 -1\n")
    wrong = KIT.check(maps, (1,), ExpectedMoves(moves=(2,)))
    assert wrong is not None
    assert "map 0: you moved 1 (right), the pseudocode gives 2 (down)" in wrong.message
    assert "(1, 1) is reached from (0, 1) first" in wrong.message
    assert "All your moves" not in wrong.message


def test_a_named_suspect_is_the_one() -> None:
    """On boards enough to tell them apart each mistake explains its own moves, and nearly all are alone in that."""
    boards = random_boards(100)
    right = KIT.solve(Maps(runner_id=1, boards=boards))
    alone = 0
    for name in NAMES:
        moves = [mistaken_answer(board, 1, name) for board in boards]
        suspicion = suspect(asked(boards, moves, right), 1)
        assert (suspicion is None) == (tuple(moves) == right)
        assert suspicion is None or name in suspicion.names
        alone += suspicion is not None and suspicion.names == (name,)
    assert alone >= 0.8 * len(NAMES)


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ((-1, -1, -1, -1), "You return -1 (nothing) on every map, as the starter does: is the head found?"),
        ((1, 2, 3, 1), "you return 1 for up (0), 2 for right (1), 3 for down (2), 0 for left (3)."),
    ],
)
def test_what_all_answers_show_can_be_said(claim: tuple[int, ...], words: str) -> None:
    """The starter; other numbers for directions."""
    maps = KIT.parse("runner 1\n\n-1 0\n2 0\n\n2 -1\n0 0\n\n2 0\n-1 0\n\n-1 0\n2 0\n")
    wrong = KIT.check(maps, claim, KIT.expect(maps))
    assert wrong is not None
    assert wrong.suspicion is not None
    accusation = KIT.accuse(tuple(name for name in wrong.suspicion.names if "search" not in name))
    assert accusation is not None
    assert words in accusation.words


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ((0, 1, 2, 1), "Maps 0 and 3 are the same, but you answer 0 (up) and 1 (right)"),
        ((0, 1, 1, 0), "at your (0, 1); the least f is taken first, so (1, 0) comes first"),
    ],
)
def test_what_one_case_shows_is_said_at_once(claim: tuple[int, ...], words: str) -> None:
    """Something kept between calls; the step of the pseudocode that decides."""
    maps = KIT.parse("runner 1\n\n-1 0\n2 0\n\n2 -1\n0 0\n\n2 0\n-1 0\n\n-1 0\n2 0\n")
    wrong = KIT.check(maps, claim, KIT.expect(maps))
    assert wrong is not None
    assert words in wrong.message


def test_a_crash_ends_the_moves_that_are_compared() -> None:
    """What comes after a call that raised is no answer to that call."""
    maps = KIT.parse(EXAMPLE)
    raised = Reply(raised=Raised(type="ValueError", message="", traceback=""))
    record = RunRecord(ending=Ending.EXITED, replies=(raised, Reply(value=0)))
    assert KIT.so_far(maps, record) is None


def test_large_boards_are_not_searched_by_every_suspect() -> None:
    """Recognising is bounded; the difference is shown all the same."""
    board = Board(rows=60, columns=60, cells=(2, *[0] * 3_598, -1))
    maps = Maps(runner_id=1, boards=(board, board))
    wrong = KIT.check(maps, (1, 1), KIT.expect(maps))
    assert wrong is not None
    assert wrong.suspicion is None


def test_a_wrong_move_is_told_before_a_crash() -> None:
    """The run's ending decides the verdict, the first wrong move is known all the same."""
    maps = KIT.parse(EXAMPLE)
    assert KIT.so_far(maps, replied(2)) is None
    wrong = KIT.so_far(maps, replied(1))
    assert wrong is not None
    assert wrong.where == "map 0"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "the function ended without return"),
        ("2", "'2', which is no move (0, 1, 2, 3 or -1) but text"),
        (7, "7, which is no move"),
        ([2], "no move"),
        ((1, 0), "the square to go to: return the number of the direction"),
        (0, "off the map"),
        (-1, "the head, the 2, is at (0, 0)"),
        (float("nan"), "no move"),
    ],
)
def test_strange_replies_are_wrong_and_named(value: Any, words: str) -> None:
    """Whatever comes back, the verdict is wrong and the message says what came."""
    wrong = KIT.check(KIT.parse("runner 1\n\n2 0 0\n0 0 -1\n"), (value,), ExpectedMoves(moves=(2,)))
    assert wrong is not None
    assert words in wrong.message


@pytest.mark.parametrize("value", [2, 2.0])
def test_equal_numbers_are_right(value: Any) -> None:
    """2.0 is as good as 2."""
    assert KIT.check(KIT.parse("runner 1\n\n2 0 0\n0 0 -1\n"), (value,), ExpectedMoves(moves=(2,))) is None


def test_share_counts_the_right_moves() -> None:
    """Partial credit is the fraction of right moves; the first wrong map is named."""
    maps = KIT.parse(EXAMPLE)
    wrong = KIT.check(maps, (2, 0), ExpectedMoves(moves=(2, 2)))
    assert wrong is not None
    assert (wrong.shares["moves"], wrong.step, wrong.where) == (0.5, 1, "map 1")
    short = KIT.check(maps, (2,), ExpectedMoves(moves=(2, 2)))
    assert short is not None
    assert short.kind == "ended-early"
    assert KIT.check(maps, None, ExpectedMoves(moves=(2, 2))) is not None


def random_boards(count: int) -> tuple[Board, ...]:
    dice = random.Random(7)
    boards = [Board.of([[-1, 3, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]])]
    while len(boards) < count:
        rows, columns = dice.randint(1, 8), dice.randint(1, 8)
        cells = dice.choices((0, 1, 3, 4, -1), weights=(70, 4, 8, 4, 5), k=rows * columns)
        cells[dice.randrange(rows * columns)] = 2
        boards.append(Board(rows=rows, columns=columns, cells=tuple(cells)))
    return tuple(boards)


def test_each_suspect_is_told_from_the_pseudocode_on_some_board() -> None:
    """No suspect is the right search in disguise."""
    boards = random_boards(400)
    right = {number: KIT.solve(Maps(runner_id=number, boards=boards)) for number in (1, 2)}
    for name in NAMES:
        mistaken = {number: tuple(mistaken_answer(board, number, name) for board in boards) for number in (1, 2)}
        assert mistaken != right, name


def test_suspect_without_a_mistake_is_the_pseudocode() -> None:
    """What the suspects change is all that they change."""
    boards = random_boards(400)
    innocent = Suspect(words="")
    right = KIT.solve(Maps(runner_id=1, boards=boards))
    assert tuple(mistaken_move(board, 1, innocent) for board in boards) == right


def test_picture_jumps_to_the_first_wrong_map() -> None:
    """The scene has a track each, the difference and the search at that map."""
    maps = KIT.parse(EXAMPLE)
    scene = KIT.draw(maps, (2, 0))
    assert (scene.difference, scene.search_frame) == (1, 1)
    assert [track.title for track in scene.tracks] == ["the pseudocode", "your moves"]
    assert (scene.search[0].row, scene.search[0].column) == (0, 1)
    assert scene.tracks[0].frames[1].marks


def test_picture_opens_the_search_where_it_decides() -> None:
    """At a tie both points still wait; where a parent is overwritten, the later neighbour was just taken."""
    ties = Maps(runner_id=1, boards=(Board.of([[-1, 0, 2], [1, 1, 0], [1, 1, -1]]),))
    tied = KIT.draw(ties, (2,))
    assert tied.search_step == 1
    assert [opened[:2] for opened in tied.search[0].opened] == [(1, 2), (0, 1)]
    overwritten = KIT.draw(KIT.parse(EXAMPLE), (1, 2))
    assert overwritten.search_step == 4
    assert (overwritten.search[3].row, overwritten.search[3].column) == (1, 0)
    assert (KIT.draw(ties, None).search_step, KIT.draw(ties, (9,)).search_step) == (None, None)


def test_each_frame_has_its_reason() -> None:
    """The pseudocode's frames say where a move leads; the student's what came back, and whether the way is open."""
    maps = KIT.parse(EXAMPLE)
    rule, yours = ([frame.caption for frame in track.frames] for track in KIT.draw(maps, (2, 0)).tracks)
    assert rule[0] == yours[0] == "map 0: 2 (down) leads to the food in row 1, column 2, 3 away"
    assert yours[1] == "map 1: yours gave 0 (up), where the way is closed"
    assert KIT.draw(maps, (2,)).tracks[1].frames[1].caption == "map 1: no move came back"
