"""Promises of the solver: right, against slower and simpler searches."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import pytest
from drawn import puzzles_of
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.alice import csv, grid, text263
from reference.alice.puzzle import OFFSETS, Maze, Place, StartColour, first_step
from reference.alice.solve import solve
from reference.alice.walk import Rules, follow

if TYPE_CHECKING:
    from types import ModuleType

    from reference.alice.kit import AliceKit

KITS = [csv.kit(), grid.kit(), text263.kit()]
EXAMPLE = "3\ns=(2,0)\ng=(0,1)\nr:(r,dr,d) goal y:(dl)\nb:(u) b:(u) b:(dl)\nb:(u,r) b:(r) b:(u)\n"


def moves_from(maze: Maze, place: Place, d: int) -> list[tuple[Place, int]]:
    """Every legal move, by the letter of the rules."""
    found = []
    for arrow in maze.at(place).arrows:
        row, column = place[0] + d * OFFSETS[arrow][0], place[1] + d * OFFSETS[arrow][1]
        if maze.holds((row, column)) and not maze.is_blank((row, column)):
            new_d = d if (row, column) == maze.goal else d + maze.at((row, column)).colour.change
            if new_d >= 1:
                found.append(((row, column), new_d))
    return found


def slow_steps(maze: Maze, d: int) -> int:
    """Breadth-first search as in a textbook."""
    queue = deque([(maze.start, d, 0)])
    seen = {(maze.start, d)}
    while queue:
        place, d, steps = queue.popleft()
        if place == maze.goal:
            return steps
        for state in moves_from(maze, place, d) if d >= 1 else []:
            if state not in seen:
                seen.add(state)
                queue.append((*state, steps + 1))
    return -1


@pytest.mark.parametrize("rule", list(StartColour))
@pytest.mark.parametrize("module", [csv, grid, text263], ids=["csv", "grid", "263"])
@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_the_solver_agrees_with_a_textbook_search(module: ModuleType, rule: StartColour, data: st.DataObject) -> None:
    """Sets of squares as bits give the same number of moves."""
    kit: AliceKit = module.kit(start_colour=str(rule))
    maze = data.draw(puzzles_of(kit))
    assert kit.solve(maze).steps == slow_steps(maze, first_step(maze, rule))


@pytest.mark.parametrize("kit", KITS, ids=["csv", "grid", "263"])
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_the_solver_s_path_is_legal_and_as_long_as_it_says(kit: AliceKit, data: st.DataObject) -> None:
    """The path keeps every rule from start to goal."""
    maze = data.draw(puzzles_of(kit))
    answer = kit.solve(maze)
    if answer.steps < 0:
        assert answer.path == ()
        return
    rules = Rules(steps=answer.steps, start_colour=kit.start_colour, show=str)
    assert follow(maze, answer.path, rules).slip is None
    assert (answer.path[0], answer.path[-1], len(answer.path) - 1) == (maze.start, maze.goal, answer.steps)


@settings(max_examples=150, deadline=None)
@given(maze=puzzles_of(csv.kit()), choices=st.lists(st.integers(0, 7), max_size=30))
def test_no_legal_walk_beats_the_solver(maze: Maze, choices: list[int]) -> None:
    """Whoever reaches the goal at random needed at least as many moves."""
    steps = solve(maze).steps
    place, d = maze.start, 1
    for made, choice in enumerate(choices):
        if place == maze.goal:
            assert 0 <= steps <= made
            return
        options = moves_from(maze, place, d)
        if not options:
            return
        place, d = options[choice % len(options)]


def test_the_example_needs_five_moves() -> None:
    """The handout's maze, with its path."""
    answer = solve(text263.parse(EXAMPLE))
    assert answer.steps == 5
    assert answer.path == ((2, 0), (1, 0), (0, 0), (0, 2), (1, 1), (0, 1))


def test_the_csv_example_of_the_page_needs_three_moves() -> None:
    """(3, 0)->(3, 1)->(3, 3)->(0, 3), d rising on the red square."""
    maze = csv.parse("4\n3,0\n0,3\nN,0,N,0,N,0,G,0\nN,0,N,0,N,0,N,0\nN,0,N,0,N,0,N,0\nB,4,R,4,N,0,R,2\n")
    assert solve(maze).path == ((3, 0), (3, 1), (3, 3), (0, 3))


def test_start_on_the_goal_is_no_move() -> None:
    """Nothing to do is a solution of 0 moves, whatever the colour of the start."""
    maze = csv.parse("1\n0,0\n0,0\nG,0\n")
    assert solve(maze).steps == 0
    assert solve(csv.parse("2\n0,0\n0,0\nY,4,B,8\nB,2,B,8\n"), StartColour.APPLIED).steps == 0


def test_the_start_s_colour_counts_only_by_the_rule() -> None:
    """A red start makes the first move two squares long when the rule says so."""
    maze = grid.parse("3 1\n?,r,e #,, !,,\n")
    assert grid.kit(start_colour="applied").solve(maze).steps == 1
    assert grid.kit().solve(maze).steps == -1


def test_an_unknown_rule_is_refused() -> None:
    """A typing slip in the assignment doesn't pass in silence."""
    with pytest.raises(ValueError, match="sometimes"):
        csv.kit(start_colour="sometimes")


def test_a_large_maze_with_arrows_everywhere_is_solved() -> None:
    """300×300 squares with every arrow: the corner is 24 moves away at most."""
    cells = ["R,12345678", "B,12345678", "Y,12345678", "B,12345678"]
    size = 300
    rows = [[cells[(row * row + 3 * column) % 4] for column in range(size)] for row in range(size)]
    rows[-1][-1] = "G,0"
    text = f"{size}\n0,0\n{size - 1},{size - 1}\n" + "\n".join(",".join(row) for row in rows)
    maze = csv.parse(text)
    answer = solve(maze)
    rules = Rules(steps=answer.steps, start_colour=StartColour.IGNORED, show=str)
    assert follow(maze, answer.path, rules).slip is None
    assert answer.path[-1] == maze.goal
