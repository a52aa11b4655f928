"""Which mistaken rules would explain a wrong answer, by searching with each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.alice import mistakes
from reference.alice.puzzle import UNSOLVABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from reference.alice.mistakes import Reading, State
    from reference.alice.puzzle import Maze, Place, StartColour

Path = tuple["Place", ...]
MOST_SQUARES = 400
MOST_STATES = 30_000
"""Pairs (square, d) that all searches together may look at: about a quarter of a second."""
MOST_TOLD = 2
"""More mistakes that explain the same path explain nothing."""

OMITTED = (
    mistakes.RedIgnored,
    mistakes.YellowIgnored,
    mistakes.OtherStart,
    mistakes.GoalColour,
    mistakes.NoDiagonals,
    mistakes.FirstArrow,
    mistakes.SquaresOnce,
    mistakes.StartOnce,
    mistakes.BlanksBlock,
    mistakes.SquareGrid,
)
"""Rules that may be left out, so that a solution isn't found."""
CHANGED = (
    mistakes.RedIgnored,
    mistakes.YellowIgnored,
    mistakes.YellowAdds,
    mistakes.ColoursExchanged,
    mistakes.LateColour,
    mistakes.OtherStart,
    mistakes.AtLeastOne,
    mistakes.Backwards,
    mistakes.GoalPassed,
    mistakes.GridCaps,
    mistakes.StopsAtEdge,
    mistakes.NegativeWraps,
    mistakes.RowsRunOn,
    mistakes.UpToD,
    mistakes.Mirrored,
    mistakes.UpsideDown,
    mistakes.Transposed,
    mistakes.MirroredDiagonals,
)
"""Rules that may be taken otherwise, so that an illegal path seems right."""
COARSE = (mistakes.ColoursIgnored, mistakes.Wraps)
"""Changes that hold another one: they are looked at only when no other explains the path."""


class TooLargeError(Exception):
    """The maze is too large to search it so often."""


class Suspects:
    """Searches one maze by mistaken rules, within a bound."""

    def __init__(self, maze: Maze, start_colour: StartColour) -> None:
        self.maze = maze
        self.start_colour = start_colour
        self.states_left = MOST_STATES

    def of_illegal(self, path: Path) -> list[str]:
        """Give the rules by which this path would be a shortest one; none when too many explain it."""
        for kinds in (CHANGED, COARSE):
            found = self._fitting(kinds, lambda reading: is_legal(reading, path) and self._is_shortest(reading, path))
            if found:
                return [reading.would for reading in found] if len(found) <= MOST_TOLD else []
        return []

    def of_longer(self, path: Path, shortest: Path) -> list[str]:
        """Give the rules without which this legal path would be a shortest one."""
        found = self._fitting(OMITTED, lambda reading: is_legal(reading, path) and self._is_shortest(reading, path))
        return [f"{reading.needs}{_stops(reading, shortest)}" for reading in found]

    def of_no_path(self, shortest: Path) -> list[str]:
        """Give the rules without which this maze has no solution, with the move of a shortest path that needs it."""
        found = self._fitting(OMITTED, lambda reading: self.fewest(reading) == UNSOLVABLE)
        return [f"{reading.needs}{_stops(reading, shortest)}" for reading in found]

    def _is_shortest(self, reading: Reading, path: Path) -> bool:
        return self.fewest(reading) == len(path) - 1

    def _fitting(self, kinds: Iterable[type[Reading]], fits: Callable[[Reading], bool]) -> list[Reading]:
        if len(self.maze.squares) > MOST_SQUARES:
            return []
        try:
            return [reading for kind in kinds if fits(reading := kind(self.maze, self.start_colour))]
        except TooLargeError:
            return []

    def fewest(self, reading: Reading) -> int:
        """Give the fewest moves by these rules; UNSOLVABLE when none lead to the goal."""
        level: list[State] = [(self.maze.start, reading.first_d())]
        level = level if reading.is_alive(level[0][1]) else []
        seen = {reading.key(state) for state in level}
        moves = 0
        while level:
            moves += 1
            self.states_left -= len(level)
            if self.states_left < 0:
                raise TooLargeError
            reached: list[State] = []
            for state in level:
                for new in reading.moves(state):
                    if reading.is_end(*new):
                        return moves
                    if abs(new[1]) <= self.maze.longest_jump + 1 and reading.key(new) not in seen:
                        seen.add(reading.key(new))
                        reached.append(new)
            level = reached
        return UNSOLVABLE


def is_legal(reading: Reading, path: Path) -> bool:
    """Tell whether a path keeps these rules from the start to the goal."""
    is_whole = path[0] == reading.maze.start and path[-1] == reading.maze.goal
    return is_whole and reading.maze.goal not in path[:-1] and _first_illegal(reading, path) is None


def _first_illegal(reading: Reading, path: Path) -> int | None:
    states = {(path[0], reading.first_d())}
    for number, there in enumerate(path[1:], start=1):
        states = {
            new for state in states if reading.is_alive(state[1]) for new in reading.moves(state) if new[0] == there
        }
        if not states:
            return number
    return None


def _stops(reading: Reading, shortest: Path) -> str:
    """Name the move of the shortest path that these rules forbid: an illegal one, or one to a square seen before."""
    again = (number for number, place in enumerate(shortest) if place in shortest[:number])
    number = _first_illegal(reading, shortest) or next(again, None)
    return f" (move {number})" if number else ""


def depth_first(maze: Maze, start_colour: StartColour) -> Iterator[Path]:
    """Give the paths that a search finds that goes on from the newest state, for both orders of arrows."""
    reading = mistakes.Reading(maze, start_colour)
    if len(maze.squares) <= MOST_SQUARES:
        yield from (_deep_path(reading, turn) for turn in (list, lambda moves: list(moves)[::-1]))


def _deep_path(reading: Reading, turn: Callable[[Iterator[State]], list[State]]) -> Path:
    first = (reading.maze.start, reading.first_d())
    parents: dict[State, State | None] = {first: None}
    stack = [first]
    while stack:
        state = stack.pop()
        if reading.is_end(*state):
            return _trace(parents, state)
        for new in turn(reading.moves(state)):
            if new not in parents and new[1] <= reading.maze.longest_jump + 1:
                parents[new] = state
                stack.append(new)
    return ()


def _trace(parents: dict[State, State | None], state: State | None) -> Path:
    path: list[Place] = []
    while state is not None:
        path.append(state[0])
        state = parents[state]
    return tuple(reversed(path))
