"""What programs with a known mistake would answer, one for each name."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from reference.alice import mistakes
from reference.alice.accuse import ARROW_NAMES, MISTAKES, parted
from reference.alice.puzzle import OFFSETS, UNSOLVABLE, Arrow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reference.alice.mistakes import Reading, State
    from reference.alice.puzzle import Maze, Place, StartColour

Path = tuple["Place", ...]
MOST_SQUARES = 100
MOST_STATES = 60_000
"""Pairs (square, d) that all searches of one maze together may look at: about half a second, once."""
MOST_PATHS = 1_000
"""Beginnings of shortest paths by one mistake that are written down for the students' kit."""
_RING = tuple(Arrow)
_ARROW_AT = {offset: arrow for arrow, offset in OFFSETS.items()}
_TURNS: dict[str, Callable[[int, int], Place]] = {
    "left and right": lambda row, column: (row, -column),
    "up and down": lambda row, column: (-row, column),
    "rows and columns": lambda row, column: (column, row),
    "left and right of diagonals": lambda row, column: (row, -column if row else column),
    "up and down of diagonals": lambda row, column: (-row if column else row, column),
}


class TooLargeError(Exception):
    """The maze is too large to search it so often."""


@lru_cache(maxsize=256)
def fewest_moves(maze: Maze, start_colour: StartColour) -> dict[str, int]:
    """Return the fewest moves by each mistake, `""` being none; UNSOLVABLE for no way, nothing for a large maze."""
    search = _Search(maze, start_colour)
    if len(maze.squares) > MOST_SQUARES:
        return {}
    try:
        fewest = {name: search.fewest(_reading(name, maze, start_colour)) for name in ("", *MISTAKES, *ARROW_NAMES)}
    except TooLargeError:
        return {}
    return fewest | {name: len(path) - 1 for name, path in _deep_paths(maze, start_colour).items()}


def explains(maze: Maze, start_colour: StartColour, name: str, path: Path) -> bool:
    """Tell whether a path keeps these rules from the start to the goal."""
    if name in _DEEP:
        return _deep_paths(maze, start_colour)[name] == path
    reading = _reading(name, maze, start_colour)
    is_whole = path[0] == reading.maze.start and path[-1] == reading.maze.goal
    states = {(path[0], reading.first_d())} if is_whole and reading.maze.goal not in path[:-1] else set()
    for there in path[1:]:
        alive = (state for state in states if reading.is_alive(state[1]))
        states = {new for state in alive for new in reading.moves(state) if new[0] == there}
    return bool(states)


def wrong_paths(maze: Maze, start_colour: StartColour) -> dict[Path, tuple[str, ...]]:
    """Return every path that is shortest by some mistakes, but not by the rules, with those mistakes.

    Nothing when there are too many to write down: then no mistake can be proved by this table.
    """
    found: dict[Path, list[str]] = {}
    try:
        for name, moves in fewest_moves(maze, start_colour).items():
            for path in _shortest(maze, start_colour, name, moves) if moves != UNSOLVABLE else ():
                found.setdefault(path, []).append(name)
    except TooLargeError:
        return {}
    return {path: tuple(names) for path, names in found.items() if "" not in names}


def _shortest(maze: Maze, start_colour: StartColour, name: str, moves: int) -> set[Path]:
    if name in _DEEP:
        return {_deep_paths(maze, start_colour)[name]}
    reading = _reading(name, maze, start_colour)
    level: set[tuple[Path, int]] = {((reading.maze.start,), reading.first_d())}
    for left in range(moves, 0, -1):
        level = {
            ((*path, there), after)
            for path, d in level
            if reading.is_alive(d)
            for there, after in reading.moves((path[-1], d))
            if (there == reading.maze.goal) == (left == 1)
        }
        if len(level) > MOST_PATHS:
            raise TooLargeError
    return {path for path, _ in level}


def _reading(name: str, maze: Maze, start_colour: StartColour) -> Reading:
    if not name:
        return mistakes.Reading(maze, start_colour)
    if name in MISTAKES:
        made: Callable[[Maze, StartColour], Reading] = getattr(mistakes, name)
        return made(maze, start_colour)
    return mistakes.Retabled(maze, start_colour, _table(name))


def _table(name: str) -> dict[Arrow, Arrow | None]:
    kind, how = parted(name)
    if kind == "turned":
        return {arrow: _RING[(at + int(how)) % len(_RING)] for at, arrow in enumerate(_RING)}
    if kind == "mirrored":
        return {arrow: _ARROW_AT[_TURNS[how](*OFFSETS[arrow])] for arrow in _RING}
    one, other = how.split()
    if kind == "exchanged":
        return {Arrow(one): Arrow(other), Arrow(other): Arrow(one)}
    return {Arrow(one): None if other == "nowhere" else Arrow(other)}


class _Search:
    """Searches one maze by mistaken rules, within a bound."""

    def __init__(self, maze: Maze, start_colour: StartColour) -> None:
        self.maze = maze
        self.start_colour = start_colour
        self.states_left = MOST_STATES

    def fewest(self, reading: Reading) -> int:
        """Return the fewest moves by these rules; UNSOLVABLE when none lead to the goal."""
        first = (reading.maze.start, reading.first_d())
        if reading.is_end(*first):
            return 0
        level: list[State] = [first] if reading.is_alive(first[1]) else []
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


_DEEP: dict[str, Callable[[Iterator[State]], list[State]]] = {
    "depth first": list,
    "depth first backwards": lambda moves: list(moves)[::-1],
}


@lru_cache(maxsize=256)
def _deep_paths(maze: Maze, start_colour: StartColour) -> dict[str, Path]:
    """Return the paths that a search finds that goes on from the newest state, for both orders of arrows."""
    reading = mistakes.Reading(maze, start_colour)
    return {name: _deep_path(reading, turn) for name, turn in _DEEP.items()}


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
