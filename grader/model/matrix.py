"""Case × solution: which case fails which wrong solution."""

from __future__ import annotations

import msgspec

from grader.model.verdict import Verdict


class Solution(msgspec.Struct, frozen=True, kw_only=True):
    """One solution of the tree, and what every case said of it."""

    name: str
    """`<expected verdict>/<folder>`."""
    expected: Verdict
    about: str
    verdicts: dict[str, Verdict]

    @property
    def is_right(self) -> bool:
        return self.expected is Verdict.AC


class KillMatrix(msgspec.Struct, frozen=True, kw_only=True):
    """Case × solution, and what is weak about it."""

    format: int = 1
    assignment: str
    cases: tuple[str, ...]
    solutions: tuple[Solution, ...]
    survivors: tuple[str, ...]
    """Wrong solutions that no case fails."""
    idle: tuple[str, ...]
    """Cases that fail no wrong solution."""
    redundant: tuple[tuple[str, str], ...]
    """Pairs (case, other): whatever the case fails, the other fails too."""
    surprises: tuple[str, ...]
    """Right solutions that fail, and wrong ones without the verdict they are kept for."""

    @property
    def is_sound(self) -> bool:
        return not (self.survivors or self.idle or self.surprises)
