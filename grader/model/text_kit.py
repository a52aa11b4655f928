"""The kit of assignments that need none: the input is a text, the answer key is written into the cases."""

from __future__ import annotations

WITHHELD = ()


def parse(text: str) -> str:
    """Take the text as it is."""
    return text
