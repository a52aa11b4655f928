"""The frames round a difference are kept as text, bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from grader.judge.transcript import printed

if TYPE_CHECKING:
    from grader.model.result import Printed, PrintedFrame

END = "end"


def lines(frames: list[list[str]]) -> list[str]:
    return [line for frame in frames for line in (*frame, END)]


def unfolded(frames: tuple[PrintedFrame, ...], before: list[str]) -> list[list[str]]:
    """Read the frames as the page does."""
    told = []
    for count, changes in frames:
        changed = dict(changes)
        before = [changed[place] if place in changed else before[place] for place in range(count)]
        told.append(before)
    return told


def walk(count: int, *, fork: int | None = None, size: int = 8) -> list[list[str]]:
    """Make a walk along a row; from the fork on it stays on another row."""
    frames = []
    for number in range(count):
        rows = ["#" * size] * size
        rows[0 if fork is None or number < fork else 1] = f"at {number}"
        frames.append(rows)
    return frames


@pytest.mark.parametrize(("fork", "count"), [(0, 3), (1, 3), (7, 40), (199, 200)])
def test_both_sides_come_back_as_they_were_printed(fork: int, count: int) -> None:
    """Unfolded, the frames are the expected ones and the found ones from the fork on."""
    expected, found = walk(count), walk(count + 5, fork=fork)
    kept = printed(lines(expected), lines(found), fork=fork, frame_end=END)
    assert kept is not None
    ours = unfolded(kept.expected, [])
    assert [frame[:-1] for frame in ours] == expected[kept.first :]
    agreed = ours[fork - kept.first - 1] if fork > kept.first else []
    assert [frame[:-1] for frame in unfolded(kept.found, agreed)] == found[fork:]


def letters(kept: Printed) -> int:
    return sum(len(line) for side in (kept.expected, kept.found) for _, new in side for _, line in new)


@pytest.mark.parametrize("size", [30, 150])
def test_what_is_kept_is_bounded(size: int) -> None:
    """However long the walk and wide the map, the text stays small and has the frame that differs."""
    expected, found = walk(300, size=size), walk(300, fork=200, size=size)
    kept = printed(lines(expected), lines(found), fork=200, frame_end=END)
    assert kept is not None
    assert kept.first <= 200 < kept.first + len(kept.expected)
    assert letters(kept) < 150_000


def test_a_difference_far_behind_keeps_no_frames() -> None:
    """Beyond the lines that are looked at, the frame of the mismatch must do."""
    expected, found = walk(9_000), walk(9_000, fork=8_999)
    assert printed(lines(expected), lines(found), fork=8_999, frame_end=END) is None


def test_maps_that_are_too_large_keep_no_frames() -> None:
    """Of a map beyond the bound there is the frame of the mismatch alone."""
    expected, found = walk(12, size=300), walk(12, fork=5, size=300)
    assert printed(lines(expected), lines(found), fork=5, frame_end=END) is None


def test_without_frames_there_is_nothing_to_step_through() -> None:
    """A case whose transcript has no frames keeps none."""
    assert printed(["a"], ["b"], fork=0, frame_end="") is None
