"""Plays for Hypothesis: a small board, walls, food to come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st
from msgspec.structs import replace

from reference.runner.board import FREE, Board, Move, Place, stepped
from reference.runner.puzzles import smaller_boards
from reference.runner.setup import Setup
from reference.runner.snakes import Snake, order_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from hypothesis.strategies import SearchStrategy

_LONGEST_SIDE = 6
_MOST_TICKS = 12


def setups() -> SearchStrategy[Setup]:
    """Generate plays: a runner, seldom alone, with food there and to come; one draw decides all of a play."""
    return st.randoms(use_true_random=True).map(_setup)


def _setup(chance: Random) -> Setup:
    rows, columns = chance.randint(1, _LONGEST_SIDE), chance.randint(1, _LONGEST_SIDE)
    runner_id = chance.randint(1, 2)
    board = Board(rows=rows, columns=columns, cells=())
    snakes = [Snake(id=runner_id, cells=_free_run(chance, board, set()))]
    for number in sorted(set(chance.sample((1, 2, 3), chance.randint(0, 2))) - {runner_id}):
        taken = {cell for snake in snakes for cell in snake.cells}
        if cells := _free_run(chance, board, taken):
            snakes.append(_driven(chance, number, cells))
    snakes.sort(key=lambda snake: snake.id)
    taken = {cell for snake in snakes for cell in snake.cells}
    foods = [place for place in _places(chance, board) if place not in taken]
    coming = tuple(_places(chance, board))
    return Setup(
        runner_id=runner_id,
        ticks=chance.randint(1, _MOST_TICKS),
        board=_board(rows, columns, snakes, foods),
        snakes=tuple(snakes),
        next_food=coming,
        food_seed=None if coming else _seed(chance),
    )


def _place(chance: Random, board: Board) -> Place:
    return chance.randrange(board.rows), chance.randrange(board.columns)


def _places(chance: Random, board: Board) -> list[Place]:
    return [_place(chance, board) for _ in range(chance.randint(0, 3))]


def _seed(chance: Random) -> int | None:
    return chance.choice((None, chance.randrange(10)))


def _free_run(chance: Random, board: Board, taken: set[Place]) -> tuple[Place, ...]:
    """Draw a head and a body that winds away from it over free squares."""
    head = _place(chance, board)
    if head in taken:
        return ()
    cells = [head]
    for move in chance.choices(tuple(Move), k=chance.randint(0, 3)):
        place = stepped(cells[-1], move)
        if board.has(place) and place not in taken and place not in cells:
            cells.append(place)
    return tuple(cells)


def _driven(chance: Random, number: int, cells: tuple[Place, ...]) -> Snake:
    moves = tuple(chance.choices(range(-1, 4), k=chance.randint(0, 4)))
    return Snake(id=number, cells=cells, moves=moves, seed=None if moves else _seed(chance))


def _board(rows: int, columns: int, snakes: list[Snake], foods: list[Place]) -> Board:
    cells = dict.fromkeys(foods, -1)
    for snake in snakes:
        cells |= {place: 2 * snake.id - (place != snake.cells[0]) for place in snake.cells}
    grid = [[cells.get((row, column), FREE) for column in range(columns)] for row in range(rows)]
    return Board.of(grid)


def smaller(setup: Setup) -> Iterator[Setup]:
    """Give every play with fewer ticks, less food to come, or a board with something less."""
    if setup.ticks > 1:
        yield replace(setup, ticks=setup.ticks - 1)
    for number in range(len(setup.next_food)):
        yield replace(setup, next_food=setup.next_food[:number] + setup.next_food[number + 1 :])
    if setup.food_seed is not None:
        yield replace(setup, food_seed=None)
    for board in smaller_boards(setup.board, setup.runner_id):
        if board.head(setup.runner_id) is not None and (snakes := _still_whole(setup, board)) is not None:
            yield replace(setup, board=board, snakes=snakes)


def _still_whole(setup: Setup, board: Board) -> tuple[Snake, ...] | None:
    """Give the snakes of a changed board; None where one was torn."""
    snakes = []
    for snake in setup.snakes:
        if 2 * snake.id in board.cells or 2 * snake.id - 1 in board.cells:
            cells = order_of(board, snake.id)
            if cells is None:
                return None
            snakes.append(replace(snake, cells=cells))
    return tuple(snakes)
