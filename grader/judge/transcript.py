"""Compares a transcript with the expected one, frame by frame, as streams."""

from __future__ import annotations

from collections import deque
from itertools import chain, islice
from typing import TYPE_CHECKING, cast

import msgspec

from grader.judge.lines import (
    Tolerance,
    ended_lines_of,
    is_verbatim,
    line_after,
    lines_of,
    lines_of_file,
    unglue,
)
from grader.model.judgement import Judgement, Trial
from grader.model.kit import Divergence, Explaining
from grader.model.result import Mismatch, Printed
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from grader.model.kit import Kit, Puzzle, Transcribed
    from grader.model.result import PrintedFrame

    Reading = Callable[[Iterable[bytes]], Iterator[str]]


NAME = "transcript"
FILES = {"transcript": (".out", ".out.gz")}
Options = Tolerance
_MOST_FRAME = 400
"""Lines kept of one frame for the explanation."""
_AT_ONCE = 256
"""Lines compared in one step: nearly all agree, and lists are compared far faster than their lines one by one."""
_LINES = 60_000
"""Lines that are looked at; of a difference behind them only its own frame is shown."""
_BEFORE = 150
"""Frames kept before the difference, at most."""
_LETTERS = 30_000
"""Of changed lines, before the difference and from it on, on each side."""
_FRAME_LINES = 400


class Expect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the judge `transcript` expects."""

    transcript: str | None = None
    """Path of the `.out` file (or `.out.gz`), read as a stream; without it the kit is asked."""


def key(kit: Kit, puzzle: Puzzle) -> Expect:
    """Return an empty one: the lines themselves go into a file."""
    del kit, puzzle
    return Expect()


def judge(trial: Trial) -> Judgement:
    """Find the first frame that differs and have the kit say why it is wrong."""
    stored = _stored(trial)
    if stored is not None and is_verbatim(stored, trial.record.stdout):
        return Judgement(verdict=Verdict.AC)
    divergence = _divergence(trial, lines_of)
    if divergence is None:
        return Judgement(verdict=Verdict.AC)
    return Judgement(verdict=Verdict.WA, mismatch=_mismatch(trial, divergence, lines_of))


def so_far(trial: Trial) -> Mismatch | None:
    """Explain the first whole frame that is wrong; None while what was printed agrees."""
    divergence = _divergence(trial, ended_lines_of)
    if divergence is None or divergence.found is None:
        return None
    frame = divergence.found.split("\n")
    is_whole = frame[-1].startswith(Tolerance.of(trial.case.options).frame_end) or len(frame) >= _MOST_FRAME
    is_wrong = is_whole and not _begins(divergence.expected, frame)
    return _mismatch(trial, divergence, ended_lines_of) if is_wrong else None


def _begins(expected: str | None, frame: list[str]) -> bool:
    """Tell whether the expected frame begins with these lines: then nothing is wrong yet."""
    return expected is not None and expected.split("\n")[: len(frame)] == frame


def _divergence(trial: Trial, read: Reading) -> Divergence | None:
    return first_difference(*_both(trial, read), frame_end=Tolerance.of(trial.case.options).frame_end)


def _both(trial: Trial, read: Reading) -> tuple[Iterator[str], Iterator[str]]:
    """Give the lines that count, expected and found."""
    tolerance = Tolerance.of(trial.case.options)
    lines = read(trial.record.stdout.chunks())
    found = unglue(lines, tolerance.prompt, line_after(tolerance.prompt, _expected(trial)))
    return tolerance.apply(_expected(trial)), tolerance.apply(found)


def _mismatch(trial: Trial, divergence: Divergence, read: Reading) -> Mismatch:
    """Explain it, and show the frame unless the kit shows another one, with those round it."""
    mismatch = _explain(trial, divergence)
    texts = {"expected_text": divergence.expected or "", "found_text": divergence.found or ""}
    frame_end = Tolerance.of(trial.case.options).frame_end
    shown = printed(*_both(trial, read), fork=divergence.index or 0, frame_end=frame_end)
    return msgspec.structs.replace(mismatch, printed=shown, **({} if mismatch.expected_text else texts))


def first_difference(expected: Iterable[str], found: Iterable[str], *, frame_end: str) -> Divergence | None:
    """Give the first frame in which the lines differ; holds no more than that frame."""
    wanted, given = iter(expected), iter(found)
    index = 0
    frame: list[str] = []
    while True:
        want, got = list(islice(wanted, _AT_ONCE)), list(islice(given, _AT_ONCE))
        same = len(want) if want == got else _agreeing(want, got)
        ends = [place for place in range(same) if want[place].startswith(frame_end)] if frame_end else []
        index += len(ends)
        frame = (want[ends[-1] + 1 : same] if ends else frame + want[:same])[-_MOST_FRAME:]
        if want != got:
            return Divergence(
                index=index,
                expected=_whole(frame, chain(want[same:], wanted), frame_end),
                found=_whole(frame, chain(got[same:], given), frame_end),
            )
        if not want:
            return None


def _agreeing(want: list[str], got: list[str]) -> int:
    """Count the lines at the beginning that are the same."""
    shorter = min(len(want), len(got))
    return next((place for place in range(shorter) if want[place] != got[place]), shorter)


def _whole(begun: list[str], rest: Iterator[str], frame_end: str) -> str | None:
    """Finish the frame whose first lines agreed; None when the text ended before it."""
    line = next(rest, None)
    if line is None:
        return "\n".join(begun) or None
    lines = [*begun, line]
    while not (frame_end and lines[-1].startswith(frame_end)) and len(lines) < _MOST_FRAME:
        following = next(rest, None)
        if following is None:
            break
        lines.append(following)
    return "\n".join(lines)


def _stored(trial: Trial) -> str | None:
    path: str | None = trial.case.expect.transcript if trial.case.expect is not None else None
    return path


def _expected(trial: Trial) -> Iterator[str]:
    stored = _stored(trial)
    if stored is not None:
        return lines_of_file(stored)
    return cast("Transcribed", trial.kit).transcript(trial.puzzle)


def _explain(trial: Trial, divergence: Divergence) -> Mismatch:
    if trial.record.stdout.size == 0:
        return Mismatch(
            kind="no-output",
            message="your program printed nothing at all; is the main part called when the file is run?",
            expected=divergence.expected or "",
        )
    if isinstance(trial.kit, Explaining):
        return trial.kit.explain(trial.puzzle, msgspec.structs.replace(divergence, record=trial.record))
    if divergence.found is not None and divergence.expected is None:
        first = divergence.found.splitlines()[0][:80]
        return Mismatch(
            kind="extra-output",
            message=f"the transcript is right to its end, but your program went on and printed {first!r}.",
            where=f"frame {divergence.index}",
            found=divergence.found,
            step=divergence.index,
        )
    return Mismatch(
        kind="frame",
        message=f"frame {divergence.index} differs from the expected transcript.",
        where=f"frame {divergence.index}",
        expected=divergence.expected or "",
        found=divergence.found or "",
        step=divergence.index,
    )


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
