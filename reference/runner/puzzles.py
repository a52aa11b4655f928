"""Runner boards for Hypothesis: ties, walls and strays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st
from msgspec.structs import replace

from reference.runner.board import FOOD, FREE, Board
from reference.runner.maps import Maps
from reference.runner.scatter import scatter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import DrawFn, SearchStrategy

_LONGEST_SIDE = 7
_WIDE = (9, 14)
_WINDING = (16, 19)
_WALL = 3


def sequences() -> SearchStrategy[Maps]:
    """Generate one map drawn square by square, or many scattered ones: rare faults need thousands of boards."""
    return _sequences()


@st.composite
def _sequences(draw: DrawFn) -> Maps:
    runner_id = draw(st.sampled_from((1, 1, 2, 3)))
    count = draw(st.sampled_from((1, 2, *[30] * 6)))
    if count == 1:
        return Maps(runner_id=runner_id, boards=(draw(single_boards(runner_id)),))
    return Maps(runner_id=runner_id, boards=scatter(draw(st.integers(0, 2**32)), runner_id, count))


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


def long_puzzles() -> SearchStrategy[Maps]:
    """Generate boards on which a search must take many points: wide ones without food, and long corridors."""
    sides = st.integers(*_WIDE)
    wide = st.builds(_open_board, sides, sides)
    winding = st.builds(_winding_board, st.integers(*_WINDING), st.floats(0, 1))
    return st.one_of(winding, wide, winding).map(lambda board: Maps(runner_id=1, boards=(board,)))


def _open_board(rows: int, columns: int) -> Board:
    return Board(rows=rows, columns=columns, cells=(2, *[FREE] * (rows * columns - 1)))


def _winding_board(side: int, part: float) -> Board:
    """Wind a corridor through the board, with food at its end and the runner somewhere in it."""
    way = []
    for row in range(0, side, 2):
        turned = row // 2 % 2
        way += [row * side + column for column in (reversed(range(side)) if turned else range(side))]
        way.append((row + 1) * side + (0 if turned else side - 1))
    way = [index for index in way if index < side * side]
    cells = [_WALL] * (side * side)
    for index in way:
        cells[index] = FREE
    cells[way[-1]] = FOOD
    cells[way[int(part * (len(way) - 2))]] = 2
    return Board(rows=side, columns=side, cells=tuple(cells))


def smaller(maps: Maps) -> Iterator[Maps]:
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
