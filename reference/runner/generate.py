"""Make fresh maps and plays of the runner from seeded dice: a shape for each sort of fault.

The size counts the rows and columns of a map.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
}
PLAYS = {
    "alone": Shape(title="A play without walls", sizes=_SIZES),
    "scripted": Shape(title="A play among walls that go to and fro", sizes=_SIZES),
    "seeded": Shape(title="A play among walls that wander", sizes=_SIZES),
}


def vary_maps(dice: Dice, shape: str, size: int | None = None) -> str:
    """Write a sequence of maps of this shape."""
    runner_id = dice.between(2, 4) if shape == "other-id" else 1
    count = _FEW if shape in {"large", "hungry", "round"} else _MAPS
    boards = (_board(dice, shape, runner_id, size) for _ in range(count))
    return maps.write(Maps(runner_id=runner_id, boards=tuple(boards)))


def vary_play(dice: Dice, shape: str, size: int | None = None) -> str:
    """Write a play of this shape."""
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
    strange = [
        2 * runner_id - 1,
        *(number for other in (1, 2, 3) if other != runner_id for number in (2 * other, 2 * other - 1)),
    ]
    crowd = {"open": 0.05, "hungry": 0.05, "foods": 0.1, "large": 0.15, "boxed": 0.5, "walls": 0.35}.get(shape, 0.2)
    cells = [dice.choose(strange) if dice.happens(crowd) else FREE for _ in range(rows * columns)]
    most = {"foods": 4, "large": 3}.get(shape, 2)
    foods = {"boxed": dice.pick(2), "hungry": 0}.get(shape, dice.between(1, most))
    for _ in range(foods):
        cells[dice.pick(len(cells))] = FOOD
    if not dice.happens(0.1 if shape == "boxed" else 0.02):
        cells[dice.pick(len(cells))] = 2 * runner_id
    return Board(rows=rows, columns=columns, cells=tuple(cells))


def _some_places(dice: Dice, size: tuple[int, int], count: int) -> list[Place]:
    return [(dice.pick(size[0]), dice.pick(size[1])) for _ in range(count)]


def _free_run(dice: Dice, size: tuple[int, int], taken: set[Place]) -> tuple[Place, ...]:
    """Give a head and a body that winds away from it over free squares."""
    everywhere = [(row, column) for row in range(size[0]) for column in range(size[1])]
    cells = [dice.choose([place for place in everywhere if place not in taken])]
    for _ in range(dice.pick(4)):
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
