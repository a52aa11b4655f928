"""Gives the log that staff read; what makes logs is imported when there is something to tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logging import Logger


def log() -> Logger:
    import logging  # noqa: PLC0415 - a `check` waits for each import, and most have nothing to tell

    return logging.getLogger("grader")
