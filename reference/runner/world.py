"""The closed-loop play, tick by tick, in the trusted parent.

A tick: walls with a smaller id move, the runner is asked and moves, walls with a larger id move. A wall enters only
free squares (and the tail it is leaving itself); where its way is blocked it waits. The runner dies outside, on a
wall or on its own string; a tail about to leave may be entered, and if that tail then stays, the runner hit a wall.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec

from reference.runner.board import FOOD, FREE, NOTHING, Board, Move, Place, is_number, stepped
from reference.runner.setup import Setup, foods_of

if TYPE_CHECKING:
    from reference.runner.snakes import Snake

_MULTIPLIER = 6364136223846793005
_INCREMENT = 1442695040888963407
_MODULUS = 1 << 64


class End(StrEnum):
    """How a play ends."""

    TICKS = "ticks"
    OUTSIDE = "outside"
    WALL = "wall"
    SELF = "self"
    NO_MOVE = "no-move"
    STOPPED = "stopped"
    """The solution stopped answering before the end."""


class World:
    """One play; `observe` and `act` take turns until `observe` gives None."""

    def __init__(self, setup: Any) -> None:
        self.setup = msgspec.convert(setup, Setup)
        self.moves = self.food = self.tick = 0
        self.ending: End | None = None
        self._bodies = {snake.id: list(snake.cells) for snake in self.setup.snakes}
        self._dice = {snake.id: Dice(snake.seed) for snake in self.setup.snakes if snake.seed is not None}
        self._foods = foods_of(self.setup.board)
        self._coming = list(self.setup.next_food)
        self._food_dice = None if self.setup.food_seed is None else Dice(self.setup.food_seed)
        self._move_walls(is_before=True)

    def observe(self) -> tuple[Any, ...] | None:
        """Give a fresh list, the id and both sizes; None when the play is over."""
        return None if self.ending else self.board().arguments(self.setup.runner_id)

    def act(self, value: Any) -> None:
        """Carry out the runner's move, whatever came back, and let the world go on to its next turn."""
        if not (is_number(value) and value in (NOTHING, *Move)):
            self.ending = End.NO_MOVE
        elif value != NOTHING:
            self._move_runner(Move(int(value)))
        if self.ending:
            return
        self._move_walls(is_before=False)
        if self._head() in self._walls():
            self.ending = End.WALL
            return
        self.tick += 1
        if self.tick == self.setup.ticks:
            self.ending = End.TICKS
        else:
            self._move_walls(is_before=True)

    def outcome(self) -> dict[str, Any]:
        """Give moves made, food gathered and the ending as plain data."""
        return {"moves": self.moves, "food": self.food, "ending": str(self.ending or End.STOPPED)}

    def board(self) -> Board:
        """Draw the board as it is now; heads lie on top."""
        size = self.setup.board
        cells = [FREE] * (size.rows * size.columns)
        for row, column in self._foods:
            cells[row * size.columns + column] = FOOD
        for number, body in sorted(self._bodies.items(), key=lambda item: item[0] == self.setup.runner_id):
            for row, column in reversed(body):
                cells[row * size.columns + column] = 2 * number - ((row, column) != body[0])
        return Board(rows=size.rows, columns=size.columns, cells=tuple(cells))

    def _head(self) -> Place:
        return self._bodies[self.setup.runner_id][0]

    def _walls(self) -> set[Place]:
        return {cell for number, body in self._bodies.items() if number != self.setup.runner_id for cell in body}

    def _move_runner(self, move: Move) -> None:
        body = self._bodies[self.setup.runner_id]
        place = stepped(body[0], move)
        if not self.setup.board.has(place):
            self.ending = End.OUTSIDE
        elif place in body[:-1]:
            self.ending = End.SELF
        elif place in self._walls() - self._leaving_tails():
            self.ending = End.WALL
        else:
            self._advance(body, place)

    def _advance(self, body: list[Place], place: Place) -> None:
        self.moves += 1
        body.insert(0, place)
        if place not in self._foods:
            body.pop()
            return
        self.food += 1
        self._foods.remove(place)
        self._bring_food()

    def _leaving_tails(self) -> set[Place]:
        """Give the tails of walls that have their turn after the runner's."""
        runner_id = self.setup.runner_id
        return {body[-1] for number, body in self._bodies.items() if number > runner_id and len(body) > 1}

    def _bring_food(self) -> None:
        board = self.board()
        if self._food_dice is not None:
            free = [board.place(index) for index, cell in enumerate(board.cells) if cell == FREE]
            if free:
                self._foods.append(free[self._food_dice.pick(len(free))])
            return
        while self._coming:
            place = self._coming.pop(0)
            if board.has(place) and board.at(place) == FREE:
                self._foods.append(place)
                return

    def _move_walls(self, *, is_before: bool) -> None:
        for snake in self.setup.snakes:
            if snake.id != self.setup.runner_id and (snake.id < self.setup.runner_id) == is_before:
                self._move_wall(snake)

    def _move_wall(self, snake: Snake) -> None:
        body = self._bodies[snake.id]
        board = self.board()
        ways = [
            move
            for move in Move
            for place in [stepped(body[0], move)]
            if board.has(place) and (board.at(place) == FREE or (len(body) > 2 and place == body[-1] != self._head()))
        ]
        move = self._choose(snake, ways)
        if move in ways:
            body.insert(0, stepped(body[0], Move(move)))
            body.pop()

    def _choose(self, snake: Snake, ways: list[Move]) -> int:
        if snake.id in self._dice and ways:
            return int(ways[self._dice[snake.id].pick(len(ways))])
        return snake.moves[self.tick % len(snake.moves)] if snake.moves else NOTHING


class Dice:
    """A linear congruential generator, of which the upper bits are used."""

    def __init__(self, seed: int) -> None:
        self._state = (seed * 2 + 1) % _MODULUS
        self.pick(1)

    def pick(self, count: int) -> int:
        """Give a number from 0 to `count` - 1."""
        self._state = (self._state * _MULTIPLIER + _INCREMENT) % _MODULUS
        return (self._state >> 33) % count
