"""What is told of a check, and how it is wanted: values alone, so that asking loads no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from grader.report.text.look import Look


class Steps(NamedTuple):
    """The commands that a front end offers; an empty one is not offered."""

    check: str
    """Such as `grader check mine`; `--only ID`, `--watch` and `--open` are put behind it."""
    hunt: str = ""
    page: str = ""
    """Address of the page that was written; else `--open` is offered."""


class Wanted(NamedTuple):
    """How to tell it."""

    look: Look
    steps: Steps
    hidden: int
    """Cases that run only when it is submitted."""
    page: str = ""
    """Where to write the page; nowhere when empty."""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    """What comes below the lines of the cases."""
    json: str
    passed: bool
    level: str
    problem: str = ""
