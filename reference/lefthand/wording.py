"""What differs around a right walk: noise, prompt, labels, spaces, the last line."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from reference.lefthand.lines import MESSAGE, PROMPT, direction_line, position_line
from reference.lefthand.output import ToldFrame
from reference.lefthand.turn import at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.model.kit import Divergence
    from reference.lefthand.maze import Pose
    from reference.lefthand.output import Expected, Line, Output
    from reference.lefthand.turn import Place

    Change = Callable[[Place], Place]


_QUOTED = 60
"""Letters of a line that a message quotes."""


class Slip(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is printed otherwise than asked, though the walk may be right."""

    kind: str
    words: str
    expected: str = ""
    found: str = ""
    frame: int = 0


def slips(output: Output, poses: list[Pose]) -> Iterator[Slip]:
    """Give what isn't as asked, in the order of the output; each thing once."""
    if slip := _prompt(output):
        yield slip
    noise = output.noise
    if noise:
        frame = next(number for number, told in enumerate(output.frames) if told.noise)
        yield _noise(noise[0], len(noise), frame)
    for number, (told, pose) in enumerate(zip(output.frames, poses, strict=False)):
        if slip := _lines(told, pose, number):
            yield slip
            break


def closing_slip(output: Output, frames: int) -> Slip | None:
    """Compare what follows the last frame with the closing line."""
    lines = [line.text.strip() for line in output.tail]
    if MESSAGE in lines:
        others = [line for number, line in enumerate(output.tail) if number != lines.index(MESSAGE)]
        if lines.count(MESSAGE) > 1:
            words = f"the last line, {MESSAGE!r}, is printed more than once"
            return Slip(kind="noise", words=words, found=MESSAGE, frame=frames)
        return _noise(others[0], len(others), frames) if others else None
    like = next((line for line in lines if _is_like(line)), "")
    found = like or (lines[0] if lines else "")
    if like.lower() == MESSAGE.lower():
        kind, words = "letter-case", f"the last line must read {MESSAGE!r}: capital and small letters count"
    elif like:
        kind, words = "message", f"the last line must read {MESSAGE!r} to the letter; you print {like!r}"
    else:
        instead = f"; you print {found[:_QUOTED]!r} there" if found else ""
        kind, words = "no-message", f"the last line, {MESSAGE!r}, is missing{instead}"
    return Slip(kind=kind, words=words, expected=MESSAGE, found=found, frame=frames)


def difference_slip(divergence: Divergence) -> Slip:
    """Show the first line that differs, where nothing more can be known."""
    wanted, got = (str(text or "").split("\n") for text in (divergence.expected, divergence.found))
    pairs = zip_longest(wanted, got, fillvalue="")
    line, found = next(((one, other) for one, other in pairs if one != other), ("", ""))
    if [text for text in wanted if text.strip()] == [text for text in got if text.strip()]:
        return Slip(kind="empty-lines", words="an empty line is missing or too many", expected=line, found=found)
    if line.rstrip() == found.rstrip():
        return Slip(kind="spaces", words=f"spaces at the end of {line.rstrip()!r} differ", expected=line, found=found)
    if line.replace("v", "V") == found.replace("v", "V"):
        return Slip(
            kind="arrow", words="the arrow to the south must be 'v'; you draw 'V'", expected=line, found=found
        )
    words = f"{line!r} is expected where you print {found!r}" if found else f"the line {line!r} is missing"
    return Slip(kind="format", words=words, expected=line, found=found)


def _is_like(line: str) -> bool:
    return "solution" in line.lower() or "found" in line.lower()


def _prompt(output: Output) -> Slip | None:
    found = output.prompt
    if found.rstrip() == PROMPT:
        return None
    if not found:
        words = f"your program must first ask for the file with {PROMPT!r}; it prints no such line"
        return Slip(kind="no-prompt", words=words, expected=PROMPT)
    kind, why = "prompt", ""
    if found.lower() == PROMPT.lower():
        kind, why = "letter-case", " (capital and small letters count)"
    words = f"the question for the file must read {PROMPT!r}{why}; you print {found[:_QUOTED]!r}"
    return Slip(kind=kind, words=words, expected=PROMPT, found=found)


def _noise(line: Line, count: int, frame: int) -> Slip:
    more = f" (there are {count - 1} more such lines)" if count > 1 else ""
    said = f"line {line.number} of your output, {line.text.strip()[:_QUOTED]!r}, isn't part of the walk{more}"
    words = f"{said}; is it a debug print? Remove it"
    if line.text.strip() == MESSAGE:
        words = (
            f"{MESSAGE!r} is printed before the walk is over, in line {line.number}{more}: print it once, at the end"
        )
    return Slip(kind="noise", words=words, found=line.text.strip(), frame=frame)


