"""Draws a failing case as text: what was expected and what came, side by side.

Where frames of text are compared they are shown as they are printed; otherwise the kit's scene is drawn at the first
frame that differs.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from grader.report.clean import clean_line
from grader.report.text.cells import cells, cut, padded

if TYPE_CHECKING:
    from grader.model.scene import Frame, Scene, Square, Track
    from grader.report.view import CaseView

_MOST_LINES = 24
_AROUND = 4
"""Equal lines that are shown beside those that differ."""
_BEYOND = 2
"""Lines of the student's that are shown below the last one expected."""
_MOST_SQUARES = 1_600
_SHAPES = {"square": "·", "block": "x", "face": "X", "disc": "o"}
_MAIN = {"block": "#", "face": "@"}
_WALKERS = {"N": "^", "E": ">", "S": "v", "W": "<"}
_ARROWS = dict(zip(("N", "NE", "E", "SE", "S", "SW", "W", "NW"), "↑↗→↘↓↙←↖", strict=True))
_TITLES = ("expected", "yours")


class _Side(NamedTuple):
    title: str
    lines: list[str]


def drawing(case: CaseView, width: int, *, has_signs: bool) -> list[str]:
    """Return the case's picture in at most so many columns; nothing where there is nothing to compare."""
    sides = _frames(case) or _boards(case, has_signs=has_signs)
    if sides is None:
        return []
    legend = _legend(case.exhibit.scene) if not _has_frames(case) and case.exhibit.scene else []
    return [*_beside(*sides, width), *legend]


def _has_frames(case: CaseView) -> bool:
    return bool(case.mismatch and "\n" in case.mismatch.expected_text.strip("\n"))


def _frames(case: CaseView) -> tuple[_Side, _Side] | None:
    """Give the two frames of text of a transcript."""
    if case.mismatch is None or not _has_frames(case):
        return None
    titles = _titles(case.exhibit.scene)
    texts = (case.mismatch.expected_text, case.mismatch.found_text)
    one, other = (_Side(title, text.strip("\n").split("\n")) for title, text in zip(titles, texts, strict=True))
    return one, other


def _boards(case: CaseView, *, has_signs: bool) -> tuple[_Side, _Side] | None:
    """Draw both tracks of a scene at the first difference, each with what happens there."""
    scene = case.exhibit.scene
    if scene is None or scene.difference is None or len(scene.tracks) != 2:
        return None
    if scene.rows * scene.columns > _MOST_SQUARES:
        return None
    drawn = [_board(scene, track, scene.difference, has_signs=has_signs) for track in scene.tracks]
    while drawn[0] and drawn[1] and not (drawn[0][-1] + drawn[1][-1]).strip():
        drawn = [rows[:-1] for rows in drawn]
    captions = [_caption(track, scene.difference) for track in scene.tracks]
    if not any(caption in case.message for caption in captions):
        drawn = [[*rows, "", caption] for rows, caption in zip(drawn, captions, strict=True)]
    one, other = map(_Side, _titles(scene), drawn)
    return one, other


def _titles(scene: Scene | None) -> tuple[str, str]:
    titles = tuple(clean_line(track.title, 40) for track in scene.tracks) if scene else ()
    return (titles[0], titles[1]) if len(titles) == 2 else _TITLES


def _board(scene: Scene, track: Track, number: int, *, has_signs: bool) -> list[str]:
    place = min(number - track.first, len(track.frames) - 1)
    if place < 0:
        return []
    frame, looks, visited = _state(track, place)
    squares = {(square.row, square.column): square for square in scene.squares}
    signs = {
        at: _sign(squares.get(at), looks.get(at), frame if frame.at == at else None, has_signs=has_signs)
        for at in ((row, column) for row in range(scene.rows) for column in range(scene.columns))
    }
    widest = max(map(cells, signs.values()), default=1)
    framed = {
        at: _framed(padded(sign, widest), at=at == frame.at, visited=at in visited) for at, sign in signs.items()
    }
    return ["".join(framed[row, column] for column in range(scene.columns)) for row in range(scene.rows)]


def _caption(track: Track, number: int) -> str:
    place = min(number - track.first, len(track.frames) - 1)
    ended = "" if place == number - track.first else " (the last one)"
    return clean_line(track.frames[place].caption) + ended if place >= 0 else ""


