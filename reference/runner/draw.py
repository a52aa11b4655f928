"""Maps and plays of the runner as a scene of deltas."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Any

import msgspec

from grader.model.kit import WithheldError
from grader.model.scene import Frame, Mark, Probe, Scene, Square, Track
from reference.runner.board import FOOD, FREE, NOTHING, Board, Move, is_number, stepped, told
from reference.runner.explain import decisive_step
from reference.runner.search import adjacent, nearest_food, search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.runner.board import Place
    from reference.runner.maps import Maps
    from reference.runner.trace import Search


MOST_FRAMES = 400
_MOST_MARKS = 60_000
_MOST_PROBES = 2_000
_BEFORE = 100
_COMPASS = "NESW"
_NAMES = {
    "face-main": "your head",
    "block-main": "your body",
    "face-grey": "another's head",
    "block-grey": "another's body",
    "disc-green": "food",
}


class Telling(msgspec.Struct, frozen=True, kw_only=True):
    """Boards in order with the move made on each; a last board may follow the last move."""

    title: str
    boards: tuple[Board, ...]
    moves: tuple[Any, ...]
    reasons: tuple[str, ...] = ()
    """Why each move was made, if that is known: the frame's caption."""


def draw_maps(maps: Maps, claim: Sequence[Any] | None) -> Scene:
    """Draw one frame per map with the pseudocode's move and its reason, and the student's beside it."""
    difference = None
    searches = [search(board, maps.runner_id) for board in maps.boards]
    moves = tuple(found.move for found in searches)
    reasons = tuple(f"map {number}: {reason(found)}" for number, found in enumerate(searches))
    tellings = [Telling(title="the pseudocode", boards=maps.boards, moves=moves, reasons=reasons)]
    if claim is not None:
        difference = first_difference(claim, moves)
        boards = maps.boards[: len(claim) + 1]
        tellings.append(
            Telling(
                title="your moves",
                boards=boards,
                moves=tuple(claim),
                reasons=yours(boards, claim, reasons[:difference], maps.runner_id),
            )
        )
    return draw_boards(tellings, runner_id=maps.runner_id, difference=difference, title="The maze runner")


def draw_boards(tellings: Sequence[Telling], *, runner_id: int, difference: int | None, title: str) -> Scene:
    """Draw each telling, bounded to a stretch around the first difference; all begin with the same board."""
    first = max(0, difference - _BEFORE) if difference is not None else 0
    every = [board for telling in tellings for board in telling.boards]
    told_right = tellings[0].boards
    asked = min(difference or 0, len(told_right) - 1)
    return Scene(
        rows=max(board.rows for board in every),
        columns=max(board.columns for board in every),
        squares=_squares(told_right[0], runner_id),
        tracks=tuple(_track(telling, runner_id, first=first) for telling in tellings),
        difference=difference,
        search=_probes(told_right[asked], runner_id),
        search_frame=difference or 0,
        search_step=None if difference is None else _decisive(told_right[asked], runner_id, tellings[-1], asked),
        title=title,
        names=_NAMES,
    )


def first_difference(claim: Sequence[Any], moves: Sequence[int]) -> int | None:
    """Give the number of the first reply that isn't the pseudocode's move."""
    for step, (value, move) in enumerate(zip(claim, moves, strict=False)):
        if not is_number(value) or value != move:
            return step
    return None if len(claim) == len(moves) else min(len(claim), len(moves))


def _squares(board: Board, runner_id: int) -> tuple[Square, ...]:
    return tuple(
        Square(row=row, column=column, look=_look(cell, runner_id))
        for index, cell in enumerate(board.cells)
        for row, column in [board.place(index)]
    )


def _look(cell: int, runner_id: int) -> str:
    if cell == FOOD:
        return "disc-green"
    if cell == FREE:
        return "square"
    if cell in (2 * runner_id, 2 * runner_id - 1):
        return "face-main" if cell % 2 == 0 else "block-main"
    return "face-grey" if cell % 2 == 0 else "block-grey"


def _track(telling: Telling, runner_id: int, *, first: int) -> Track:
    boards = telling.boards
    first = min(first, len(boards) - 1)
    frames: list[Frame] = []
    marks_left = _MOST_MARKS
    for number, (before, board) in enumerate(
        pairwise((boards[0], *boards[first : first + MOST_FRAMES])), start=first
    ):
        marks = _marks(before, board, runner_id)
        marks_left -= len(marks)
        if marks_left < 0:
            break
        frames.append(_frame(telling, number, marks, runner_id))
    return Track(title=telling.title, frames=tuple(frames), first=first, omitted=len(boards) - len(frames))


