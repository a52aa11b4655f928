"""A student's whole output, sorted into frames, prompt, closing line and noise."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from grader.judge.lines import lines_of
from reference.lefthand.claim import read_facing
from reference.lefthand.lines import MESSAGE, PROMPT
from reference.lefthand.maze import Facing, Maze, Pose
from reference.lefthand.transcript import pictures
from reference.lefthand.walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


MOST_LINES = 60_000
"""Lines that are looked at; whoever goes wrong only after them is told about that frame alone."""
_HEAD = 60
"""Lines among which the prompt is looked for."""
_NUMBER = re.compile(r"-?\d{1,9}+")
_SHAPE = str.maketrans(dict.fromkeys("^<>vV.SE", "#"))
_DRAWN = frozenset("#.SEvV^<> \t")
_STRICT = ("Current Position:", "Current Direction:")
_LABELS = (("position",), ("direction",))
_LOOSE = (("pos", "location", "coord", "place", "square"), ("dir", "facing", "heading", "looking", "orientation"))
Picture = tuple[str, ...]
_MOST_BYTES = 16 << 20
"""What the pictures of one walk may take."""


class Line(msgspec.Struct, frozen=True):
    number: int
    """From 1, in the whole output."""
    text: str


class ToldFrame(msgspec.Struct, frozen=True, kw_only=True):
    """What the lines of one frame say; None where they say nothing."""

    place: tuple[int, int] | None = None
    facing: Facing | None = None
    rows: tuple[str, ...] = ()
    """The lines that must be the map, without empty ones and trailing spaces; the south arrow is `v`."""
    position: Line = Line(0, "")
    direction: Line = Line(0, "")
    noise: tuple[Line, ...] = ()
    """Lines that can't be part of the map."""
    is_map_below: bool = False
    is_glued: bool = False
    """The next map begins in the direction line."""

    @property
    def pose(self) -> Pose | None:
        return Pose(*self.place, self.facing) if self.place and self.facing else None


class Output(msgspec.Struct, frozen=True, kw_only=True):
    frames: tuple[ToldFrame, ...]
    prompt: str
    """What stands before the first map and asks for the file."""
    tail: tuple[Line, ...]
    """What follows the last frame."""
    is_cut: bool = False
    """There is more, which isn't looked at."""

    @property
    def noise(self) -> tuple[Line, ...]:
        return tuple(line for frame in self.frames for line in frame.noise)


def read_output(chunks: Iterable[bytes], picture: Sequence[str]) -> Output:
    """Sort the lines; the first picture tells the shape of a map and where the prompt ends."""
    numbered = enumerate(lines_of(chunks), start=1)
    lines = [Line(number, bare) for number, text in islice(numbered, MOST_LINES) if (bare := text.rstrip())]
    prompt, lines = _take_prompt(lines, picture[0])
    frames, tail = _gather(lines, shape_of(picture))
    return Output(frames=tuple(frames), prompt=prompt, tail=tuple(tail), is_cut=next(numbered, None) is not None)


def shape_of(rows: Sequence[str]) -> tuple[str, ...]:
    """Draw the map without arrow, dots, start and end: it stays the same all through a walk."""
    return tuple(row.translate(_SHAPE) for row in rows)


def _take_prompt(lines: list[Line], first_row: str) -> tuple[str, list[Line]]:
    """Take the prompt away, and the first row of the map from behind it, to which `input()` glues it."""
    for place, line in enumerate(lines[:_HEAD]):
        if line.text.startswith(_STRICT):
            break
        if line.text.startswith(PROMPT):
            prompt, rest = PROMPT, line.text[len(PROMPT) :]
        else:
            cut = 1 + max((at for at, letter in enumerate(line.text) if letter not in _DRAWN), default=-1)
            prompt, rest = line.text[:cut], line.text[cut:]
            if not (prompt and ("maze file" in prompt.lower() or len(rest.strip()) == len(first_row.strip()))):
                continue
        if rest.startswith(" ") and (len(rest) != len(first_row) or not _DRAWN.issuperset(rest)):
            rest = rest[1:]
        row = [Line(line.number, rest)] if rest.strip() else []
        return prompt, [*lines[:place], *row, *lines[place + 1 :]]
    return "", lines


def _gather(lines: Sequence[Line], shape: tuple[str, ...]) -> tuple[list[ToldFrame], list[Line]]:
    """Make a frame of the lines up to those that tell the pose; the rest is the tail."""
    recognisers = [_recogniser(lines, which) for which in (0, 1)]
    asked = sum(recogniser is not None for recogniser in recognisers)
    frames: list[ToldFrame] = []
    rows: list[Line] = []
    told: dict[int, Line] = {}
    for line in lines:
        which = next((which for which, is_it in enumerate(recognisers) if is_it and is_it(line.text)), None)
        if which is None:
            rows.append(line)
            continue
        if which in told:  # the other line was left out
            frames.append(_frame([], shape, told))
            told = {}
        told[which], glued = _unglue(line) if which else (line, [])
        if len(told) == asked:
            frames.append(replace(_frame(rows, shape, told), is_glued=bool(glued)))
            rows, told = glued, {}
    return _maps_above(frames, rows, shape)


