"""One puzzle after the other in a process that a submission shares with itself: what is called, what is answered."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import msgspec

from grader.model.run import Agent, How, Program

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from grader.model.kit import World
    from grader.model.run import Reply

Call = tuple[Any, ...]


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle as inside.py is given it."""

    files: tuple[tuple[str, bytes], ...]
    cpu_s: float
    how: How


class Worlds:
    """The worlds of many puzzles, one after the other, as one world for one agent."""

    def __init__(self, setup: Any) -> None:
        self._calls = calls(msgspec.convert(setup, list[Turn]))
        self._next = next(self._calls, None)

    def observe(self) -> Call | None:
        return self._next

    def act(self, value: Any) -> None:
        try:
            self._next = self._calls.send(value)
        except StopIteration:
            self._next = None


def calls(turns: Iterable[Turn]) -> Generator[Call, Any, None]:
    """Yield what inside.py is called with; the first call for a puzzle brings its files and its time."""
    for turn in turns:
        begin: Any = (turn.files, turn.cpu_s)
        world = _world(turn.how)
        while (arguments := world.observe()) is not None:
            value = yield begin, *_whom(turn.how), *arguments
            begin = None
            world.act(value)


def replies_to(how: How, replies: Iterator[Reply]) -> tuple[Reply, ...]:
    """Take the replies to one puzzle; a world is played once more to see how many they are."""
    taken: list[Reply] = []
    world = _world(how)
    while world.observe() is not None and (reply := next(replies, None)) is not None:
        taken.append(reply)
        world.act(reply.value)
    return tuple(taken)


def _whom(how: How) -> Call:
    return () if isinstance(how, Program) else (how.module.removesuffix(".py").replace("/", "."), how.function)


def _world(how: How) -> World:
    if isinstance(how, Agent):
        module, _, name = how.world.partition(":")
        world: World = getattr(importlib.import_module(module), name)(how.setup)
        return world
    return _Listed(((how.main, how.argv, how.stdin),) if isinstance(how, Program) else how.arguments)


class _Listed:
    """Calls that are known beforehand, as a world that nothing changes."""

    def __init__(self, arguments: Iterable[Call]) -> None:
        self._arguments = iter(arguments)

    def observe(self) -> Call | None:
        return next(self._arguments, None)

    def act(self, value: Any) -> None:
        """Take no notice."""
