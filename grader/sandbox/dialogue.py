"""Holds the talk with one child to the protocol: what may come when, and what it means."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from grader.model.run import Reply
from grader.sandbox import frames, payload

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.model.run import BanUse, Raised
    from grader.sandbox.conversation import Conversation


class Dialogue:
    """The facts that come over the channel. Breaches are facts too: `irregularities`."""

    def __init__(self, talk: Conversation | None, *, send: Callable[[bytes], None], size_limit: int) -> None:
        self._talk = talk
        self._send = send
        self._reader = frames.FrameReader(size_limit)
        self._awaiting = "R" if talk else ""
        self.begun = False
        self.broken_set_up = ""
        self.replies: list[Reply] = []
        self.raised: Raised | None = None
        self.ban_uses: list[BanUse] = []
        self.irregularities: list[str] = []
        self.out_of_memory = False
        self.oversized = False
        self._mark = b""
        self.tick_began: float | None = None
        """When the call that is still to be answered was sent."""

    def hear(self, piece: bytes) -> bool:
        """Take bytes from the channel; False when a talk can't go on. After a breach nothing more is believed."""
        if not self.irregularities:
            try:
                for frame in self._reader.feed(piece):
                    self._understand(frame)
            except frames.BrokenFrame as fault:
                self.irregularities.append(str(fault))
                self.oversized = isinstance(fault, frames.OversizedFrame)
        return not (self.irregularities and self._talk)

    def close(self, *, stopped: bool) -> None:
        """Take down what is missing now that the child has ended; one that was stopped owes nothing."""
        if self.irregularities:
            return
        if self._reader.rest:
            self.irregularities.append("a frame that was cut short")
        elif self._awaiting == "V" and not stopped:
            self.irregularities.append(f"no frame for call {len(self.replies) + 1}")

    def _understand(self, frame: frames.Frame) -> None:
        letter, value = frame.letter, frame.value
        if letter in "GS" and not self.begun:
            self.begun = letter == "G"
            self.broken_set_up = "" if self.begun else str(value)
        elif letter == "B":
            self.ban_uses.append(frames.ban_use(value))
        elif letter == "X" and self._talk is None and self.raised is None:
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

    def _take_exception(self, value: Any) -> None:
        self.raised = frames.raised(value)
        self.out_of_memory = frames.is_memory_error(value)

    def _take_reply(self, frame: frames.Frame) -> None:
        assert self._talk is not None
        assert self.tick_began is not None
        wall_s = time.monotonic() - self.tick_began
        if frame.letter == "V":
            reply = Reply(value=frame.value, wall_s=wall_s)
        else:
            reply = Reply(raised=frames.raised(frame.value), wall_s=wall_s)
            self.out_of_memory = self.out_of_memory or frames.is_memory_error(frame.value)
        self.replies.append(reply)
        self._talk.answer(reply)
        self._call()

    def _call(self) -> None:
        """Send the next call, or that there is none."""
        assert self._talk is not None
        arguments = self._talk.next()
        self._awaiting = "" if arguments is None else "V"
        self.tick_began = None if arguments is None else time.monotonic()
        self._mark = os.urandom(frames.MARK)
        self._send(payload.frame(None if arguments is None else (self._mark, arguments)))
