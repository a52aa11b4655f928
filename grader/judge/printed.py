"""Keeps the frames round a difference as text, expected and found, so that a reader can step through them."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING

from grader.model.result import Printed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.result import PrintedFrame

_LINES = 60_000
"""Lines that are looked at; of a difference behind them only its own frame is shown."""
_BEFORE = 150
"""Frames kept before the difference, at most."""
_LETTERS = 30_000
"""Of changed lines, before the difference and from it on, on each side."""
_FRAME_LINES = 400


def printed(expected: Iterable[str], found: Iterable[str], *, fork: int, frame_end: str) -> Printed | None:
    """Return the frames before the difference, which agree, and those of both sides from it on."""
    if not frame_end:
        return None
    wanted, given = (_frames(islice(lines, _LINES), frame_end) for lines in (expected, found))
    agreed = list(deque(islice(wanted, fork), maxlen=_BEFORE))
    deque(islice(given, fork), maxlen=0)
    last = agreed[len(agreed) - _room(agreed) :]
    before = tuple(_changes(iter(last), [], most=2 * _LETTERS))
    theirs, ours = (tuple(_changes(frames, last[-1] if last else [])) for frames in (wanted, given))
    if len(agreed) < min(fork, _BEFORE) or len(before) < len(last) or not (theirs and ours):
        return None
    return Printed(first=fork - len(before), fork=fork, expected=(*before, *theirs), found=ours)


def _frames(lines: Iterable[str], frame_end: str) -> Iterator[list[str]]:
    frame: list[str] = []
    for line in lines:
        if len(frame) < _FRAME_LINES:
            frame.append(line)
        if line.startswith(frame_end):
            yield frame
            frame = []
    if frame:
        yield frame


def _room(frames: list[list[str]]) -> int:
    """Count the last frames whose changes there is room for."""
    left = _LETTERS
    for count, frame in enumerate(reversed(frames)):
        before = frames[-count - 2] if count + 1 < len(frames) else []
        left -= _cost(_change(before, frame))
        if left < 0:
            return count
    return len(frames)


def _changes(frames: Iterator[list[str]], before: list[str], *, most: int = _LETTERS) -> Iterator[PrintedFrame]:
    for frame in frames:
        change = _change(before, frame)
        most -= _cost(change)
        if most < 0:
            return
        yield change
        before = frame


def _change(before: list[str], frame: list[str]) -> PrintedFrame:
    """Return how many lines a frame has, and those that are not as in the frame before."""
    new = ((place, line) for place, line in enumerate(frame) if place >= len(before) or before[place] != line)
    return (len(frame), tuple(new))


def _cost(change: PrintedFrame) -> int:
    return sum(len(line) + 4 for _, line in change[1])
