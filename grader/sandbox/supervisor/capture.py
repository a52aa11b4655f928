"""Keeps a program's output in bounded memory, compressed as it comes."""

from __future__ import annotations

import zlib

from grader.model.run import Stream

SMALL = 4096
"""Below this, compression saves nothing (the same bound as in grader.model.run)."""


class Capture:
    """One stream: `seen` counts every byte, at most `limit` of them are kept."""

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
