"""Many random boards from one seed, quickly."""

from __future__ import annotations

from random import Random

from reference.runner.board import FOOD, FREE, Board

_LONGEST_SIDE = 9
_CROWDS = (0.0, 0.1, 0.2, 0.3, 0.4)
_FOODS = (0, 1, 1, 1, 2, 2, 3, 4)


def scatter(seed: int, runner_id: int, count: int) -> tuple[Board, ...]:
    """Give boards of all sorts: ties need room, walls bend ways, some lack food and a few the head."""
    dice = Random(seed)  # noqa: S311 - boards need no secrecy
    return tuple(_board(dice, runner_id) for _ in range(count))


def _board(dice: Random, runner_id: int) -> Board:
    rows, columns = dice.randint(1, _LONGEST_SIDE), dice.randint(1, _LONGEST_SIDE)
    strange = (2 * runner_id - 1, 2 * runner_id + 1, 2 * runner_id + 1, 2 * runner_id + 2)
    crowd = dice.choice(_CROWDS)
    cells = [dice.choice(strange) if dice.random() < crowd else FREE for _ in range(rows * columns)]
    for _ in range(dice.choice(_FOODS)):
        cells[dice.randrange(len(cells))] = FOOD
    if dice.random() > 0.03:
        cells[dice.randrange(len(cells))] = 2 * runner_id
    return Board(rows=rows, columns=columns, cells=tuple(cells))
