"""Closed-loop play: the world's laws and the kit around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from drawn import puzzles_of
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.model.kit import PuzzleError
from grader.model.run import Reply, RunRecord
from grader.model.verdict import Ending
from reference.runner.play import ExpectedOutcome, kit, replay
from reference.runner.simplify import smaller_play
from reference.runner.world import Dice, World

if TYPE_CHECKING:
    from reference.runner.setup import Setup

KIT = kit()
ALONE = "runner 1\nticks 4\nfood: 0,0\n\n2 0 -1\n0 0 0\n"


def world_of(text: str) -> World:
    return World(msgspec.to_builtins(KIT.parse(text)))


def outcome(text: str, *moves: Any) -> tuple[int, int, str]:
    got = replay(KIT.parse(text), moves).outcome
    return got["moves"], got["food"], got["ending"]


def test_eating_keeps_the_tail_and_brings_the_next_food() -> None:
    """Length grows by one, the string is 1, food appears where the setup says."""
    world = world_of(ALONE)
    world.act(1)
    world.act(1)
    assert world.food == 1
    assert world.board().lines() == ["-1 1 2", "0 0 0"]


def test_observation_is_a_fresh_copy() -> None:
    """Scribbling on the list changes nothing."""
    world = world_of(ALONE)
    first = world.observe()
    assert first is not None
    first[0][:] = [9] * 6
    assert world.observe() == ([2, 0, -1, 0, 0, 0], 1, 2, 3)


@pytest.mark.parametrize(
    ("text", "moves", "result"),
    [
        (ALONE, (0,), (0, 0, "outside")),
        (ALONE, (1, 1, 2, 3), (4, 1, "ticks")),
        (ALONE, (-1, -1, -1, -1), (0, 0, "ticks")),
        (ALONE, (1,), (1, 0, "stopped")),
        (ALONE, (1, None), (1, 0, "no-move")),
        (ALONE, ("1",), (0, 0, "no-move")),
        (ALONE, (4,), (0, 0, "no-move")),
        ("runner 1\nticks 3\n\n2 4 0\n", (1,), (0, 0, "wall")),
        ("runner 1\nticks 3\n\n2 1 1\n0 0 0\n", (1,), (0, 0, "self")),
        ("runner 1\nticks 1\nsnake 1: 0,0 0,1 1,1 1,0\n\n2 1\n1 1\n", (2,), (1, 0, "ticks")),
        ("runner 1\nticks 1\nsnake 1: 0,0 0,1 1,1 1,0\n\n2 1\n1 1\n", (1,), (0, 0, "self")),
        ("runner 1\nticks 1\nwall 2: 1\n\n2 3 4 0\n", (1,), (1, 0, "ticks")),
        ("runner 1\nticks 1\nwall 2: 2\n\n2 3 4 0\n", (1,), (1, 0, "wall")),
        ("runner 2\nticks 1\nwall 1: 1\n\n4 1 2 0\n", (1,), (1, 0, "ticks")),
        ("runner 2\nticks 1\nwall 1: -1\n\n4 1 2 0\n", (1,), (0, 0, "wall")),
    ],
)
def test_ends_are_told_apart(text: str, moves: tuple[Any, ...], result: tuple[int, int, str]) -> None:
    """Outside, wall, own string, a leaving tail, a reply that is no move, and the tick limit."""
    assert outcome(text, *moves) == result


def test_walls_move_in_order_of_their_ids() -> None:
    """A wall with a smaller id moves before the runner is asked, one with a larger id after it."""
    world = world_of("runner 2\nticks 2\nwall 1: 1\nwall 3: 1\n\n2 0 0\n0 4 0\n6 0 0\n")
    assert world.board().lines() == ["0 2 0", "0 4 0", "6 0 0"]
    world.act(1)
    assert world.board().lines() == ["0 0 2", "0 0 4", "0 6 0"]


def test_blocked_wall_waits() -> None:
    """A wall enters neither food nor other snakes nor the outside."""
    world = world_of("runner 1\nticks 9\nwall 2: 1 0 3\n\n2 4 -1\n")
    for _ in range(3):
        world.act(-1)
    assert world.board().lines() == ["2 4 -1"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("runner 1\nticks 4\n", 1, "blocks"),
        ("runner 1\nspeed 4\n\n2\n", 2, "no line of a heading"),
        ("runner 1\n\n2 0\n", 1, "ticks"),
        ("runner 1\nticks 0\n\n2 0\n", 2, "ticks"),
        ("runner 1\nticks 4\n\n0 0\n", 4, "no head"),
        ("runner 1\nticks 4\nwall 1: 0\n\n2 0\n", 3, "is the runner"),
        ("runner 1\nticks 4\nwall 2: 7\n\n2 4\n", 3, "0, 1, 2, 3"),
        ("runner 1\nticks 4\nfood: 1;2\n\n2 4\n", 3, "row,column"),
        ("runner 1\nticks 4\n\n2 3 0\n", 4, "exactly one head"),
        ("runner 1\nticks 4\n\n2 1\n1 1\n", 4, "leaves open"),
        ("runner 1\nticks 4\nsnake 2: 0,0\n\n2 0\n", 5, "no snake 2"),
        ("runner 1\nticks 4\nsnake 1: 0,0 0,0\n\n2 1\n", 5, "doesn't name"),
    ],
)
def test_bad_setup_is_refused_with_its_line(text: str, line: int, words: str) -> None:
    """An author's error carries its line."""
    with pytest.raises(PuzzleError, match=words) as caught:
        KIT.parse(text)
    assert caught.value.line == line


