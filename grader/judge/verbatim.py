"""Tells whether a program printed a stored transcript byte for byte."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.model.run import Stream


def is_verbatim(path: str, found: Stream) -> bool:
    """Compare as bytes: what is equal here is equal under every tolerance, and most right answers are."""
    packed = path.endswith(".gz")
    if not packed and Path(path).stat().st_size != found.size:
        return False
    with gzip.open(path) if packed else Path(path).open("rb") as file:
        return all(file.read(len(piece)) == piece for piece in found.chunks()) and not file.read(1)
