"""Answers a command whose inputs and outputs are all as it left them."""

from __future__ import annotations

from typing import NamedTuple

from grader.again import stamp as stamps
from grader.again.machine import installed, machine, variables
from grader.again.trees import Inventory, OddError


class Look(NamedTuple):
    """What was found before the command began."""

    arguments: list[str]
    facts: bytes = b""
    """Machine, Python, variables, installed packages; empty when they can't be told."""
    submissions: tuple[str, ...] = ()
    catalogue: tuple[str, ...] = ()
    data: bytes = b""
    """Digest of both, where the last stamp names them."""
    text: str | None = None
    """What the command would print; None when it has to run."""


def look(arguments: list[str]) -> Look:
    """Compare everything with the stamp that the same command left, the cheapest first; what is odd is no answer."""
    try:
        facts = machine() + variables() + installed()
        stamp = stamps.read(arguments)
        if stamp is None or stamp.facts != facts:
            return Look(arguments, facts)
        data = stamps.digest_data(stamp.submissions, stamp.catalogue)
        text = stamp.text if data == stamp.data and _is_same(stamp) else None
        return Look(arguments, facts, stamp.submissions, stamp.catalogue, data, text)
    except (OddError, OSError, ValueError, TypeError, EOFError):
        return Look(arguments)


def _is_same(stamp: stamps.Stamp) -> bool:
    if stamps.digest_marks(stamp.outputs) != stamp.marks:
        return False
    return Inventory(stamp.source, follow=True).digest == stamp.code
