"""What the sandbox is asked, and the facts it gives back.

A RunRequest holds source, input and limits: never an expected value. A RunRecord holds facts: never an opinion.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from grader.model.verdict import Ending, Level

if TYPE_CHECKING:
    from collections.abc import Iterator

_DAY_S = 86_400
_MOST = 1 << 20
"""Of MiB, files or processes: beyond any machine, within what the kernel can be told."""
_SMALL = 4096  # below this a compressed stream saves nothing
_BIG_NUMBER = re.compile(r"\{'\$int': '(-?[0-9]+)'\}")


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one run may use."""

    cpu_s: Annotated[float, Meta(gt=0, le=_DAY_S)] = 5.0
    """Seconds of processor time."""
    wall_s: Annotated[float, Meta(gt=0, le=_DAY_S)] = 15.0
    """Seconds on the clock."""
    memory_mib: Annotated[int, Meta(gt=0, le=_MOST)] = 512
    output_mib: Annotated[float, Meta(gt=0, le=_MOST)] = 16.0
    """What it may print."""
    disk_mib: Annotated[int, Meta(gt=0, le=_MOST)] = 16
    """What it may write into files."""
    files: Annotated[int, Meta(gt=0, le=_MOST)] = 64
    """How many files it may hold open."""
    processes: Annotated[int, Meta(ge=0, le=_MOST)] = 0
    """How many processes it may start."""
    threads: Annotated[int, Meta(gt=0, le=_MOST)] = 16
    tick_s: Annotated[float, Meta(gt=0, le=_DAY_S)] | None = None
    """Seconds on the clock for one tick of a game."""


class File(msgspec.Struct, frozen=True, kw_only=True):
    """One file by its path below the working directory, always with '/'."""

    path: str
    content: bytes


class Program(msgspec.Struct, frozen=True, kw_only=True, tag="program"):
    """Run `main` as `python3 main argv…` with `stdin`."""

    main: str
    argv: tuple[str, ...] = ()
    stdin: bytes = b""


class Calls(msgspec.Struct, frozen=True, kw_only=True, tag="calls"):
    """Import `module` and call `function` once for each tuple of plain arguments."""

    module: str
    function: str
    arguments: tuple[tuple[Any, ...], ...]


class Agent(msgspec.Struct, frozen=True, kw_only=True, tag="agent"):
    """Import `module` and call `function` once per tick of a world that the trusted parent simulates.

    `world` is an import path `package.module:Class`; the parent builds `Class(setup)` (see model.kit.World).
    """

    module: str
    function: str
    world: str
    setup: Any


How = Program | Calls | Agent


class RunRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One run of one submission on one input."""

    how: How
    files: tuple[File, ...]
    inputs: tuple[File, ...] = ()
    limits: Limits = Limits()
    packages: tuple[str, ...] = ()
    watch: tuple[str, ...] = ()
    """Modules whose use by the student's own code is recorded at run time."""


class Stream(msgspec.Struct, frozen=True, kw_only=True):
    """A program's output, compressed when large, cut at the limit."""

    size: int = 0
    """Bytes kept, before compression."""
    data: bytes = b""
    packed: bool = False
    cut: bool = False

    @classmethod
    def of(cls, content: bytes, *, cut: bool = False) -> Stream:
        packed = len(content) > _SMALL
        data = zlib.compress(content, 1) if packed else content
        return cls(size=len(content), data=data, packed=packed, cut=cut)

    def chunks(self) -> Iterator[bytes]:
        """Give the content piece by piece, in bounded memory."""
        if not self.packed:
            yield self.data
            return
        inflate = zlib.decompressobj()
        data = self.data
        while data and not inflate.eof:
            piece = inflate.decompress(data, 1 << 16)
            data = inflate.unconsumed_tail
            if piece:
                yield piece
            elif not data:
                return

    def head(self, limit: int) -> bytes:
        """Give the first bytes, at most `limit`."""
        kept = bytearray()
        for piece in self.chunks():
            kept += piece[: limit - len(kept)]
            if len(kept) >= limit:
                break
        return bytes(kept)

    def content(self) -> bytes:
        return b"".join(self.chunks())


class Raised(msgspec.Struct, frozen=True, kw_only=True):
    """An exception that left the student's code, as the child told it."""

    type: str
    message: str
    traceback: str = ""


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What one call gave back: a plain value, or an exception."""

    value: Any = None
    raised: Raised | None = None
    wall_s: float = 0.0


class BanUse(msgspec.Struct, frozen=True, kw_only=True):
    """The student's code used a watched module while it ran. No text in it is the child's."""

    module: str
    """An entry of the request's watch list."""
    path: str
    """One of the submission's files."""
    line: int
    """A line that this file has."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the submission. No text in it is the child's."""

    path: str
    """One of the submission's files."""
    line: int
    """A line that this file has."""


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_mib: float = 0.0
    bytes_written: int = 0


class RunRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What happened in one run."""

    ending: Ending
    exit_status: int | None = None
    signal: int | None = None
    usage: Usage = Usage()
    stdout: Stream = Stream()
    stderr: Stream = Stream()
    replies: tuple[Reply, ...] = ()
    """Calls and Agent: one for each call that was answered, in order."""
    raised: Raised | None = None
    """The exception that ended a program, or that came while its module was imported."""
    irregularities: tuple[str, ...] = ()
    """Breaches of the frame protocol: a second frame, a short one, one after exit."""
    ban_uses: tuple[BanUse, ...] = ()
    stopped_at: tuple[Place, ...] = ()
    """For limits of time and output: the lines in which it was when it was stopped, the innermost first, if known."""
    waited: bool = False
    """For wall_limit: the program slept or waited by itself, not for a core, so a second run would end alike."""
    was_long: bool = False
    """It took half of a time limit or more, time in which it waited for a core aside."""
    level: Level = Level.NONE
    detail: str = ""
    """For sandbox_failed: which mechanism failed, for staff."""


def python_text(value: Any) -> str:
    """Return what a call gave back as Python writes it; a number beyond 64 bits travels as {"$int": its digits}."""
    return _BIG_NUMBER.sub(r"\1", repr(value))