def _lines(told: ToldFrame, pose: Pose, frame: int) -> Slip | None:
    if told.direction.number and told.direction.number < told.position.number:
        words = "the position line comes first, then the direction line"
        return Slip(kind="order", words=words, expected=position_line(pose), found=told.direction.text, frame=frame)
    for line, found in ((position_line(pose), told.position.text), (direction_line(pose), told.direction.text)):
        if line != found:
            kind, why = _why(line, found)
            words = (
                f"the line must be {line!r}{why}; you print {found!r}" if found else f"the line {line!r} is missing"
            )
            return Slip(kind=kind, words=words, expected=line, found=found, frame=frame)
    if told.is_glued:
        words = f"a line end is missing behind {direction_line(pose)!r}: what follows begins on a new line"
        return Slip(kind="glued", words=words, expected=direction_line(pose), found=told.direction.text, frame=frame)
    if told.is_map_below:
        words = "the map comes first, then the two lines: your maps are below their lines"
        return Slip(kind="order", words=words, expected=position_line(pose), found=told.position.text, frame=frame)
    if not told.rows:
        return Slip(kind="no-map", words="the map is missing: print it above the two lines", frame=frame)
    return None


def _why(line: str, found: str) -> tuple[str, str]:
    """Say in what the line differs."""
    label, _, value = found.partition(":")
    if not found:
        return "line-missing", ""
    if "\t" in found:
        return "tabs", " (with spaces, not a tab)"
    if line.lower() == found.lower():
        return "letter-case", " (capital and small letters count)"
    if line.replace(" ", "") == found.replace(" ", ""):
        return "spaces", f" ({'two spaces' if 'Position' in line else 'one space'} after the colon, none elsewhere)"
    if label != line.partition(":")[0]:
        return "label", ""
    if any(map(str.isdigit, value)):
        return "number-format", ""
    return "direction-format", " (a letter: N, W, S or E)"


class Misread(msgspec.Struct, frozen=True, kw_only=True):
    """The frames with the places that their maps show, and what was wrong with their lines."""

    frames: tuple[ToldFrame, ...]
    slip: Slip | None = None


def misread_places(expected: Expected, frames: tuple[ToldFrame, ...]) -> Misread:
    """Find what turns every drawn place into the told one; the lines are corrected by it."""
    pairs = list(_pairs(expected, frames))
    if all(drawn == told for _, drawn, told in pairs):
        return Misread(frames=frames)
    for kind, words, change in _changes(expected, pairs[0][1], pairs[0][2]):
        if all(change(drawn) == told for _, drawn, told in pairs):
            number, drawn, told = next(pair for pair in pairs if pair[1] != pair[2])
            found = f"{told[0]},{told[1]}"
            slip = Slip(
                kind=kind,
                words=f"{words}. In frame {number} your map shows the solver at {at(drawn)}; your line says {found}",
                expected=f"Current Position:  {drawn[0]},{drawn[1]}",
                found=frames[number].position.text,
                frame=number,
            )
            places = {number: drawn for number, drawn, _ in pairs}
            return Misread(frames=_corrected(frames, places), slip=slip)
    return Misread(frames=frames)


def _pairs(expected: Expected, frames: tuple[ToldFrame, ...]) -> Iterator[tuple[int, Place, Place]]:
    """Give the number of each frame that has both, the place that is drawn and the one that is told."""
    for number, told in enumerate(frames):
        drawn = expected.drawn(told) if told.place is not None else None
        if drawn is not None and told.place is not None:
            yield number, (drawn.x, drawn.y), told.place


def _changes(expected: Expected, drawn: Place, told: Place) -> Iterator[tuple[str, str, Change]]:
    right, down = told[0] - drawn[0], told[1] - drawn[1]
    row_of = {y: row for row, y in enumerate(expected.heights)}
    swapped = "x and y are swapped in your position lines: x, the column, comes first, then y, the row"
    yield "swapped-xy", swapped, lambda place: (place[1], place[0])
    below = len(expected.maze.rows) - 1
    upwards = "rows are counted from the top, your position lines count from the bottom"
    yield "from-the-bottom", upwards, lambda place: (place[0], below - place[1])
    dropped = "your rows are counted without the empty lines of the file, which are rows, too"
    yield "rows-dropped", dropped, lambda place: (place[0], row_of.get(place[1], place[1]))
    if (right, down) == (1, 1):
        yield "from-one", "columns and rows are counted from 0, your position lines count from 1", _shift(right, down)
    else:
        off = f"every position line is off by {right} in x and {down} in y"
        yield "offset", off, _shift(right, down)


def _shift(right: int, down: int) -> Change:
    return lambda place: (place[0] + right, place[1] + down)


def _corrected(frames: tuple[ToldFrame, ...], places: dict[int, Place]) -> tuple[ToldFrame, ...]:
    """Put the drawn places in; what has no single arrow loses its place, which can't be trusted."""
    return tuple(replace(told, place=places.get(number)) for number, told in enumerate(frames))