@given(puzzles_of(KIT))
@settings(max_examples=100, deadline=None)
def test_written_setup_reads_back_and_the_solver_is_accepted(setup: Setup) -> None:
    """Parse ∘ write is the identity; the pseudocode's own play is accepted and drawn without a difference."""
    assert KIT.parse(KIT.write(setup)) == setup
    moves = KIT.solve(setup).moves
    claim = KIT.read(RunRecord(ending=Ending.EXITED, replies=tuple(Reply(value=move) for move in moves)))
    assert KIT.check(setup, claim, KIT.expect(setup)) is None
    scene = KIT.draw(setup, claim)
    assert scene.difference is None
    assert len(scene.tracks[0].frames) == len(moves) + 1


@given(puzzles_of(KIT), st.lists(st.integers(-1, 3), max_size=12))
@settings(max_examples=100, deadline=None)
def test_world_keeps_its_laws(setup: Setup, moves: list[int]) -> None:
    """Walls keep their length, the runner grows by what it ate, squares stay on the board."""
    world = World(msgspec.to_builtins(setup))
    for move in moves:
        if world.ending:
            break
        world.act(move)
    lengths = {snake.id: len(snake.cells) for snake in setup.snakes}
    for number, body in world._bodies.items():
        grown = world.food if number == setup.runner_id else 0
        assert len(body) == lengths[number] + grown
        assert all(setup.board.has(cell) for cell in body)
    assert world.moves <= world.tick + 1 <= setup.ticks + 1
    assert (world.observe() is None) == (world.ending is not None)


@given(puzzles_of(KIT))
@settings(max_examples=30, deadline=None)
def test_smaller_plays_are_plays(setup: Setup) -> None:
    """Each step of shrinking can be written and played."""
    for less in smaller_play(setup):
        assert KIT.parse(KIT.write(less)) == less
        assert KIT.solve(less).outcome["moves"] <= less.ticks


def test_first_wrong_tick_is_explained() -> None:
    """The message names tick, both moves, the reason and both outcomes; equal parts are named as right."""
    setup = KIT.parse("runner 1\nticks 3\n\n2 0 0\n0 0 -1\n")
    wrong = KIT.check(setup, (1, 0), ExpectedOutcome(outcome={"moves": 3, "food": 1, "ending": "ticks"}))
    assert wrong is not None
    assert wrong.message.startswith(
        "tick 0: you moved 1 (right), the pseudocode gives 2 (down): (1, 1) is reached from (0, 1)"
    )
    assert "ending 'outside'; the pseudocode: 3 moves, 1 food, ending 'ticks'" in wrong.message
    assert wrong.right == ()
    assert KIT.draw(setup, (1, 0)).difference == 0


def test_world_is_found_by_its_path() -> None:
    """The parent builds it from plain data."""
    path, plain = KIT.world(KIT.parse(ALONE))
    assert path == "reference.runner.play:World"
    assert World(msgspec.json.decode(msgspec.json.encode(plain))).observe() == ([2, 0, -1, 0, 0, 0], 1, 2, 3)


def test_dice_never_change() -> None:
    """Stored expectations hang on these very numbers."""
    dice = Dice(7)
    assert [dice.pick(4) for _ in range(12)] == [3, 1, 3, 2, 3, 2, 1, 1, 0, 3, 3, 0]
