"""Packs a scene into bounded data for the player in the page.

Frames stay deltas: `[at, facing, label, marks, caption, hints]` with nothing after the last that changed. The
second track names how many first frames it shares with the first one. A page's scenes are one deflated stream, a line
of JSON for each; the page inflates it.
"""

from __future__ import annotations

import base64
import re
import zlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from grader.model.scene import Frame, Mark, Scene, Square, Track
from grader.report.clean import clean_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.model.result import Printed
    from grader.report.view import Exhibit

FRAME_LIMIT = 20_000
SQUARE_LIMIT = 60_000
MARK_LIMIT = 400_000
PROBE_LIMIT = 2_000
PAGE_LIMIT = 4_000_000
"""Bytes of player data in one page."""
_EFFORT = 6
"""Of deflate: 9 takes six times as long for 2 % less."""
_KEPT = 4096
"""Texts whose clean form is held: the same few stand on most squares."""
_NAME = re.compile(r"[a-z-]{0,24}")
_FACINGS = ("", "N", "E", "S", "W")


class Reel:
    """The scenes of one page, within its bound."""

    def __init__(self) -> None:
        self.count = 0
        self._room = PAGE_LIMIT
        self._deflate = zlib.compressobj(_EFFORT)
        self._pieces: list[bytes] = []

    def add(self, scene: bytes) -> int | None:
        """Take one scene more; return its place, or nothing where the page has no room for it."""
        deflate = self._deflate.copy()
        piece = deflate.compress(scene + b"\n") + deflate.flush(zlib.Z_SYNC_FLUSH)
        if len(piece) * 4 // 3 > self._room:
            return None
        self._room -= len(piece) * 4 // 3
        self._deflate = deflate
        self._pieces.append(piece)
        self.count += 1
        return self.count - 1

    def text(self) -> str:
        """Return all of them as text for the page; empty where there are none."""
        return base64.b64encode(b"".join((*self._pieces, self._deflate.flush()))).decode() if self.count else ""


def pack(exhibit: Exhibit, printed: Printed | None = None) -> bytes | None:
    """Return the scene's data, the puzzle and the text of its frames; nothing when it is too large to draw."""
    scene = exhibit.scene
    if scene is None:
        return None
    marks = sum(len(frame.marks) + len(frame.hints) for track in scene.tracks for frame in track.frames)
    if max(scene.rows * scene.columns, len(scene.squares)) > SQUARE_LIMIT or marks > MARK_LIMIT:
        return None
    looks: dict[str, int] = {"": 0}
    tracks = [_bounded(track, scene.difference) for track in scene.tracks]
    data = {
        "rows": scene.rows,
        "columns": scene.columns,
        "title": clean_line(scene.title),
        "squares": _squares(scene.squares, looks),
        "tracks": [_track(track, tracks[0] if place else None, scene, looks) for place, track in enumerate(tracks)],
        "looks": list(looks),
        "names": {look: clean_line(name) for look, name in scene.names.items() if look in looks},
        "difference": scene.difference,
        "label": clean_line(scene.label, 8),
        "hand": scene.hand,
        "search": [
            [probe.row, probe.column, clean_line(probe.note), probe.opened] for probe in scene.search[:PROBE_LIMIT]
        ],
        "search_frame": scene.search_frame,
        "search_step": scene.search_step,
        "search_omitted": max(0, len(scene.search) - PROBE_LIMIT),
        "input": exhibit.input,
        "texts": _texts(printed) if printed else None,
    }
    return msgspec.json.encode(data)


def _texts(printed: Printed) -> dict[str, Any]:
    """Return each frame as its count of lines, then the changed ones, each behind its place."""
    sides = {
        side: [[count, *(part for change in lines for part in change)] for count, lines in getattr(printed, side)]
        for side in ("expected", "found")
    }
    return {"first": printed.first, "fork": printed.fork, **sides}


def _squares(squares: Sequence[Square], looks: dict[str, int]) -> list[Any]:
    """Return each kind of square once, then the kind, the row and the column of every square."""
    kinds: dict[tuple[Any, ...], int] = {}
    which = [
        kinds.setdefault((each.look, each.tone, each.arrows, each.text, each.corner), len(kinds)) for each in squares
    ]
    told = [
        [
            looks.setdefault(_name(look), len(looks)),
            _name(tone),
            clean_line(" ".join(arrows), 32),
            clean_line(text, 8),
            clean_line(corner, 8),
        ]
        for look, tone, arrows, text, corner in kinds
    ]
    return [told, which, [each.row for each in squares], [each.column for each in squares]]


@lru_cache(maxsize=_KEPT)
def _name(text: str) -> str:
    """Return a look or tone as it may stand in a class name; no kit has a reason for another."""
    return text if _NAME.fullmatch(text) else "square"


def _track(track: Track, first: Track | None, scene: Scene, looks: dict[str, int]) -> dict[str, Any]:
    shared = _shared(track, first) if first else 0
    return {
        "title": clean_line(track.title),
        "first": track.first,
        "omitted": track.omitted,
        "shared": shared,
        "frames": [_frame(frame, scene, looks) for frame in track.frames[shared:]],
    }


def _shared(track: Track, first: Track) -> int:
    if track.first != first.first:
        return 0
    pairs = zip(track.frames, first.frames, strict=False)
    return next(
        (place for place, (one, other) in enumerate(pairs) if one != other), min(len(track.frames), len(first.frames))
    )


def _frame(frame: Frame, scene: Scene, looks: dict[str, int]) -> list[Any]:
    marks, hints = (_marks(listed, scene, looks) for listed in (frame.marks, frame.hints))
    facing = _FACINGS.index(frame.facing) if frame.facing in _FACINGS else 0
    fields = [_square(scene, frame.at), facing, clean_line(frame.label, 8), marks, clean_line(frame.caption), hints]
    blanks: tuple[Any, ...] = (-1, 0, "", [], "", [])
    while fields and fields[-1] == blanks[len(fields) - 1]:
        fields.pop()
    return fields


def _marks(marks: Sequence[Mark], scene: Scene, looks: dict[str, int]) -> list[int]:
    return [
        part
        for mark in marks
        if (square := _square(scene, (mark.row, mark.column))) >= 0
        for part in (square, looks.setdefault(_name(mark.look), len(looks)))
    ]


def _square(scene: Scene, place: tuple[int, int] | None) -> int:
    """Return the number of a square, row by row; -1 for nowhere and for a place off the board."""
    if place is None or not (0 <= place[0] < scene.rows and 0 <= place[1] < scene.columns):
        return -1
    return place[0] * scene.columns + place[1]


def _bounded(track: Track, difference: int | None) -> Track:
    """Keep a window round the first difference; what came before it is folded into its first frame."""
    frames = track.frames
    if len(frames) <= FRAME_LIMIT:
        return track
    middle = (difference or 0) - track.first
    start = min(max(0, middle - FRAME_LIMIT // 2), len(frames) - FRAME_LIMIT)
    kept = (_fold(frames[: start + 1]), *frames[start + 1 : start + FRAME_LIMIT])
    return msgspec.structs.replace(
        track, frames=kept, first=track.first + start, omitted=track.omitted + len(frames) - len(kept)
    )


def _fold(frames: Sequence[Frame]) -> Frame:
    marks = {(mark.row, mark.column): mark.look for frame in frames for mark in frame.marks}
    folded = tuple(Mark(row, column, look) for (row, column), look in marks.items())
    return msgspec.structs.replace(frames[-1], marks=folded)
