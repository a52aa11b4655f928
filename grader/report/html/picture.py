"""Draws one frame of a scene as SVG that needs no script and no style sheet.

The shapes are those of templates/player.js; the colours are read from templates/style.css.
"""

from __future__ import annotations

import math
import re
from functools import cache
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from grader.bundled import bundled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.scene import Frame, Scene, Square

_STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
_TURNS = {"N": 0, "E": 90, "S": 180, "W": 270}
_FILLS = {
    "": "floor",
    "main": "walker",
    "grey": "wall",
    "void": "void",
    "red": "tint-red",
    "yellow": "tint-yellow",
    "blue": "accent-soft",
    "green": "green-soft",
}
"""Colour of the style sheet for each tone of a look."""
_SQUARE_REM = 3.2
_WIDEST_REM = 34
_EDGE = 0.8
"""Left and above the board, for the numbers of columns and rows."""


def picture(scene: Scene, *, frame: int | None = None, label: str) -> Markup:
    """Draw the board, and on it the first track up to this frame (-1: to its end); no track without a frame."""
    frames = scene.tracks[0].frames if scene.tracks and frame is not None else ()
    shown = frames[: len(frames) + frame + 1 if frame is not None and frame < 0 else (frame or 0) + 1]
    width, height = scene.columns + _EDGE + 0.1, scene.rows + _EDGE + 0.1
    box = f'viewBox="{-_EDGE} {-_EDGE} {width:g} {height:g}" width="{min(width * _SQUARE_REM, _WIDEST_REM):g}rem"'
    font = 'font-family="sans-serif" text-anchor="middle"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(label)}" {box} {font}>',
        f'<rect x="{-_EDGE}" y="{-_EDGE}" width="{width:g}" height="{height:g}" fill="{_colour("panel")}"/>',
        f'<rect width="{scene.columns}" height="{scene.rows}" fill="{_colour("void")}"/>',
        *(part for square in scene.squares for part in _ground(square)),
        *(part for one in shown for mark in one.marks for part in _mark(mark.look, mark.row, mark.column)),
        *_way(shown),
        *(part for square in scene.squares for part in _signs(square)),
        *_numbers(scene),
        *_walker(shown),
        "</svg>",
    ]
    return Markup("".join(parts))  # noqa: S704 -- texts are escaped where they are put in


def _ground(square: Square) -> Iterator[str]:
    if not square.look.startswith("square"):
        yield from _shape("square", square.row, square.column)
    yield from _shape(square.look, square.row, square.column)


def _signs(square: Square) -> Iterator[str]:
    ink = _colour(f"arrow-{square.tone}" if square.tone in ("red", "yellow") else "arrow-black")
    arrows = "".join(_arrow(square.row, square.column, point) for point in square.arrows)
    if arrows:
        yield f'<path d="{arrows}" fill="none" stroke="{ink}" stroke-width=".06" stroke-linecap="round"/>'
    if square.corner:
        yield _text(square.column + 0.9, square.row + 0.26, square.corner, 0.3, ink)
    if square.text:
        x, y, size = (0.16, 0.3, 0.26) if square.arrows else (0.5, 0.68, 0.5)
        yield _text(square.column + x, square.row + y, square.text, size, _colour("ink"))


def _mark(look: str, row: int, column: int) -> Iterator[str]:
    if look == "trail":
        yield f'<circle cx="{column + 0.5}" cy="{row + 0.5}" r=".1" fill="{_colour("trail-dot")}"/>'
    else:
        yield from _shape(look or "square", row, column)


def _shape(look: str, row: int, column: int) -> Iterator[str]:
    name, _, tone = look.partition("-")
    if name == "square":
        fill, line = _colour(_FILLS.get(tone, "floor")), _colour("lines")
        yield f'<rect x="{column}" y="{row}" width="1" height="1" fill="{fill}" stroke="{line}" stroke-width=".03"/>'
        return
    if name == "disc":
        yield f'<circle cx="{column + 0.5}" cy="{row + 0.5}" r=".3" fill="{_colour(f"solid-{tone}")}"/>'
        return
    faint = "" if name == "face" else ' fill-opacity=".55"'
    place = (
        f'x="{column + 0.06:g}" y="{row + 0.06:g}" width=".88" height=".88" rx="{0.36 if name == "face" else 0.2}"'
    )
    yield f'<rect {place} fill="{_colour(_FILLS.get(tone, "wall"))}"{faint}/>'
    if name == "face":
        for x in (0.34, 0.66):
            yield f'<circle cx="{column + x:g}" cy="{row + 0.4:g}" r=".1" fill="{_colour("walker-ink")}"/>'


def _arrow(row: int, column: int, point: str) -> str:
    east, south = (sum(way) for way in zip(*(_STEPS[letter] for letter in point), strict=True))
    size = math.hypot(east, south)
    x, y = east / size, south / size

    def to(along: float, aside: float) -> str:
        return f"{column + 0.5 + x * along - y * aside:.3g} {row + 0.5 + y * along + x * aside:.3g}"

    return f"M{to(0.12, 0)}L{to(0.38, 0)}M{to(0.26, 0.1)}L{to(0.4, 0)}L{to(0.26, -0.1)}"


def _numbers(scene: Scene) -> Iterator[str]:
    for column in range(scene.columns):
        yield _text(column + 0.5, -0.22, str(column), 0.36, _colour("dim"))
    for row in range(scene.rows):
        yield _text(-0.4, row + 0.63, str(row), 0.36, _colour("dim"))


def _way(frames: tuple[Frame, ...]) -> Iterator[str]:
    """Join the places that have labels."""
    places = [frame.at for frame in frames if frame.at]
    if any(frame.label for frame in frames) and len(places) > 1:
        points = " ".join(f"{column + 0.5},{row + 0.5}" for row, column in places)
        ink = _colour("walker")
        yield f'<polyline points="{points}" fill="none" stroke="{ink}" stroke-width=".16" opacity=".4"/>'


def _walker(frames: tuple[Frame, ...]) -> Iterator[str]:
    if not frames or not frames[-1].at:
        return
    row, column = frames[-1].at
    if facing := frames[-1].facing:
        way = f"translate({column + 0.5} {row + 0.5}) rotate({_TURNS.get(facing, 0)})"
        yield f'<circle cx="{column + 0.5}" cy="{row + 0.5}" r=".36" fill="{_colour("walker")}"/>'
        yield f'<path transform="{way}" d="M0 -.3L.22 .16L0 .06L-.22 .16Z" fill="{_colour("walker-ink")}"/>'
    else:
        yield f'<circle cx="{column + 0.5}" cy="{row + 0.5}" r=".16" fill="{_colour("walker")}"/>'


def _text(x: float, y: float, words: str, size: float, fill: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}">{escape(words)}</text>'


def _colour(name: str) -> str:
    return _palette()[name]


@cache
def _palette() -> dict[str, str]:
    """Read the colours of the light theme."""
    root = bundled("templates", "style.css").read_text("utf-8").partition("}")[0]
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]+);", root))
