"""One frame of a student's transcript, read for what it tells."""

from __future__ import annotations

import msgspec

from reference.lefthand.claim import DIRECTION, POSITION, read_facing
from reference.lefthand.maze import Facing
from reference.lefthand.transcript import MESSAGE, PROMPT


class ToldFrame(msgspec.Struct, frozen=True, kw_only=True):
    """What the lines of one frame say; None where they say nothing."""

    place: tuple[int, int] | None = None
    facing: Facing | None = None
    rows: tuple[str, ...] = ()
    """The lines that must be the map, without empty ones and trailing blanks."""
    position_line: str = ""
    direction_line: str = ""
    has_message: bool = False


def read_frame(text: str) -> ToldFrame:
    """Sort the lines of the first frame in a text into position, direction, message and map."""
    place, facing, rows, has_message = None, None, [], False
    position_line = direction_line = ""
    for line in _without_prompt(text).split("\n"):
        bare = line.rstrip()
        if "osition" in bare:
            position_line = bare
            if found := POSITION.search(bare):
                place = (int(found[1]), int(found[2]))
        elif DIRECTION.search(bare):
            direction_line, facing = bare, read_facing(bare)
        elif MESSAGE.lower().rstrip("!") in bare.lower():
            has_message = True
        elif bare:
            rows.append(bare)
        if position_line and direction_line:
            break  # the text holds further frames when the student's lines don't end one as the judge expects
    return ToldFrame(
        place=place,
        facing=facing,
        rows=tuple(rows),
        position_line=position_line,
        direction_line=direction_line,
        has_message=has_message,
    )


def _without_prompt(text: str) -> str:
    """Drop the prompt, which `input()` glues to the first row of the map."""
    _, prompt, rest = text.partition(PROMPT)
    return rest if prompt else text
