"""Promises of the Alice catalogue: the seeds' tests, rebuilt with their properties."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from reference.alice import text263
from reference.alice.puzzle import OFFSETS, UNSOLVABLE, Colour, Maze, Place
from reference.alice.solve import solve

CASES = Path(__file__).parents[3] / "cases"
State = tuple[Place, int]


def maze_of(case_id: str) -> Maze:
    cases = [
        case
        for path in (CASES / "alice-263").glob("*.yaml")
        for case in yaml.safe_load(path.read_text()).get("cases", ())
    ]
    return text263.parse(next(case["input"] for case in cases if case["id"] == case_id))


def moves(maze: Maze, place: Place, d: int) -> list[tuple[Place, int, str]]:
    """Give every move with the way it dies, if it does."""
    found = []
    for arrow in maze.at(place).arrows:
        there = place[0] + d * OFFSETS[arrow][0], place[1] + d * OFFSETS[arrow][1]
        if not maze.holds(there):
            found.append((there, d, "outside"))
        else:
            new_d = d + (0 if there == maze.goal else maze.at(there).colour.change)
            found.append((there, new_d, "" if new_d else "no step"))
    return found


def paths(maze: Maze, most: int) -> list[tuple[Place, ...]]:
    """Give every walk to the goal of at most so many moves that repeats no pair of square and d."""
    complete, open_walks = [], [[(maze.start, 1)]]
    while open_walks:
        walk = open_walks.pop()
        if walk[-1][0] == maze.goal:
            complete.append(tuple(place for place, _ in walk))
        elif len(walk) <= most:
            alive = [(place, d) for place, d, death in moves(maze, *walk[-1]) if not death]
            open_walks += [[*walk, state] for state in alive if state not in walk]
    return sorted(complete, key=len)


def test_number_1_dies_in_all_three_ways() -> None:
    """Unsolvable: paths leave the grid, go round in a circle, or fall below d = 1."""
    maze = maze_of("test-1")
    deaths, seen, stack = set(), set(), [(maze.start, 1)]
    while stack:
        state = stack.pop()
        seen.add(state)
        for place, d, death in moves(maze, *state):
            deaths.add(death or ("circle" if (place, d) in seen else "goes on"))
            if not death and (place, d) not in seen:
                stack.append((place, d))
    assert solve(maze).steps == UNSOLVABLE
    assert deaths == {"outside", "circle", "no step", "goes on"}


def test_number_2_has_exactly_the_two_listed_paths() -> None:
    """Six moves, two ways."""
    maze = maze_of("test-2")
    assert (maze.start, maze.goal, solve(maze).steps) == ((2, 1), (1, 1), 6)
    assert {path for path in paths(maze, 6) if len(path) == 7} == {
        ((2, 1), (2, 0), (1, 0), (0, 0), (2, 2), (1, 2), (1, 1)),
        ((2, 1), (2, 0), (1, 0), (0, 0), (0, 2), (0, 1), (1, 1)),
    }


def test_number_3_has_the_single_listed_path() -> None:
    """Nine moves, over (0, 2) twice."""
    maze = maze_of("test-3")
    path = ((2, 1), (2, 0), (1, 0), (0, 0), (0, 2), (2, 2), (1, 1), (0, 1), (0, 2), (1, 2))
    assert solve(maze).steps == 9
    assert [found for found in paths(maze, 9) if len(found) == 10] == [path]


def test_number_4_has_the_listed_five_and_six_moves() -> None:
    """The example of the handout."""
    five = ((2, 0), (1, 0), (0, 0), (0, 2), (1, 1), (0, 1))
    six = ((2, 0), (1, 0), (0, 0), (2, 2), (0, 2), (1, 1), (0, 1))
    assert paths(maze_of("test-4"), 6)[:2] == [five, six]


@pytest.mark.parametrize("name", ["alice-csv", "alice-grid", "alice-263"])
def test_a_case_that_hangs_on_the_start_s_colour_says_so(name: str) -> None:
    """Courses disagree on that rule: starts are black (or the goal), and a hidden case with another is tagged."""
    from reference.alice import csv, grid

    module = {"alice-csv": csv, "alice-grid": grid, "alice-263": text263}[name]
    count = 0
    for path in (CASES / name).glob("[0-9]*.yaml"):
        for case in yaml.safe_load(path.read_text())["cases"]:
            text = case.get("input") or (CASES / name / case["input_file"]).read_text()
            maze = module.parse(text)
            is_plain = maze.at(maze.start).colour is Colour.BLACK or maze.start == maze.goal
            is_tagged = "start-colour" in case["tags"] and case.get("visibility") is None
            assert is_plain or is_tagged, case["id"]
            count += 1
    assert count >= 12
