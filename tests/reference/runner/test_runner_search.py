"""The quick search is the literal pseudocode."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from drawn import puzzles_of
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.runner import moves
from reference.runner.board import Board
from reference.runner.pseudocode import move_algo
from reference.runner.search import best_move, nearest_food, search

if TYPE_CHECKING:
    from reference.runner.maps import Maps


def literal(board: Board, runner_id: int) -> int:
    return move_algo(list(board.cells), runner_id, board.rows, board.columns)


def random_board(dice: random.Random, longest: int) -> Board:
    rows, columns = dice.randint(1, longest), dice.randint(1, longest)
    walls, foods = dice.random() * 0.5, dice.random() ** 3 * 0.3
    size = rows * columns
    cells = [
        -1 if dice.random() < foods else dice.choice((1, 3, 4)) if dice.random() < walls else 0 for _ in range(size)
    ]
    for _ in range(dice.choice((0, 1, 1, 1, 1, 1, 1, 2))):
        cells[dice.randrange(size)] = 2
    return Board(rows=rows, columns=columns, cells=tuple(cells))


def test_example_of_the_assignment_goes_down() -> None:
    """The literal answer is 2, where a textbook A* says 1; the overwritten parent is why."""
    found = search(Board.of([[2, 0, 0], [0, 0, -1]]), 1)
    assert found.move == 2
    assert found.path == ((0, 0), (1, 0), (1, 1), (1, 2))
    assert found.overwritten[1, 1].first == (0, 1)
    assert found.overwritten[1, 1].last == (1, 0)


def test_quick_search_equals_the_pseudocode_on_thousands_of_boards() -> None:
    """Ties, walls, no food, no head, two heads: the same move on every board."""
    dice = random.Random(2019)
    boards = [random_board(dice, 8) for _ in range(6000)]
    assert [best_move(board, 1) for board in boards] == [literal(board, 1) for board in boards]


def test_quick_search_equals_the_pseudocode_on_larger_boards() -> None:
    """Long ways round and many ties change nothing."""
    dice = random.Random(404)
    boards = [random_board(dice, 22) for _ in range(60)]
    assert [best_move(board, 1) for board in boards] == [literal(board, 1) for board in boards]


@given(puzzles_of(moves.kit()))
@settings(max_examples=20, deadline=None)
def test_quick_search_equals_the_pseudocode_on_generated_boards(maps: Maps) -> None:
    """The hunt's generator finds no difference either."""
    for board in maps.boards:
        assert best_move(board, maps.runner_id) == literal(board, maps.runner_id)


@given(st.integers().map(lambda seed: random_board(random.Random(seed), 9)))
@settings(max_examples=60, deadline=None)
def test_heuristic_is_the_manhattan_distance_to_the_nearest_food(board: Board) -> None:
    """Two sweeps give what comparing with every food gives."""
    places = [board.place(index) for index in range(len(board.cells))]
    foods = [place for place in places if board.at(place) == -1]
    expected = [
        min((abs(row - a) + abs(column - b) for a, b in foods), default=float("inf")) for row, column in places
    ]
    assert nearest_food(board) == expected


def test_everyday_board_of_100_by_100_is_searched() -> None:
    """A large open board gives the move of the pseudocode's tie rule: down the first column."""
    cells = [0] * 10_000
    cells[0], cells[-1] = 2, -1
    found = search(Board(rows=100, columns=100, cells=tuple(cells)), 1)
    assert found.move == 2
    assert len(found.taken) == 10_000


def test_strange_boards_have_their_answers() -> None:
    """No head, no way, no food and food out of reach."""
    assert best_move(Board.of([[0, -1]]), 1) == -1
    assert best_move(Board.of([[2, 3, -1]]), 1) == -1
    assert best_move(Board.of([[3, 2, 0]]), 1) == 1
    assert best_move(Board.of([[0, 3], [2, 3], [0, -1]]), 1) == 2
    assert best_move(Board.of([[0, 3, -1], [2, 3, 3], [0, 3, 3]]), 1) == 0
