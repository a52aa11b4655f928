"""Promises of the generator: it reaches the interesting mazes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from drawn import puzzles_of
from hypothesis import HealthCheck, Phase, given, seed, settings

from reference.alice import csv, grid, text263
from reference.alice.puzzle import OFFSETS, Colour, Maze, flip, transpose
from reference.alice.solve import solve

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference.alice.kit import AliceKit

KITS: list[AliceKit] = [csv.kit(), grid.kit(), text263.kit()]
LOOK = settings(
    max_examples=350,
    deadline=None,
    phases=[Phase.generate],
    database=None,
    suppress_health_check=list(HealthCheck),
)


@cache
def many(kit: AliceKit, start: int = 0) -> list[Maze]:
    """Give what the generator makes from one seed."""
    found: list[Maze] = []

    @seed(start)
    @LOOK
    @given(puzzles_of(kit))
    def collect(maze: Maze) -> None:
        found.append(maze)

    collect()
    return found


def revisits(maze: Maze) -> bool:
    path = solve(maze).path
    return len(set(path)) < len(path)


def is_deep(maze: Maze) -> bool:
    return solve(maze).steps >= max(7, maze.rows * maze.columns)


def has_ties(maze: Maze) -> bool:
    """Two different first moves lead to shortest paths."""
    steps = solve(maze).steps
    level = {(maze.start, 1): 1}
    for _ in range(steps):
        after: dict[tuple[tuple[int, int], int], int] = {}
        for ((row, column), d), ways in level.items():
            for arrow in maze.at((row, column)).arrows:
                place = row + d * OFFSETS[arrow][0], column + d * OFFSETS[arrow][1]
                if maze.holds(place) and not maze.is_blank(place) and (row, column) != maze.goal:
                    new_d = d + (0 if place == maze.goal else maze.at(place).colour.change)
                    if new_d > 0:
                        after[place, new_d] = after.get((place, new_d), 0) + ways
        level = after
    return sum(ways for (place, _), ways in level.items() if place == maze.goal) > 1


def dead_ends(maze: Maze) -> set[str]:
    """Name the ways in which the reachable part of an unsolvable maze ends."""
    found: set[str] = set()
    seen, stack = set(), [(maze.start, 1)]
    while stack:
        (row, column), d = stack.pop()
        seen.add(((row, column), d))
        for arrow in maze.at((row, column)).arrows:
            place = row + d * OFFSETS[arrow][0], column + d * OFFSETS[arrow][1]
            if not maze.holds(place):
                found.add("outside")
            elif not maze.is_blank(place):
                state = place, d + maze.at(place).colour.change
                if state[1] < 1:
                    found.add("no step")
                elif state in seen:
                    found.add("circle")
                else:
                    stack.append(state)
    return found


INTERESTING: dict[str, Callable[[Maze], bool]] = {
    "a square revisited": revisits,
    "as many moves as squares": is_deep,
    "several shortest paths": lambda maze: solve(maze).steps > 2 and has_ties(maze),
    "unsolvable: outside": lambda maze: solve(maze).steps < 0 and dead_ends(maze) == {"outside"},
    "unsolvable: circle": lambda maze: solve(maze).steps < 0 and dead_ends(maze) == {"circle"},
    "unsolvable: d below 1": lambda maze: solve(maze).steps < 0 and dead_ends(maze) == {"no step"},
}


@pytest.mark.parametrize("kit", KITS, ids=["csv", "grid", "263"])
@pytest.mark.parametrize("wish", list(INTERESTING.values()), ids=list(INTERESTING))
def test_the_generator_reaches_the_interesting_mazes(kit: AliceKit, wish: Callable[[Maze], bool]) -> None:
    """A few hundred mazes hold each kind that finds faults; the rare ones take a few seeds."""
    assert any(wish(maze) for start in range(12) for maze in many(kit, start))


def test_grid_mazes_come_in_all_shapes() -> None:
    """Wide and tall ones; the other formats have square ones."""
    shapes = {maze.rows - maze.columns for maze in many(KITS[1])}
    assert min(shapes) < -1
    assert max(shapes) > 1
    assert {maze.rows - maze.columns for maze in many(KITS[0]) + many(KITS[2])} == {0}


def test_the_start_is_coloured_only_when_the_rule_says_so() -> None:
    """Mazes that hang on the start's colour don't come up where courses disagree."""
    assert {maze.at(maze.start).colour for maze in many(KITS[0]) if maze.start != maze.goal} == {Colour.BLACK}
    applied = {maze.at(maze.start).colour for maze in many(csv.kit(start_colour="applied"))}
    assert {Colour.RED, Colour.YELLOW} <= applied


@pytest.mark.parametrize("turn", [flip, transpose])
def test_a_turned_maze_is_the_same_puzzle(turn: Callable[[Maze], Maze]) -> None:
    """Turning keeps the number of moves, and turning twice changes nothing."""
    for maze in many(KITS[1])[:60]:
        assert solve(turn(maze)).steps == solve(maze).steps
        twice = turn(turn(maze))
        assert [set(square.arrows) for square in twice.squares] == [set(square.arrows) for square in maze.squares]
        assert (twice.start, twice.goal) == (maze.start, maze.goal)


def test_simpler_mazes_are_simpler_and_can_be_written() -> None:
    """Each step drops something, and the format still has it."""
    maze = text263.parse("3\ns=(2,0)\ng=(0,1)\nr:(r,dr,d) goal y:(dl)\nb:(u) b:(u) b:(dl)\nb:(u,r) b:(r) b:(u)\n")

    def weight(maze: Maze) -> tuple[int, int, int]:
        coloured = [square for square in maze.squares if square.colour]
        arrows = sum(len(square.arrows) for square in maze.squares)
        return (
            len(maze.squares),
            arrows + len(coloured),
            sum(square.colour is not Colour.BLACK for square in coloured),
        )

    for kit in (csv.kit(), grid.kit(), text263.kit()):
        simpler = list(kit.smaller(maze))
        assert len(simpler) > 5
        for other in simpler:
            assert weight(other) < weight(maze)
            assert kit.parse(kit.write(other)) == other
