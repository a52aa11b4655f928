"""Frames between the supervisor and the other side of the wall.

Towards the child a frame is a length and marshalled data, for the supervisor is trusted. Towards the supervisor it
is a length, one letter and JSON, for the child is not.
"""

from __future__ import annotations

import _socket
import _thread
import marshal
import os
import struct
import sys
from typing import Any

CHANNEL = 3
"""Descriptor of the case's own socket in the child, the first after the standard streams."""
out = CHANNEL
"""Where answers go; another descriptor where the channel is a pair of pipes."""

WHERE = 64
"""The signal that asks a case for its whereabouts: Linux's last real-time signal, which nothing uses."""
MESSAGE, TRACEBACK = 4000, 16000
"""Characters of a told exception: a screenful or two; of a longer traceback the middle is left out."""
LENGTH = struct.Struct(">I")
FD_BYTES = 4
"""A descriptor's number in a message: a C int."""
NOTICE = struct.Struct("=iddqq")
"""From the zygote, of the case that has ended: its wait status, user and system CPU seconds, peak resident KiB,
left-over processes swept."""
NOT_SWEPT = -1
"""Instead of that number: something is left, and no other case may find it."""
_write, _pid = os.write, os.getpid  # a program may put something else in their place
_writing = _thread.RLock()
_speaker: list[int] = []
NOTHING = (0, 0.0, 0.0, 0, 0)
"""Stands for a case's end in the first message."""


def read_exactly(fd: int, size: int) -> bytes:
    """Read so many bytes, or raise EOFError when the other end is gone."""
    pieces = []
    while size:
        piece = os.read(fd, min(size, 1 << 20))
        if not piece:
            raise EOFError
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def read_data(fd: int) -> Any:
    """Read one marshalled frame from the trusted side; None stands for "no more"."""
    size = int.from_bytes(read_exactly(fd, LENGTH.size), "big")
    return marshal.loads(read_exactly(fd, size))  # noqa: S302 -- only the supervisor writes to this end


def write_frame(fd: int, letter: bytes, body: bytes) -> None:
    """Write one frame to the supervisor, whole, whichever threads write at the same time."""
    frame = (len(body) + 1).to_bytes(LENGTH.size, "big") + letter + body
    with _writing:
        while frame:
            frame = frame[_write(fd, frame) :]


def go() -> None:
    """Tell the supervisor that from here on the process is the student's."""
    _speaker[:] = [_pid()]
    write_frame(out, b"G", b"null")


def answer(letter: bytes, body: bytes) -> None:
    """Write a frame that only the case's own process may write, and no child of it."""
    if _speaker == [_pid()]:
        write_frame(out, letter, body)


def receive_fds(channel: _socket.socket, count: int) -> list[int]:
    """Receive one byte with so many descriptors; an empty list when the supervisor is gone."""
    message, ancillary, _, _ = channel.recvmsg(1, _socket.CMSG_LEN(count * FD_BYTES))
    if not message:
        return []
    data = ancillary[0][2]
    return [int.from_bytes(data[at : at + FD_BYTES], sys.byteorder) for at in range(0, count * FD_BYTES, FD_BYTES)]


def send_fds(control: _socket.socket, message: bytes, fds: list[int]) -> None:
    """Send a message with descriptors."""
    data = b"".join(fd.to_bytes(FD_BYTES, sys.byteorder) for fd in fds)
    control.sendmsg([message], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, data)])
