"""Make maps and plays of the runner by dice: a shape for each sort of fault.

The size counts the rows and columns of a map.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grader.model.kit import Shape
from reference.runner import maps, setup
from reference.runner.board import FOOD, FREE, Board, Move, Place, stepped
from reference.runner.maps import Maps
from reference.runner.setup import Setup
from reference.runner.snakes import Snake

if TYPE_CHECKING:
    from grader.model.dice import Dice

_MAPS = 8
_FEW = 3
_SIZES = (4, 9)
_OVERWRITTEN = "An unvisited point that already waits is overwritten, even by an equal or larger cost."

MAPS = {
    "open": Shape(title="Many ways of the same length", hint=_OVERWRITTEN, sizes=_SIZES),
    "walls": Shape(
        title="Ways round walls", hint="Walls, their moving parts and the own string are closed.", sizes=_SIZES
    ),
    "round": Shape(
        title="A long way round a wall",
        hint="Search on until the food is taken or no point is left.",
        limits={"cpu_s": 5, "wall_s": 8},
    ),
    "foods": Shape(
        title="Several foods", hint="Each point is measured to the food nearest to that point.", sizes=_SIZES
    ),
    "corner": Shape(
        title="Foods in two corners, equally near",
        hint="Squares on the edges are measured as the others are.",
    ),
    "boxed": Shape(
        title="Food out of reach, or none", hint="Take the first passable of 0, 1, 2, 3; else -1.", sizes=_SIZES
    ),
    "hungry": Shape(
        title="No food at all",
        hint="Without food take the first passable of 0, 1, 2, 3.",
        limits={"cpu_s": 5, "wall_s": 8},
    ),
    "narrow": Shape(title="Maps of one row or one column"),
    "oblong": Shape(title="More columns than rows, and more rows than columns"),
    "other-id": Shape(
        title="A runner with another id",
        hint="Your head is 2 times your id, your string 2 times your id minus 1.",
        sizes=_SIZES,
    ),
    "large": Shape(title="Large maps", limits={"cpu_s": 10, "wall_s": 15}, sizes=(20, 24)),
    "any": Shape(title="Many maps of any kind", hunted=(20, 40)),
    "winding": Shape(
        title="A search that takes many points",
        limits={"cpu_s": 10, "wall_s": 15},
        sizes=(9, 19),
        hunted=(16, 19),
        is_long=True,
    ),
}
PLAYS = {
    "alone": Shape(title="A play without walls", sizes=_SIZES),
    "scripted": Shape(title="A play among walls that go to and fro", sizes=_SIZES),
    "seeded": Shape(title="A play among walls that wander", sizes=_SIZES),
    "any": Shape(title="A short play of any kind", sizes=(2, 9), hunted=(1, 6)),
}


def vary_maps(dice: Dice, shape: str, size: int | None = None) -> str:
    """Write a sequence of maps of this shape."""
    if shape == "any":
        return maps.write(_scattered(dice, size or 30))
    if shape == "winding":
        return maps.write(Maps(runner_id=1, boards=(_long_board(dice, size or dice.between(16, 19)),)))
    runner_id = dice.between(2, 4) if shape == "other-id" else 1
    count = _FEW if shape in {"large", "hungry", "round"} else _MAPS
    boards = (_board(dice, shape, runner_id, size) for _ in range(count))
    return maps.write(Maps(runner_id=runner_id, boards=tuple(boards)))


def vary_play(dice: Dice, shape: str, size: int | None = None) -> str:
    """Write a play of this shape."""
    if shape == "any":
        return setup.write(_any_play(dice, size or dice.between(2, 6)))
    rows, columns = (size, size) if size else (dice.between(4, 8), dice.between(4, 9))
    runner_id = dice.between(1, 2)
    snakes: list[Snake] = []
    for number in [runner_id] if shape == "alone" else sorted({runner_id, 3, dice.between(1, 4)}):
        cells = _free_run(dice, (rows, columns), {cell for snake in snakes for cell in snake.cells})
        moves = tuple(dice.pick(4) for _ in range(dice.between(2, 6))) if shape == "scripted" else ()
        seed = dice.pick(100) if shape == "seeded" else None
        is_wall = number != runner_id
        snakes.append(Snake(id=number, cells=cells, moves=moves if is_wall else (), seed=seed if is_wall else None))
    taken = {cell for snake in snakes for cell in snake.cells}
    foods = [place for place in _some_places(dice, (rows, columns), 2) if place not in taken]
    return setup.write(
        Setup(
            runner_id=runner_id,
            ticks=dice.between(20, 40),
            board=_laid(rows, columns, snakes, foods),
            snakes=tuple(snakes),
            next_food=tuple(_some_places(dice, (rows, columns), 6)) if shape != "seeded" else (),
            food_seed=dice.pick(100) if shape == "seeded" else None,
        )
    )


def _size(dice: Dice, shape: str) -> tuple[int, int]:
    match shape:
        case "narrow":
            size = (1, dice.between(1, 7))
        case "oblong":
            size = (dice.between(2, 3), dice.between(5, 8))
        case "large":
            return dice.between(20, 24), dice.between(20, 24)
        case "hungry":
            return dice.between(10, 13), dice.between(10, 13)
        case _:
            return dice.between(2, 6), dice.between(2, 6)
    return size if dice.happens(0.5) else size[::-1]


def _round(dice: Dice, runner_id: int) -> Board:
    """Put a wall between head and food that ends above the last row; the first way that is open isn't the best."""
    rows, columns = dice.between(13, 15), dice.between(12, 14)
    cells = {(row, columns - 3): 2 * runner_id + 1 for row in range(rows - 1)}
    cells |= {(0, dice.between(0, 2)): 2 * runner_id, (rows // 2, columns - 1): FOOD}
    return Board.of([[cells.get((row, column), FREE) for column in range(columns)] for row in range(rows)])


def _corner(dice: Dice, runner_id: int) -> Board:
    """Put the head midway between foods in two corners, with a wall from one to the other."""
    rows, columns = dice.between(2, 4), dice.choose((3, 5))
    wall = [FOOD, *[2 * runner_id + 1] * (columns - 2), FOOD]
    free = [[FREE] * columns for _ in range(rows - 1)]
    free[0][columns // 2] = 2 * runner_id
    lines = [wall, *free] if dice.happens(0.6) else [*reversed(free), wall]
    return Board.of(lines if dice.happens(0.6) else [list(line) for line in zip(*lines, strict=True)])


def _board(dice: Dice, shape: str, runner_id: int, size: int | None) -> Board:
    if shape == "round":
        return _round(dice, runner_id)
    if shape == "corner":
        return _corner(dice, runner_id)
    rows, columns = (size, size) if size else _size(dice, shape)
    most = {"foods": 4, "large": 3}.get(shape, 2)
    foods = {"boxed": dice.pick(2), "hungry": 0}.get(shape, dice.between(1, most))
    walls = {"open": 0.05, "hungry": 0.05, "foods": 0.1, "large": 0.15, "boxed": 0.5, "walls": 0.35}.get(shape, 0.2)
    return _filled(dice, (rows, columns), runner_id, _Crowd(walls, foods, 0.1 if shape == "boxed" else 0.02))


class _Crowd(NamedTuple):
    """What lies on a board, and how often the runner doesn't."""

    walls: float
    foods: int
    headless: float


def _filled(dice: Dice, size: tuple[int, int], runner_id: int, crowd: _Crowd) -> Board:
    others = (number for other in (1, 2, 3) if other != runner_id for number in (2 * other, 2 * other - 1))
    strange = (2 * runner_id - 1, *others)
    cells = [dice.choose(strange) if dice.happens(crowd.walls) else FREE for _ in range(size[0] * size[1])]
    for _ in range(crowd.foods):
        cells[dice.pick(len(cells))] = FOOD
    if not dice.happens(crowd.headless):
        cells[dice.pick(len(cells))] = 2 * runner_id
    return Board(rows=size[0], columns=size[1], cells=tuple(cells))


def _scattered(dice: Dice, count: int) -> Maps:
    """Give boards of all sorts: ties need room, walls bend ways, some lack food and a few the head."""
    runner_id = dice.choose((1, 1, 2, 3))
    boards = []
    for _ in range(count):
        crowd = _Crowd(dice.pick(5) / 10, dice.choose((0, 1, 1, 1, 2, 2, 3, 4)), 0.03)
        boards.append(_filled(dice, (dice.between(1, 9), dice.between(1, 9)), runner_id, crowd))
    return Maps(runner_id=runner_id, boards=tuple(boards))


def _long_board(dice: Dice, side: int) -> Board:
    """Wind a corridor through the board, or leave a wide one open and without food."""
    if dice.happens(0.35):
        rows, columns = dice.between(9, 14), dice.between(9, 14)
        return Board(rows=rows, columns=columns, cells=(2, *[FREE] * (rows * columns - 1)))
    return _winding(side, dice.pick(100) / 100)


def _winding(side: int, part: float) -> Board:
    """Wind a corridor through the board, with food at its end and the runner somewhere in it."""
    way = []
    for row in range(0, side, 2):
        turned = row // 2 % 2
        way += [row * side + column for column in (reversed(range(side)) if turned else range(side))]
        way.append((row + 1) * side + (0 if turned else side - 1))
    way = [index for index in way if index < side * side]
    cells = [3] * (side * side)
    for index in way:
        cells[index] = FREE
    cells[way[-1]] = FOOD
    cells[way[int(part * (len(way) - 2))]] = 2
    return Board(rows=side, columns=side, cells=tuple(cells))


def _any_play(dice: Dice, longest: int) -> Setup:
    """Lay a runner, seldom alone, on a small board, with food there and to come."""
    size, runner_id = (dice.between(1, longest), dice.between(1, longest)), dice.between(1, 2)
    snakes = [Snake(id=runner_id, cells=_free_run(dice, size, set()))]
    for number in sorted({*dice.some((1, 2, 3), dice.pick(3))} - {runner_id}):
        taken = {cell for snake in snakes for cell in snake.cells}
        if cells := _free_run(dice, size, taken):
            moves = tuple(dice.between(-1, 3) for _ in range(dice.pick(5)))
            snakes.append(Snake(id=number, cells=cells, moves=moves, seed=None if moves else _any_seed(dice)))
    snakes.sort(key=lambda snake: snake.id)
    taken = {cell for snake in snakes for cell in snake.cells}
    foods = [place for place in _some_places(dice, size, dice.pick(4)) if place not in taken]
    coming = tuple(_some_places(dice, size, dice.pick(4)))
    return Setup(
        runner_id=runner_id,
        ticks=dice.between(1, 12),
        board=_laid(*size, snakes, foods),
        snakes=tuple(snakes),
        next_food=coming,
        food_seed=None if coming else _any_seed(dice),
    )


def _any_seed(dice: Dice) -> int | None:
    return dice.pick(10) if dice.happens(0.5) else None


def _some_places(dice: Dice, size: tuple[int, int], count: int) -> list[Place]:
    return [(dice.pick(size[0]), dice.pick(size[1])) for _ in range(count)]


def _free_run(dice: Dice, size: tuple[int, int], taken: set[Place]) -> tuple[Place, ...]:
    """Give a head and a body that winds away from it over free squares."""
    everywhere = [(row, column) for row in range(size[0]) for column in range(size[1])]
    free = [place for place in everywhere if place not in taken]
    cells = [dice.choose(free)] if free else []
    for _ in range(dice.pick(4) if free else 0):
        place = stepped(cells[-1], dice.choose(tuple(Move)))
        if place in everywhere and place not in taken and place not in cells:
            cells.append(place)
    return tuple(cells)


def _laid(rows: int, columns: int, snakes: list[Snake], foods: list[Place]) -> Board:
    cells = dict.fromkeys(foods, FOOD)
    for snake in snakes:
        cells |= {place: 2 * snake.id - (place != snake.cells[0]) for place in snake.cells}
    return Board.of([[cells.get((row, column), FREE) for column in range(columns)] for row in range(rows)])


def difficulty(boards: tuple[Board, ...]) -> dict[str, float]:
    """Measure the maps, the share of open squares and the largest map."""
    cells = [cell for board in boards for cell in board.cells]
    free = sum(cell in (FREE, FOOD) for cell in cells) / len(cells)
    return {"length": len(boards), "branching": round(free, 2), "steps": max(len(board.cells) for board in boards)}
