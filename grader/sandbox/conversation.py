"""What the trusted side says to a function, call after call."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Protocol

from grader.model.run import Agent, Calls

if TYPE_CHECKING:
    from grader.model.kit import World
    from grader.model.run import Program, Reply


class Conversation(Protocol):
    def next(self) -> tuple[Any, ...] | None:
        """Give the next call's arguments; None when there is no more to say."""
        ...

    def answer(self, reply: Reply) -> None:
        """Take the answer to the last call."""
        ...


class CallList:
    """A fixed list of calls; one that raises doesn't end the others."""

    def __init__(self, calls: Calls) -> None:
        self._left = iter(calls.arguments)

    def next(self) -> tuple[Any, ...] | None:
        return next(self._left, None)

    def answer(self, reply: Reply) -> None:
        """Nothing hangs on the answer here; the judge reads it later."""


class Play:
    """A world that the trusted parent simulates; an exception of the agent ends it."""

    def __init__(self, agent: Agent) -> None:
        module, _, name = agent.world.partition(":")
        self._world: World = getattr(importlib.import_module(module), name)(agent.setup)
        self._over = False

    def next(self) -> tuple[Any, ...] | None:
        return None if self._over else self._world.observe()

    def answer(self, reply: Reply) -> None:
        if reply.raised is not None:
            self._over = True
        else:
            self._world.act(reply.value)


def begin(how: Program | Calls | Agent) -> Conversation | None:
    """Give the conversation that this way of running needs; a program has none."""
    if isinstance(how, Calls):
        return CallList(how)
    if isinstance(how, Agent):
        return Play(how)
    return None
