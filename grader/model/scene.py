"""A puzzle and its answers as frames of data that a report can play.

Squares are drawn once; a frame says only what changed since the frame before it. There may be thousands of each and
none holds another of its kind, so the garbage collector needn't look at them.
"""

from __future__ import annotations

import zlib

import msgspec

from grader.model import wire

_MOST = 64 << 20
"""Bytes of a scene: one of the largest puzzle takes some 5 MiB."""


class Square(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One square that isn't plain background."""

    row: int
    column: int
    look: str = "square"
    """A shape, and a tone if it has one: `square` fills the square, `block` is a rounded one, `face` a block with
    eyes, `disc` a round piece; tones are `main`, `grey`, `void`, `blue`, `green`, `red`, `yellow`: `square-red`."""
    text: str = ""
    """A letter or two in the middle of a `square`."""
    corner: str = ""
    """A sign in its corner."""
    arrows: tuple[str, ...] = ()
    """Compass points: N NE E SE S SW W NW."""
    tone: str = ""
    """Of arrows and corner: `red`, `yellow` or plain."""


class Mark(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A square takes on a look: one of a Square's, `trail`, or empty to give back the first look."""

    row: int
    column: int
    look: str


class Frame(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One moment of a track: where, facing and label as they are now, marks as they changed."""

    at: tuple[int, int] | None = None
    """Row and column; None when nobody stands on the board."""
    facing: str = ""
    """N, W, S, E or empty."""
    label: str = ""
    """What stands on the walker, such as a number; labelled places are joined by a line."""
    marks: tuple[Mark, ...] = ()
    caption: str = ""
    """The reason in a few words: what the rule says here, or what was done instead."""
    hints: tuple[Mark, ...] = ()
    """Squares that this frame alone points at: `target` is where one may go next, `barred` where one may not."""


class Track(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One telling of the walk: what the rules give, or what the submission did."""

    title: str
    frames: tuple[Frame, ...]
    first: int = 0
    """Number of the first frame kept; earlier ones were left out to bound the file."""
    omitted: int = 0
    """Frames left out in all."""


class Probe(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One point that a search took up, with its reason."""

    row: int
    column: int
    note: str
    opened: tuple[tuple[int, int, int, int], ...] = ()
    """What this point put among those that wait: row, column, cost so far, estimate of the rest."""


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
    search_step: int | None = None
    """How many points that search has taken when it comes to the choice in question; None for its end."""
    title: str = ""
    label: str = ""
    """What the labels of frames are, such as `d`: each board has it beside it."""
    hand: bool = False
    """The walker keeps its left hand on the wall."""
    names: dict[str, str] = {}
    """Look, or look of a hint → what it is: `{"face-main": "your head"}`."""


class _Kept(Scene, frozen=True, kw_only=True, omit_defaults=True):
    """A scene whose squares are a table: few differ in more than their place. Format 4 has them one by one."""

    squares: tuple[Square, ...] = ()
    kinds: tuple[tuple[str, str, str, tuple[str, ...], str], ...] = ()
    """All that a square has beside its place, each such look once."""
    which: tuple[int, ...] = ()
    """Kind of every square, and in the next two its row and its column."""
    down: tuple[int, ...] = ()
    across: tuple[int, ...] = ()


class PackedScene(msgspec.Struct, frozen=True):
    """A scene as it travels and is kept: only who shows it unpacks it. Most of a scene repeats itself."""

    data: bytes

    @classmethod
    def of(cls, scene: Scene) -> PackedScene:
        """Pack it; ValueError where it is too large for any page."""
        data = wire.encode_bounded(_tabled(scene))
        if len(data) > _MOST:
            raise ValueError(f"a scene of {len(data)} bytes; at most {_MOST} are kept")
        return cls(zlib.compress(data))

    def unpack(self) -> Scene:
        return _listed(_decode(zlib.decompress(self.data)))


def _tabled(scene: Scene) -> _Kept:
    kinds: dict[tuple[str, str, str, tuple[str, ...], str], int] = {}
    squares = scene.squares
    which = [
        kinds.setdefault((each.look, each.text, each.corner, each.arrows, each.tone), len(kinds)) for each in squares
    ]
    return _Kept(
        **msgspec.structs.asdict(scene) | {"squares": ()},
        kinds=tuple(kinds),
        which=tuple(which),
        down=tuple([each.row for each in squares]),
        across=tuple([each.column for each in squares]),
    )


def _listed(kept: _Kept) -> Scene:
    fields = {name: getattr(kept, name) for name in Scene.__struct_fields__}
    if kept.kinds:
        fields["squares"] = tuple(
            [
                Square(row=row, column=column, look=look, text=text, corner=corner, arrows=arrows, tone=tone)
                for kind, row, column in zip(kept.which, kept.down, kept.across, strict=True)
                for look, text, corner, arrows, tone in (kept.kinds[kind],)
            ]
        )
    return Scene(**fields)


_decode = msgspec.msgpack.Decoder(_Kept).decode
