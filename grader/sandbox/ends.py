"""Makes the pipes and the socket between the supervisor and one child."""

from __future__ import annotations

import os
import socket


class Ends:
    """Our ends of stdin, stdout, stderr and the channel, and the child's until it is started."""

    def __init__(self) -> None:
        their_stdin, self.stdin = os.pipe()
        self.stdout, their_stdout = os.pipe()
        self.stderr, their_stderr = os.pipe()
        self.channel, other = socket.socketpair()
        self._open = {self.stdin, self.stdout, self.stderr}
        self.theirs = (their_stdin, their_stdout, their_stderr, other.detach())
        for fd in self._open:
            os.set_blocking(fd, False)
        self.channel.setblocking(False)

    def give_away(self) -> None:
        """Close the child's ends here, once it has them."""
        for fd in self.theirs:
            os.close(fd)
        self.theirs = ()  # type: ignore[assignment]  # given away: nothing is left to close

    def close_stdin(self) -> None:
        self._open.discard(self.stdin)
        os.close(self.stdin)

    def close(self) -> None:
        self.give_away()
        self.channel.close()
        for fd in self._open:
            os.close(fd)