def _state(track: Track, place: int) -> tuple[Frame, dict[tuple[int, int], str], set[tuple[int, int]]]:
    """Add up the marks until a frame: the looks that squares have taken on, and the trail."""
    looks: dict[tuple[int, int], str] = {}
    visited: set[tuple[int, int]] = set()
    for frame in track.frames[: place + 1]:
        for mark in frame.marks:
            if mark.look == "trail":
                visited.add((mark.row, mark.column))
            else:
                looks[mark.row, mark.column] = mark.look
    return track.frames[place], looks, visited


def _sign(square: Square | None, look: str | None, walker: Frame | None, *, has_signs: bool) -> str:
    if walker is not None and walker.facing:
        return _WALKERS.get(walker.facing, "@")
    shape, _, tone = (look or (square.look if square else "void-void")).partition("-")
    if square is None or tone == "void":
        return " "
    arrows = [_ARROWS.get(arrow, "?") if has_signs else arrow for arrow in square.arrows]
    told = clean_line(square.text, 8) + clean_line(square.corner, 8) + ("" if has_signs else ",").join(arrows)
    return told or (_MAIN if tone == "main" else _SHAPES).get(shape, "·")


def _framed(sign: str, *, at: bool, visited: bool) -> str:
    return f"[{sign}]" if at else f"*{sign} " if visited else f" {sign} "


def _legend(scene: Scene) -> list[str]:
    """Say what the signs are: the walker, the trail, and what the kit has names for."""
    words = ["[ ] here"]
    marks = {mark.look for track in scene.tracks for frame in track.frames for mark in frame.marks}
    words += ["* visited"] if "trail" in marks else []
    looks = dict.fromkeys((*(square.look for square in scene.squares), *sorted(marks)))
    for look in looks:
        shape, _, tone = look.partition("-")
        if look in scene.names:
            words.append(f"{(_MAIN if tone == 'main' else _SHAPES).get(shape, '·')} {scene.names[look]}")
    return ["", "  ".join(words)]


def _beside(one: _Side, other: _Side, width: int) -> list[str]:
    """Set two texts beside each other, those lines marked that differ; below each other where that is too wide."""
    if len(other.lines) > len(one.lines) + _BEYOND:
        other = _Side(other.title, [*other.lines[: len(one.lines) + _BEYOND], "…"])
    pairs = list(zip_longest(one.lines, other.lines))
    left = max(map(cells, (one.title, *one.lines)))
    right = max(map(cells, (other.title, *other.lines)))
    if left + 5 + right > width and left > (width - 5) // 2:
        return _below(one, other, width)
    rows = [f"{padded(one.title, left)}     {cut(other.title, width - left - 5)}"]
    for pair in _interesting(pairs):
        if pair is None:
            rows.append("…")
            continue
        theirs, yours = (_visible(text, another) for text, another in (pair, pair[::-1]))
        sign = "≠" if pair[0] != pair[1] else " "
        rows.append(f"{padded(theirs, left)}  {sign}  {cut(yours, width - left - 5)}".rstrip())
    return rows


def _below(one: _Side, other: _Side, width: int) -> list[str]:
    rows = []
    for side, against in ((one, other.lines), (other, one.lines)):
        rows += [f"{side.title}:"]
        for line in _interesting(list(zip_longest(side.lines, against))):
            if line is None:
                rows.append("  …")
            elif line[0] is not None:
                rows.append(cut(f"{' ' if line[0] == line[1] else '≠'} {_visible(*line)}", width))
    return rows


def _visible(text: str | None, another: str | None) -> str:
    """Show the spaces at a line's end where they are the difference."""
    if text is None:
        return ""
    bare = text.rstrip(" ")
    same = another is not None and bare == another.rstrip(" ")
    return bare + "·" * (len(text) - len(bare)) if same and text != another else text


def _interesting(
    pairs: list[tuple[str | None, str | None]],
) -> list[tuple[str | None, str | None] | None]:
    """Leave out equal lines far from any difference when there are many; None stands for them."""
    if len(pairs) <= _MOST_LINES:
        return [*pairs]
    differing = [place for place, (one, other) in enumerate(pairs) if one != other]
    near = {each for place in differing for each in range(place - _AROUND, place + _AROUND + 1)}
    kept: list[tuple[str | None, str | None] | None] = []
    for place, pair in enumerate(pairs):
        if place in near and len(kept) < _MOST_LINES:
            kept.append(pair)
        elif not kept or kept[-1] is not None:
            kept.append(None)
    return kept