def _frame(telling: Telling, number: int, marks: tuple[Mark, ...], runner_id: int) -> Frame:
    at = telling.boards[number].head(runner_id)
    caption = telling.reasons[number] if number < len(telling.reasons) else ""
    if number >= len(telling.moves):
        return Frame(at=at, marks=marks, caption=caption or f"tick {number}: the end")
    move = telling.moves[number]
    facing = _COMPASS[int(move)] if is_number(move) and move in (0, 1, 2, 3) else ""
    return Frame(at=at, facing=facing, marks=marks, caption=caption or f"tick {number}: {told(move)}")


def _marks(before: Board, board: Board, runner_id: int) -> tuple[Mark, ...]:
    """Give the squares whose look changed; a board of another size is drawn whole."""
    if (before.rows, before.columns) == (board.rows, board.columns):
        pairs = enumerate(zip(before.cells, board.cells, strict=True))
        changed = [index for index, (old, new) in pairs if old != new]
        return tuple(Mark(*board.place(index), _look(board.cells[index], runner_id)) for index in changed)
    looks = {board.place(index): _look(cell, runner_id) for index, cell in enumerate(board.cells)}
    blanks = {before.place(index): "square-void" for index in range(len(before.cells))}
    return tuple(Mark(row, column, look) for (row, column), look in sorted((blanks | looks).items()))


def _probes(board: Board, runner_id: int) -> tuple[Probe, ...]:
    found = search(board, runner_id)
    if found.move == NOTHING and found.head is None:
        return ()
    try:
        opened = _opened(board, found.taken[:_MOST_PROBES])
    except WithheldError:
        opened = {}  # in the students' kit: it knows the order, but not what beside each point was open
    return tuple(
        Probe(*place, f"taken as number {number}{_note(found.overwritten.get(place))}", opened.get(number, ()))
        for number, place in enumerate(found.taken[:_MOST_PROBES], start=1)
    )


def _decisive(board: Board, runner_id: int, telling: Telling, number: int) -> int | None:
    """Tell where in the search the choice falls between the pseudocode's move and the one given, if any was."""
    try:
        return decisive_step(board, runner_id, telling.moves[number]) if number < len(telling.moves) else None
    except WithheldError:
        return None


def _opened(board: Board, taken: Sequence[Place]) -> dict[int, tuple[tuple[int, int, int, int], ...]]:
    """Give what each point taken put into OPEN, with g and h; nothing where no food gives an estimate."""
    heuristic = nearest_food(board)
    order = [row * board.columns + column for row, column in taken]
    if not order or heuristic[order[0]] == inf:
        return {}
    cost, visited = {order[0]: 0}, set()
    opened = {}
    for number, point in enumerate(order, start=1):
        if board.cells[point] == FOOD:
            break
        visited.add(point)
        reached = cost[point] + 1
        fresh = [
            beside
            for beside in adjacent(board, point)
            if board.cells[beside] in (FREE, FOOD) and (beside not in visited or reached < cost[beside])
        ]
        cost |= dict.fromkeys(fresh, reached)
        opened[number] = tuple((*board.place(index), reached, int(heuristic[index])) for index in fresh)
    return opened


def _note(changed: Any) -> str:
    return f"; parent overwritten by {changed.last}" if changed else ""


def reason(found: Search) -> str:
    """Say why the pseudocode gives its move."""
    if found.path:
        row, column = found.path[-1]
        return f"{told(found.move)} leads to the food in row {row}, column {column}, {len(found.path) - 1} away"
    if found.head is None:
        return f"no head on the map, so {told(found.move)}"
    if found.move == NOTHING:
        return f"no way is free, so {told(found.move)}"
    return f"no food in reach, so the first free way: {told(found.move)}"


def yours(boards: Sequence[Board], claim: Sequence[Any], before: Sequence[str], runner_id: int) -> tuple[str, ...]:
    """Say what a student's function gave; as long as it is right, the reason is the pseudocode's."""
    said = (*claim, None)[: len(boards)]
    return tuple(
        before[number] if number < len(before) else f"map {number}: {_gave(board, value, runner_id)}"
        for number, (board, value) in enumerate(zip(boards, said, strict=True))
    )


def _gave(board: Board, value: Any, runner_id: int) -> str:
    if value is None:
        return "no move came back"
    head = board.head(runner_id)
    if head is None or not _is_way(value):
        return f"yours gave {told(value)}"
    is_free = board.is_passable(stepped(head, Move(int(value))))
    return f"yours gave {told(value)}" + ("" if is_free else ", where the way is closed")


def _is_way(value: Any) -> bool:
    return is_number(value) and value in tuple(Move)
