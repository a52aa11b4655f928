"""The fixed lines of the output, as the handout gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reference.lefthand.maze import Pose

PROMPT = "Please give the maze file:"
MESSAGE = "Solution Found!"


def position_line(pose: Pose) -> str:
    return f"Current Position:  {pose.x},{pose.y}"


def direction_line(pose: Pose) -> str:
    return f"Current Direction: {pose.facing}"
