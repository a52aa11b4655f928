"""Reads where a stopped case was, out of bytes that nobody can trust.

The case's answer is a stack as `faulthandler` writes it. Of that only lines of the submission's own files are taken,
and only by their numbers; a program that forges them lies about itself alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from grader.model.run import Place
from grader.sandbox.inside.loop.watching import line_count

if TYPE_CHECKING:
    from grader.model.run import RunRequest

MOST_BYTES = 64 << 10
"""A hundred frames, which is all that is written, with paths of the greatest length."""
MOST_PLACES = 8
_ENDS = (b" in <module>\n", b"  ...\n")
_FRAME = re.compile(rb'^  File "([^"\n]{1,500}+)", line (\d{1,9}+) in ', re.MULTILINE)


class Whereabouts:
    """What a case answered when it was asked."""

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
