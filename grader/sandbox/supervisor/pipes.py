"""Makes the pipes between the supervisor and one child."""

from __future__ import annotations

import os
import socket


class Pipes:
    """Our ends of stdin, stdout, stderr and the channel, and the child's until it has them."""

    def __init__(self, channel: socket.socket) -> None:
        self.channel = channel
        self._open: set[int] = set()
        self.theirs: list[int] = []

    def open(self) -> None:
        """Make the pipes; whatever is open when one can't be made is closed by `close`."""
        self.stdin = self._pipe(to_child=True)
        self.stdout, self.stderr = self._pipe(), self._pipe()
        self.channel.setblocking(False)

    def _pipe(self, *, to_child: bool = False) -> int:
        """Make a pipe; keep our end, which never blocks."""
        reading, writing = os.pipe()
        ours, theirs = (writing, reading) if to_child else (reading, writing)
        self._open.add(ours)
        self.theirs.append(theirs)
        os.set_blocking(ours, False)
        return ours

    def hand_over(self, message: bytes) -> int:
        """Send the child its ends together with the message, of which it takes so many bytes at once."""
        try:
            return socket.send_fds(self.channel, [message], self.theirs)
        except (BrokenPipeError, ConnectionResetError):  # it couldn't be set up, and has said why
            return len(message)
        finally:
            self._close_theirs()

    def _close_theirs(self) -> None:
        while self.theirs:
            os.close(self.theirs.pop())

    def close_stdin(self) -> None:
        self._open.discard(self.stdin)
        os.close(self.stdin)

    def close(self) -> None:
        self._close_theirs()
        self.channel.close()
        for fd in self._open:
            os.close(fd)
