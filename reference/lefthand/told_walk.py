"""A walk as one text, so that two of them can be compared as far as they go."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference.lefthand.maze import Pose

MOST_POSES = 1000
"""Poses that are compared."""


def told_walk(poses: Iterable[Pose]) -> str:
    return "".join(f"{pose.x},{pose.y}{pose.facing} " for pose in islice(poses, MOST_POSES))
