"""Runner boards for Hypothesis: ties, walls and strays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from reference.runner.board import FOOD, FREE, Board
from reference.runner.maps import Maps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import DrawFn, SearchStrategy

_LONGEST_SIDE = 7


def sequences() -> SearchStrategy[Maps]:
    """Generate one map, seldom several: a fault that needs two calls shows only there."""
    runner_id = st.one_of(st.just(1), st.integers(1, 3))
    return runner_id.flatmap(
        lambda number: st.builds(
            Maps,
            runner_id=st.just(number),
            boards=st.one_of(
                st.tuples(single_boards(number)), st.lists(single_boards(number), min_size=2, max_size=3).map(tuple)
            ),
        )
    )


@st.composite
def single_boards(draw: DrawFn, runner_id: int) -> Board:
    """Draw a board: mostly open with one head and some food, sometimes crowded, boxed in or without a head."""
    rows, columns = draw(st.integers(1, _LONGEST_SIDE)), draw(st.integers(1, _LONGEST_SIDE))
    strange = (2 * runner_id - 1, 2 * runner_id + 1, 2 * runner_id + 2)
    crowd = draw(st.sampled_from(((FREE,), (FREE, FREE, FREE, *strange), (FREE, *strange))))
    size = rows * columns
    cells = draw(st.lists(st.sampled_from(crowd), min_size=size, max_size=size))
    for index in draw(st.lists(st.integers(0, size - 1), max_size=4)):
        cells[index] = FOOD
    if draw(st.integers(0, 19)) != 19:
        cells[draw(st.integers(0, size - 1))] = 2 * runner_id
    return Board(rows=rows, columns=columns, cells=tuple(cells))


def smaller(maps: Maps) -> Iterator[Maps]:
    """Give every sequence with one map, row, column, food or wall less."""
    for number, board in enumerate(maps.boards):
        before, after = maps.boards[:number], maps.boards[number + 1 :]
        if before or after:
            yield Maps(runner_id=maps.runner_id, boards=before + after)
        for less in smaller_boards(board, maps.runner_id):
            yield Maps(runner_id=maps.runner_id, boards=(*before, less, *after))


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
