"""Makes maps and plays smaller, piece by piece."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from reference.runner.board import FREE, Board
from reference.runner.snakes import Snake, order_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.runner.maps import Maps
    from reference.runner.setup import Setup


def smaller_maps(maps: Maps) -> Iterator[Maps]:
    """Give every sequence with only one map, one map less, or a row, column, food or wall less in one of them."""
    boards = maps.boards
    if len(boards) > 1:
        yield from (replace(maps, boards=(board,)) for board in boards)
    if len(boards) > 2:
        yield from (replace(maps, boards=boards[:number] + boards[number + 1 :]) for number in range(len(boards)))
    for number, board in enumerate(boards):
        for less in smaller_boards(board, maps.runner_id):
            yield replace(maps, boards=(*boards[:number], less, *boards[number + 1 :]))


def smaller_boards(board: Board, runner_id: int) -> Iterator[Board]:
    """Give every board with a row, a column, a food or a wall less."""
    grid = [list(board.cells[row * board.columns : (row + 1) * board.columns]) for row in range(board.rows)]
    if board.rows > 1:
        yield from (Board.of(grid[:row] + grid[row + 1 :]) for row in range(board.rows))
    if board.columns > 1:
        for column in range(board.columns):
            yield Board.of([row[:column] + row[column + 1 :] for row in grid])
    for index, cell in enumerate(board.cells):
        if cell not in (FREE, 2 * runner_id):
            cells = (*board.cells[:index], FREE, *board.cells[index + 1 :])
            yield Board(rows=board.rows, columns=board.columns, cells=cells)


def smaller_play(setup: Setup) -> Iterator[Setup]:
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
