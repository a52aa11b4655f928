"""A closed-loop play: its value and its text.

runner 1
ticks 30
wall 2: 1 1 3 3          the wall's moves, over and over; -1 waits
wall 3: seed 7           or drawn from a seeded generator; a wall without a line stands still
food: 0,4 3,3            where the next food appears, row,column
food: seed 5             or drawn; without a line no food follows
snake 2: 0,0 0,1 1,1     head to tail, only where the board leaves the order open

2 0 0 0
0 0 -1 0
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from grader.model.kit import PuzzleError
from reference.runner.board import FOOD, Board, Place
from reference.runner.maps import Line, blocks, read_board, read_integer, read_integers, read_runner, split_lines
from reference.runner.snakes import Snake, order_of, snakes_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_HEADING = re.compile(r"\s*(ticks|wall\s+\d{1,9}\s*:|food\s*:|snake\s+\d{1,9}\s*:)")
_PAIR = re.compile(r"(\d{1,9}),(\d{1,9})")


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that decides a play but the runner's own moves."""

    runner_id: int
    ticks: int
    board: Board
    snakes: tuple[Snake, ...]
    """In ascending order of id, the runner among them."""
    next_food: tuple[Place, ...] = ()
    food_seed: int | None = None


class _Heading(msgspec.Struct, kw_only=True):
    """What the lines above the board say."""

    runner_id: int
    ticks: int | None = None
    moves: dict[int, tuple[int, ...]] = {}
    seeds: dict[int, int] = {}
    orders: dict[int, tuple[Place, ...]] = {}
    next_food: tuple[Place, ...] = ()
    food_seed: int | None = None


def parse(text: str) -> Setup:
    """Read the heading and the one board below it."""
    parts = list(blocks(split_lines(text)))
    if len(parts) != 2:
        raise PuzzleError(
            f"a play has a heading, an empty line and one board; {len(parts)} blocks are here",
            hint="the heading begins with 'runner 1' and 'ticks 30'",
        )
    heading = _read_heading(parts[0])
    board = read_board(parts[1], heading.runner_id)
    if board.head(heading.runner_id) is None:
        raise PuzzleError(f"the board has no head {2 * heading.runner_id} of the runner", line=parts[1][0].number)
    if heading.ticks is None:
        raise PuzzleError("the heading lacks a line 'ticks' with a number", line=parts[0][0].number)
    snakes = snakes_of(board, heading.orders, line=parts[1][0].number)
    return Setup(
        runner_id=heading.runner_id,
        ticks=heading.ticks,
        board=board,
        snakes=tuple(_drive(snake, heading) for snake in snakes),
        next_food=heading.next_food,
        food_seed=heading.food_seed,
    )


def write(setup: Setup) -> str:
    """Write the text that gives the same setup."""
    lines = [f"runner {setup.runner_id}", f"ticks {setup.ticks}"]
    for snake in setup.snakes:
        if snake.moves:
            lines.append(f"wall {snake.id}: {' '.join(map(str, snake.moves))}")
        if snake.seed is not None:
            lines.append(f"wall {snake.id}: seed {snake.seed}")
        if order_of(setup.board, snake.id) != snake.cells:
            lines.append(f"snake {snake.id}: {_pairs(snake.cells)}")
    if setup.next_food:
        lines.append(f"food: {_pairs(setup.next_food)}")
    if setup.food_seed is not None:
        lines.append(f"food: seed {setup.food_seed}")
    return "\n".join([*lines, "", *setup.board.lines(), ""])


def foods_of(board: Board) -> list[Place]:
    return [board.place(index) for index, cell in enumerate(board.cells) if cell == FOOD]


def _drive(snake: Snake, heading: _Heading) -> Snake:
    return Snake(
        id=snake.id, cells=snake.cells, moves=heading.moves.get(snake.id, ()), seed=heading.seeds.get(snake.id)
    )


def _read_heading(lines: list[Line]) -> _Heading:
    heading = _Heading(runner_id=read_runner(lines[0]), moves={}, seeds={}, orders={})
    for line in lines[1:]:
        found = _HEADING.match(line.text)
        if not found:
            raise PuzzleError(
                f"{line.text[:40]!r} is no line of a heading",
                line=line.number,
                hint="known are: ticks N, wall ID: moves, food: row,column, snake ID: row,column",
            )
        _read_entry(heading, line, found.group(1), found.end())
    return heading


def _read_entry(heading: _Heading, line: Line, name: str, start: int) -> None:
    number = int("".join(filter(str.isdigit, name)) or 0)
    seed = _read_seed(line, start)
    if name == "ticks":
        heading.ticks = _read_ticks(line, start)
    elif name.startswith("snake"):
        heading.orders[number] = _read_pairs(line, start)
    elif name.startswith("wall") and number == heading.runner_id:
        raise PuzzleError(f"{number} is the runner, whose moves are the student's", line=line.number)
    elif name.startswith("wall") and seed is not None:
        heading.seeds[number] = seed
    elif name.startswith("wall"):
        heading.moves[number] = _read_moves(line, start)
    elif seed is not None:
        heading.food_seed = seed
    else:
        heading.next_food = _read_pairs(line, start)


def _read_seed(line: Line, start: int) -> int | None:
    words = line.text[start:].split()
    if len(words) != 2 or words[0] != "seed":
        return None
    return read_integer(line, words[1], line.text.rindex(words[1]))


def _read_ticks(line: Line, start: int) -> int:
    numbers = read_integers(line, start=start)
    if len(numbers) != 1 or not 1 <= numbers[0] <= 100_000:
        raise PuzzleError("ticks is one number from 1 to 100000", line=line.number)
    return numbers[0]


def _read_moves(line: Line, start: int) -> tuple[int, ...]:
    moves = tuple(read_integers(line, start=start))
    if not moves or not set(moves) <= {-1, 0, 1, 2, 3}:
        raise PuzzleError("a wall's moves are 0, 1, 2, 3, or -1 to wait", line=line.number, column=start + 1)
    return moves


def _read_pairs(line: Line, start: int) -> tuple[Place, ...]:
    words = line.text[start:].split()
    pairs = [found for word in words if (found := _PAIR.fullmatch(word))]
    if not words or len(pairs) != len(words):
        raise PuzzleError("places are written row,column with blanks between", line=line.number, column=start + 1)
    return tuple((int(pair[1]), int(pair[2])) for pair in pairs)


def _pairs(places: Iterable[Place]) -> str:
    return " ".join(f"{row},{column}" for row, column in places)
