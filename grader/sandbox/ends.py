"""Makes the pipes between the supervisor and one child."""

from __future__ import annotations

import os
import socket


class Ends:
    """Our ends of stdin, stdout, stderr and the channel, and the child's until it has them."""

    def __init__(self, channel: socket.socket) -> None:
        self.channel = channel
        their_stdin, self.stdin = os.pipe()
        self.stdout, their_stdout = os.pipe()
        self.stderr, their_stderr = os.pipe()
        self._open = {self.stdin, self.stdout, self.stderr}
        self.theirs = (their_stdin, their_stdout, their_stderr)
        for fd in self._open:
            os.set_blocking(fd, False)
        self.channel.setblocking(False)

    def hand_over(self, message: bytes) -> int:
        """Send the child its ends together with the message, of which it takes so many bytes at once."""
        try:
            return socket.send_fds(self.channel, [message], self.theirs)
        except (BrokenPipeError, ConnectionResetError):  # it couldn't be set up, and has said why
            return len(message)
        finally:
            self._close_theirs()

    def _close_theirs(self) -> None:
        for fd in self.theirs:
            os.close(fd)
        self.theirs = ()  # type: ignore[assignment]  # given away: nothing is left to close

    def close_stdin(self) -> None:
        self._open.discard(self.stdin)
        os.close(self.stdin)

    def close(self) -> None:
        self._close_theirs()
        self.channel.close()
        for fd in self._open:
            os.close(fd)
