"""One case in a browser, as the side with the judge sees it: what to tell the worker, what to make of its answers.

Nothing waits here. `room.js` carries the messages, keeps the clock and ends the worker; what the worker says is held
to the same protocol as anywhere (protocol/dialogue.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.model.result import Isolation
from grader.model.run import Program
from grader.model.verdict import Ending, Level
from grader.sandbox.browser.lacks import SLOWNESS, lack_of
from grader.sandbox.protocol import payload
from grader.sandbox.protocol.dialogue import Dialogue
from grader.sandbox.protocol.record import Capture, End, failed, places, record

if TYPE_CHECKING:
    from grader.model.run import Limits, RunRecord, RunRequest
    from grader.sandbox.browser.lacks import CoursePython

MIB = 1 << 20
HOME = "/home/student/work"

ISOLATION = Isolation(
    level=Level.NONE.value,
    mechanisms=("browser", "a worker without network, storage or page", "fresh memory for every case"),
    missing=(
        {
            "what": "the course's machine",
            "why": "this is your own browser",
            "consequence": "Its clock, its stack and its library differ. Your mark comes from the course's run.",
            "remedy": "",
        },
    ),
)


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What room.js says of a worker that has ended its case, or was ended."""

    limit: str = ""
    """An `Ending`, where it was stopped."""
    exit_status: int = 0
    wall_s: float = 0.0
    grown_mib: float = 0.0
    is_shallow: bool = False
    """Its recursion ended far before Python's limit."""
    crash: str = ""
    """How the interpreter itself broke down."""
    stack: str = ""


def limits_here(limits: Limits) -> Limits:
    """Return the limits of a case as a browser keeps them: one clock, which runs slower."""
    cpu_s = limits.cpu_s * SLOWNESS
    tick_s = None if limits.tick_s is None else limits.tick_s * SLOWNESS
    return msgspec.structs.replace(limits, cpu_s=cpu_s, wall_s=max(limits.wall_s, cpu_s), tick_s=tick_s)


class BrowserCase:
    """A case under way."""

    def __init__(self, request: RunRequest) -> None:
        self._request = request
        self._sent: list[bytes] = []
        self._cap = int(request.limits.output_mib * MIB)
        self._dialogue = Dialogue(request, send=self._sent.append, size_limit=self._cap)

    @property
    def payload(self) -> bytes:
        """What the worker is told of the case."""
        return payload.frame(payload.told(self._request, tasks=None))

    @property
    def stdin(self) -> bytes:
        how = self._request.how
        return how.stdin if isinstance(how, Program) else b""

    def hear(self, piece: bytes) -> bytes | None:
        """Take a message; return the next call, which may be nothing; None when it must be ended."""
        if not self._dialogue.hear(piece):
            return None
        sent, self._sent[:] = b"".join(self._sent), []
        return sent

    def record(self, facts: Facts, stdout: bytes, stderr: bytes) -> RunRecord:
        """Return what happened."""
        dialogue = self._dialogue
        dialogue.close(killed=bool(facts.limit or facts.crash))
        if not dialogue.begun:
            detail = dialogue.broken_set_up or facts.crash or "the worker ended before the program began"
            return failed(detail, Level.NONE)
        out, err = Capture(self._cap), Capture(MIB)
        out.take(stdout)
        err.take(stderr)
        end = End(
            limit=Ending(facts.limit) if facts.limit else None,
            code=facts.exit_status & 0xFF,
            cpu_s=facts.wall_s,
            wall_s=facts.wall_s,
            peak_mib=facts.grown_mib,
            stopped_at=places(self._request, HOME, facts.stack),
        )
        return record(dialogue, out, err, end, Level.NONE)

    def lack(self, facts: Facts, record: RunRecord, course: CoursePython) -> str:
        """Say what the browser lacks where that alone ended the program; empty when it didn't."""
        return lack_of(record, course, is_shallow=facts.is_shallow, crash=facts.crash)