def _unglue(line: Line) -> tuple[Line, list[Line]]:
    """Cut off the row or the closing line that was printed behind a direction without a line end."""
    cut = len(_STRICT[1]) + 2
    rest = line.text[cut:]
    is_more = line.text.startswith(_STRICT[1]) and rest and (_DRAWN.issuperset(rest) or rest == MESSAGE)
    return (Line(line.number, line.text[:cut]), [Line(line.number, rest)]) if is_more else (line, [])


def _maps_above(
    frames: list[ToldFrame], tail: list[Line], shape: tuple[str, ...]
) -> tuple[list[ToldFrame], list[Line]]:
    """Give each frame the map below it, where maps are printed below their lines."""
    if not frames or frames[0].rows or len(tail) < len(shape):
        return frames, tail
    last = _frame(tail[: len(shape)], shape, {})
    maps = [*frames[1:], last]
    moved = [replace(frame, rows=other.rows, is_map_below=True) for frame, other in zip(frames, maps, strict=True)]
    return moved, tail[len(shape) :]


def _recogniser(lines: Sequence[Line], which: int) -> Callable[[str], bool] | None:
    """Tell which lines have a label: the handout's, if there are any, else what comes nearest to it."""
    strict = _STRICT[which]
    if any(line.text.startswith(strict) for line in lines):
        return lambda text: text.startswith(strict)
    for words in (_LABELS[which], _LOOSE[which]):
        if any(_has(words, line.text) for line in lines):
            return lambda text, words=words: _has(words, text)  # type: ignore[misc]
    return None


def _has(words: tuple[str, ...], text: str) -> bool:
    return any(word in text.lower() for word in words)


def _frame(lines: Sequence[Line], shape: tuple[str, ...], told: dict[int, Line]) -> ToldFrame:
    position, direction = told.get(0, Line(0, "")), told.get(1, Line(0, ""))
    numbers = _NUMBER.findall(position.text.replace(".0", ""))
    noise = _noise(lines, shape)
    left_out = {line.number for line in noise}
    return ToldFrame(
        place=(int(numbers[0]), int(numbers[1])) if len(numbers) > 1 else None,
        facing=_facing(direction.text),
        rows=tuple(line.text.replace("V", "v") for line in lines if line.number not in left_out),
        position=position,
        direction=direction,
        noise=noise,
    )


def _noise(lines: Sequence[Line], shape: tuple[str, ...]) -> tuple[Line, ...]:
    """Of more lines than the map has rows give those that can't be rows: by their letters, else by their shape."""
    surplus = max(0, len(lines) - len(shape))
    foreign = [line for line in lines if not _DRAWN.issuperset(line.text)][:surplus]
    if foreign or not 0 < surplus < len(shape):
        return tuple(foreign)
    wanted = iter(shape)
    row = next(wanted)
    extra = []
    for line in lines:
        if line.text.translate(_SHAPE) == row:
            row = next(wanted, "")
        else:
            extra.append(line)
    return tuple(extra) if len(extra) == surplus else ()


def _facing(text: str) -> Facing | None:
    return read_facing(f"direction {text.rpartition(':')[2].strip() if ':' in text else text.rpartition(' ')[2]}")


_ARROWS = {facing.arrow: facing for facing in Facing}


class Expected:
    """The poses of the whole walk, and the pictures of all frames that fit into the memory."""

    def __init__(self, maze: Maze) -> None:
        self.maze = maze
        self.poses = list(walk(maze))

    @cached_property
    def pictures(self) -> list[Picture]:
        """The maps of the first frames; those of one walk share the rows that don't change."""
        most = _MOST_BYTES // (2 * self.maze.width + 8 * len(self.maze.rows))
        return list(islice(pictures(self.maze), most))

    @cached_property
    def heights(self) -> list[int]:
        """The number of each row of a picture: empty rows aren't compared, so they are in none."""
        return [y for y, row in enumerate(self.maze.rows) if row.strip()]

    @cached_property
    def _shape(self) -> Picture:
        return shape_of(self.pictures[0])

    def picture(self, index: int) -> Picture:
        return next(islice(pictures(self.maze), index, None))

    def agrees(self, index: int, told: ToldFrame) -> bool:
        """Tell whether a frame is the rule's, in all that it says."""
        return self.has_pose(index, told) and self.has_picture(index, told)

    def has_pose(self, index: int, told: ToldFrame) -> bool:
        if not 0 <= index < len(self.poses):
            return False
        pose = self.poses[index]
        return told.place in {None, (pose.x, pose.y)} and told.facing in {None, pose.facing}

    def has_picture(self, index: int, told: ToldFrame) -> bool:
        if index >= len(self.pictures):  # beyond what is kept only the lines are compared
            return index < len(self.poses)
        return index >= 0 and told.rows in {(), self.pictures[index]}

    def drawn(self, told: ToldFrame) -> Pose | None:
        """Give the pose that a frame's map shows; None unless it shows one arrow, on a way of the map."""
        if shape_of(told.rows) != self._shape:
            return None
        arrows = [(x, y, row[x]) for y, row in enumerate(told.rows) for x in range(len(row)) if row[x] in _ARROWS]
        if len(arrows) != 1:
            return None
        x, y, letter = arrows[0]
        return Pose(x, self.heights[y], _ARROWS[letter])
