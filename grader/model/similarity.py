"""Which submissions' source is alike, and where."""

from __future__ import annotations

import msgspec


class SourceLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a handed-in file."""

    path: str
    number: int
    text: str
    is_shared: bool = False


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One of the two submissions of a pair."""

    submission: str
    share: float
    """How much of its own code stands in the other, 0 to 1."""
    lines: tuple[SourceLine, ...]
    """Its whole source; empty for pairs beyond those that are shown."""


class Likeness(msgspec.Struct, frozen=True, kw_only=True):
    """Two submissions that share code."""

    first: Side
    second: Side
    characters: int
    """How much they share, after names, texts and comments were levelled."""

    @property
    def share(self) -> float:
        """The larger of both shares: a short program inside a long one counts."""
        return max(self.first.share, self.second.share)


class Cluster(msgspec.Struct, frozen=True, kw_only=True):
    """Three submissions or more that pairs hold together; not every two of them need be a pair."""

    members: tuple[str, ...]
    pairs: int
    least: float
    """Share of the least alike pair, and of the most alike one."""
    most: float


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A class compared, each with each."""

    assignment: str
    threshold: float
    compared: tuple[str, ...]
    left_out: dict[str, str]
    """Submission → why it couldn't be compared."""
    pairs: tuple[Likeness, ...]
    """From the threshold on, most alike first."""
    clusters: tuple[Cluster, ...] = ()
    """The largest first."""
    old: int = 0
    """How many programs of earlier terms the class was compared with."""
