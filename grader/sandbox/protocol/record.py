"""What is kept of a case, whichever runner had it: its output, where it was when it was stopped, its record."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

import msgspec

from grader.model.run import Place, RunRecord, Stream, Usage
from grader.model.verdict import Ending, Level
from grader.sandbox.inside.loop.watching import line_count

if TYPE_CHECKING:
    from grader.model.run import RunRequest
    from grader.sandbox.protocol.dialogue import Dialogue

SMALL = 4096
"""Below this, compression saves nothing (the same bound as in grader.model.run)."""
MOST_BYTES = 64 << 10
"""A hundred frames, which is all that is written, with paths of the greatest length."""
MOST_PLACES = 8
_ENDS = (b" in <module>\n", b"  ...\n")
_FRAME = re.compile(rb'^  File "([^"\n]{1,500}+)", line (\d{1,9}+) in ', re.MULTILINE)


class Capture:
    """One stream, compressed as it comes: `seen` counts every byte, at most `limit` of them are kept."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.seen = 0
        self._kept = 0
        self._plain = bytearray()
        self._packer: zlib._Compress | None = None
        self._packed: list[bytes] = []

    @property
    def cut(self) -> bool:
        return self.seen > self.limit

    def take(self, piece: bytes) -> None:
        self.seen += len(piece)
        piece = piece[: self.limit - self._kept]
        self._kept += len(piece)
        if self._packer is None:
            self._plain += piece
            if len(self._plain) > SMALL:
                self._packer = zlib.compressobj(1)
                self._packed.append(self._packer.compress(self._plain))
                self._plain.clear()
        elif piece:
            self._packed.append(self._packer.compress(piece))

    def stream(self) -> Stream:
        """Return what was kept; the capture is over."""
        if self._packer is None:
            return Stream(size=self._kept, data=bytes(self._plain), cut=self.cut)
        data = b"".join((*self._packed, self._packer.flush()))
        return Stream(size=self._kept, data=data, packed=True, cut=self.cut)


class Whereabouts:
    """Where a stopped case was, out of bytes that nobody can trust: its stack as `faulthandler` writes it.

    Only lines of the submission's own files are taken, and only by their numbers; a program that forges them lies
    about itself alone.
    """

    def __init__(self, request: RunRequest, home: str) -> None:
        self._files = request.files
        self._home = f"{home}/"
        self._answer = bytearray()

    def hear(self, piece: bytes) -> bool:
        """Take a piece of the answer; tell whether it looks whole."""
        self._answer += piece[: MOST_BYTES - len(self._answer)]
        return self._answer.endswith(_ENDS)

    def places(self) -> tuple[Place, ...]:
        """Return the lines of the submission in the order of the stack, the innermost first."""
        lengths = {self._home + file.path: line_count(file.content) for file in self._files}
        found = ((path.decode("utf-8", "replace"), int(line)) for path, line in _FRAME.findall(self._answer))
        own = [(path, line) for path, line in found if 1 <= line <= lengths.get(path, 0)]
        return tuple(Place(path=path.removeprefix(self._home), line=line) for path, line in own[:MOST_PLACES])


class End(msgspec.Struct, frozen=True, kw_only=True):
    """How a case ended, as its runner saw it."""

    limit: Ending | None
    """The limit at which it was stopped."""
    code: int
    """Its exit status, or the signal that ended it, below 0."""
    cpu_s: float
    wall_s: float
    peak_mib: float
    stopped_at: tuple[Place, ...] = ()
    waited: bool = False
    was_long: bool = False
    detail: str = ""


def record(dialogue: Dialogue, stdout: Capture, stderr: Capture, end: End, level: Level) -> RunRecord:
    """Return the record of a case that has begun."""
    ending = end.limit or (Ending.MEMORY_LIMIT if dialogue.out_of_memory else None)
    written = stdout.seen + stderr.seen
    return RunRecord(
        ending=ending or (Ending.SIGNALLED if end.code < 0 else Ending.EXITED),
        exit_status=end.code if end.code >= 0 else None,
        signal=-end.code if end.code < 0 else None,
        usage=Usage(cpu_s=end.cpu_s, wall_s=end.wall_s, peak_mib=end.peak_mib, bytes_written=written),
        stdout=stdout.stream(),
        stderr=stderr.stream(),
        stopped_at=end.stopped_at,
        waited=end.waited,
        was_long=end.was_long,
        level=level,
        detail=end.detail,
        **dialogue.facts(),
    )


def failed(detail: str, level: Level) -> RunRecord:
    """Return the record of a case that our own mechanism failed."""
    return RunRecord(ending=Ending.SANDBOX_FAILED, level=level, detail=detail)


def places(request: RunRequest, home: str, stack: str) -> tuple[Place, ...]:
    """Return the submission's lines in a stack that was told whole."""
    found = Whereabouts(request, home)
    found.hear(stack.encode("utf-8", "replace"))
    return found.places()
