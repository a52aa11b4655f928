"""Holds the talk with one child to the protocol: what may come when, how often, and what it means."""

from __future__ import annotations

import importlib
import os
import time
from typing import TYPE_CHECKING, Any

from grader.model.run import Agent, BanUse, Calls, Program, Reply
from grader.sandbox.inside.loop.watching import MOST, line_count
from grader.sandbox.protocol import frames, payload

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from grader.model.kit import World
    from grader.model.run import File, Raised, RunRequest

BAN_FRAMES = 16 * MOST
"""Ban-use frames of one run: where processes are allowed, each tells for itself."""

MOVE = 64 << 10
"""Bytes of an agent's answer: it goes to a world, which is simulated in this very process."""


class Dialogue:
    """The facts that come over the channel. Breaches are facts too: `irregularities`."""

    def __init__(self, request: RunRequest, *, send: Callable[[bytes], None], size_limit: int) -> None:
        self._calls = _calls(request.how)
        self._arguments = next(self._calls, None)
        self._request = request
        self._send = send
        is_agent = isinstance(request.how, Agent)
        self._reader = frames.FrameReader(min(size_limit, MOVE) if is_agent else size_limit)
        self._awaiting = "" if isinstance(request.how, Program) else "R"
        self.begun = False
        self.broken_set_up = ""
        self.replies: list[Reply] = []
        self.raised: Raised | None = None
        self.ban_uses: dict[BanUse, None] = {}
        self._ban_frames = 0
        self.irregularities: list[str] = []
        self.out_of_memory = False
        self.oversized = False
        self._mark = b""
        self.tick_began: float | None = None
        """When the call that is still to be answered was sent."""

    def hear(self, piece: bytes) -> bool:
        """Take bytes from the channel; False when the run can't go on: after a breach nothing more is believed."""
        try:
            for frame in self._reader.feed(piece):
                self._understand(frame)
        except frames.BrokenFrame as fault:
            self.irregularities.append(str(fault))
            self.oversized = isinstance(fault, frames.OversizedFrame)
        return not self.irregularities

    def close(self, *, killed: bool) -> None:
        """Take down what is missing now that the child has ended; one that was killed owes nothing."""
        if self.irregularities or killed:
            return
        if self._reader.rest:
            self.irregularities.append("a frame that was cut short")
        elif self._awaiting == "V":
            self.irregularities.append(f"no frame for call {len(self.replies) + 1}")

    def facts(self) -> dict[str, Any]:
        """Return the fields of a record that were told over the channel."""
        told = {name: tuple(getattr(self, name)) for name in ("replies", "irregularities", "ban_uses")}
        return {"raised": self.raised, **told}

    def _understand(self, frame: frames.Frame) -> None:
        letter, value = frame.letter, frame.value
        if letter in "GS" and not self.begun:
            self.begun = letter == "G"
            self.broken_set_up = "" if self.begun else str(value)
        elif letter == "B" and self._request.watch:
            self._take_ban_use(*frames.ban_use(value))
        elif letter == "X" and isinstance(self._request.how, Program) and self.raised is None:
            self._take_exception(value)
        elif letter == "I" and self._awaiting == "R":
            self._awaiting = ""
            self._take_exception(value)
        elif letter == "R" and self._awaiting == "R":
            self._call()
        elif letter in "VE" and self._awaiting == "V" and frame.mark == self._mark:
            self._take_reply(frame)
        else:
            raise frames.BrokenFrame(
                "a frame that answers no call" if self._awaiting else "a frame after the last call"
            )

    def _take_ban_use(self, index: int, path: str, line: int) -> None:
        """Take an entry of our list and a line of the submission; a use at no line of it is told at its first."""
        self._ban_frames += 1
        file = _own_file(self._request, path)
        if file is None or not 0 <= index < len(self._request.watch) or self._ban_frames > BAN_FRAMES:
            raise frames.BrokenFrame("a ban use that can't be")
        if not path:
            line = 1
        elif not 1 <= line <= line_count(file.content):
            raise frames.BrokenFrame("a ban use that can't be")
        if len(self.ban_uses) < MOST:
            self.ban_uses.setdefault(BanUse(module=self._request.watch[index], path=file.path, line=line))

    def _take_exception(self, value: Any) -> None:
        self.raised = frames.raised(value)
        self.out_of_memory = frames.is_memory_error(value)

    def _take_reply(self, frame: frames.Frame) -> None:
        assert self.tick_began is not None
        wall_s = time.monotonic() - self.tick_began
        if frame.letter == "V":
            reply = Reply(value=frame.value, wall_s=wall_s)
        else:
            reply = Reply(raised=frames.raised(frame.value), wall_s=wall_s)
            self.out_of_memory = self.out_of_memory or frames.is_memory_error(frame.value)
        self.replies.append(reply)
        try:
            self._arguments = self._calls.send(reply)
        except StopIteration:
            self._arguments = None
        self._call()

    def _call(self) -> None:
        """Send the next call, or that there is none."""
        is_over = self._arguments is None
        self._awaiting = "" if is_over else "V"
        self.tick_began = None if is_over else time.monotonic()
        self._mark = os.urandom(frames.MARK)
        self._send(payload.frame(None if is_over else (self._mark, self._arguments)))


def _own_file(request: RunRequest, path: str) -> File | None:
    """Return the submission's file of this path; for the empty one the file that runs."""
    if not path:
        path = request.how.main if isinstance(request.how, Program) else request.how.module
        first = request.files[0] if request.files else None
        return next((file for file in request.files if file.path in {path, f"{path}.py"}), first)
    return next((file for file in request.files if file.path == path), None)


def _calls(how: Program | Calls | Agent) -> Generator[tuple[Any, ...], Reply, None]:
    """Yield the arguments of each call and take its reply; a program is called nothing.

    In a fixed list a call that raises doesn't end the others. A world, simulated here, ends with the agent.
    """
    if isinstance(how, Calls):
        for call in how.arguments:  # noqa: UP028 -- `yield from` would send the reply to the tuple
            yield call
    elif isinstance(how, Agent):
        module, _, name = how.world.partition(":")
        world: World = getattr(importlib.import_module(module), name)(how.setup)
        while (arguments := world.observe()) is not None:
            reply = yield arguments
            if reply.raised is not None:
                return
            world.act(reply.value)
