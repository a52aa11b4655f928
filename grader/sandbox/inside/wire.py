"""Frames between the supervisor and the other side of the wall.

Towards the child a frame is a length and marshalled data, for the supervisor is trusted. Towards the supervisor it
is a length, one letter and JSON, for the child is not.
"""

from __future__ import annotations

import _socket
import marshal
import os
import struct
from typing import Any

CHANNEL = 3
"""Descriptor of the case's own socket in the child, the first after the standard streams."""

LENGTH = struct.Struct(">I")
STATUS = struct.Struct("=iddqq")
"""Wait status, user and system CPU seconds, peak resident KiB, left-over processes swept."""


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
    (size,) = LENGTH.unpack(read_exactly(fd, LENGTH.size))
    return marshal.loads(read_exactly(fd, size))  # noqa: S302 -- only the supervisor writes to this end


def write_frame(fd: int, letter: bytes, body: bytes) -> None:
    """Write one frame to the supervisor, whole."""
    frame = memoryview(LENGTH.pack(len(body) + 1) + letter + body)
    while frame:
        frame = frame[os.write(fd, frame) :]


def receive_fds(control: _socket.socket, count: int) -> list[int]:
    """Receive one byte with so many descriptors; an empty list when the supervisor is gone."""
    size = struct.calcsize("i")
    message, ancillary, _, _ = control.recvmsg(1, _socket.CMSG_LEN(count * size))
    if not message:
        return []
    return list(struct.unpack(f"={count}i", ancillary[0][2][: count * size]))


def send_fd(control: _socket.socket, message: bytes, fd: int | None) -> None:
    """Send a message, with a descriptor where there is one."""
    rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("=i", fd))] if fd is not None else []
    control.sendmsg([message], rights)
