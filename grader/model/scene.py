"""A puzzle and its answers as frames of data that a report can play.

Squares are drawn once; a frame says only what changed since the frame before it.
"""

from __future__ import annotations

import msgspec


class Square(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One square that isn't plain background."""

    row: int
    column: int
    kind: str
    """`floor`, `wall`, `blank`, `start`, `goal`, `food`, `head`, `body`, `wall-head`, `wall-body`."""
    colour: str = ""
    """`red`, `yellow`, `black` or empty."""
    arrows: tuple[str, ...] = ()
    """Compass points: N NE E SE S SW W NW."""
    text: str = ""


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """A square takes on a look: a kind of Square, `trail`, or empty to give back the first look."""

    row: int
    column: int
    look: str


class Frame(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One moment of a track: where, facing and step as they are now, marks as they changed."""

    at: tuple[int, int] | None = None
    """Row and column; None when nobody stands on the board."""
    facing: str = ""
    """N, W, S, E or empty."""
    step: int | None = None
    """Alice's d after the move."""
    marks: tuple[Mark, ...] = ()
    caption: str = ""


class Track(msgspec.Struct, frozen=True, kw_only=True):
    """One telling of the walk: what the rules give, or what the submission did."""

    title: str
    frames: tuple[Frame, ...]
    first: int = 0
    """Number of the first frame kept; earlier ones were left out to bound the file."""
    omitted: int = 0
    """Frames left out in all."""


class Probe(msgspec.Struct, frozen=True, array_like=True):
    """One point that a search took up, with its reason."""

    row: int
    column: int
    note: str


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    rows: int
    columns: int
    squares: tuple[Square, ...]
    tracks: tuple[Track, ...] = ()
    difference: int | None = None
    """Number of the first frame in which the tracks differ."""
    search: tuple[Probe, ...] = ()
    """The order in which the rules' search takes up its points; shown on demand."""
    search_frame: int | None = None
    """Number of the frame whose search this is; None for the whole puzzle."""
    title: str = ""
