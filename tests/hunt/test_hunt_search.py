"""Promises of the search for a counterexample, on puzzles that are plain lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.hunt.search import FailEach, Space, Trials, search, shrink, shrink_within

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.model.dice import Dice

Numbers = tuple[int, ...]


def numbers(dice: Dice) -> Numbers:
    return tuple(dice.pick(10) for _ in range(dice.pick(13)))


def smaller(puzzle: Numbers) -> Iterator[Numbers]:
    """Drop one number, or make one smaller."""
    for index, number in enumerate(puzzle):
        yield puzzle[:index] + puzzle[index + 1 :]
        if number:
            yield (*puzzle[:index], number - 1, *puzzle[index + 1 :])


SPACE = Space(draw=numbers, smaller=smaller)


def is_unsorted(puzzle: Numbers) -> bool:
    return list(puzzle) != sorted(puzzle)


def each(fails: Callable[[Numbers], bool]) -> FailEach:
    return lambda puzzles, *, patient: [fails(puzzle) for puzzle in puzzles]  # noqa: ARG005 - nothing takes time


def hunted(seed: int, seconds: float = 30.0) -> tuple[object, list[Numbers]]:
    tried: list[Numbers] = []

    def fails(puzzle: Numbers) -> bool:
        tried.append(puzzle)
        return is_unsorted(puzzle)

    trials = Trials(each(fails), seconds=seconds, tried=lambda _: None)
    return search(SPACE, trials, seed=seed).puzzle, tried


def test_the_smallest_puzzle_is_found() -> None:
    """Nothing can be taken away from what is shown."""
    puzzle, _ = hunted(1)
    assert puzzle == (1, 0)


def test_a_seed_decides_the_whole_hunt() -> None:
    assert hunted(7) == hunted(7)


def test_different_seeds_hunt_elsewhere() -> None:
    assert hunted(7)[1][:40] != hunted(8)[1][:40]


def test_nothing_found_says_how_many_were_tried() -> None:
    """A hunt without a catch ends in time and counts."""
    counts: list[int] = []
    trials = Trials(each(lambda _: False), seconds=0.3, tried=counts.append)
    found = search(SPACE, trials, seed=0)
    assert found.puzzle is None
    assert found.tried == counts[-1] > 0


def test_a_catch_survives_the_end_of_the_time() -> None:
    """When the time runs out while shrinking, the best so far is kept."""
    trials = Trials(each(is_unsorted), seconds=1e9, tried=lambda _: None)
    assert trials.first([(1, 2), (5, 3, 1)]) == (1, (5, 3, 1))
    trials.is_over = True
    assert search(SPACE, trials, seed=0).puzzle == (5, 3, 1)


def test_shrinking_ends_where_nothing_can_go() -> None:
    trials = Trials(each(is_unsorted), seconds=1e9, tried=lambda _: None)
    assert shrink((9, 4, 4, 2), trials, smaller) == (1, 0)


def test_a_solution_that_is_not_the_same_twice_is_caught_all_the_same() -> None:
    """What fails only now and then ends the hunt with a catch, not with a fault of ours."""
    turns = iter(range(10**9))
    trials = Trials(each(lambda puzzle: len(puzzle) > 2 and next(turns) % 3 == 1), seconds=20, tried=lambda _: None)
    found = search(SPACE, trials, seed=0)
    assert len(found.puzzle) > 2


def test_what_can_lose_nothing_gives_way_to_what_is_smaller() -> None:
    """A puzzle from which nothing can be taken is not yet the smallest: others are drawn that are."""
    trials = Trials(each(lambda puzzle: puzzle in {(9, 9, 9), (7,)}), seconds=1e9, tried=lambda _: None)
    space = Space(draw=numbers, smaller=smaller)
    found = shrink_within((9, 9, 9), trials, space)
    assert (found.puzzle, found.is_smallest) == ((7,), True)


def test_without_a_way_to_shrink_smaller_ones_are_drawn() -> None:
    """A kit that can't take a piece away still gets a small counterexample."""
    trials = Trials(each(is_unsorted), seconds=1e9, tried=lambda _: None)
    found = search(Space(draw=numbers, smaller=lambda _: ()), trials, seed=3)
    assert (len(found.puzzle), found.is_smallest) == (2, True)
