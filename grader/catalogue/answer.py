"""Asks a kit for the answer key that a case should store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from grader.catalogue.check import EXPECTED
from grader.model.kit import PuzzleError, Transcribed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from grader.model.assignment import Case, Expect
    from grader.model.kit import Kit


class FailedReferenceError(Exception):
    """The reference solver fails on a case."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the kit says that a case should store."""

    expect: dict[str, Any]
    """The expectations that the case's judge reads, as plain data."""
    transcript: Any = None
    """For a judge of transcripts: a function that gives the lines from the start."""

    def lines(self) -> Iterable[str]:
        give: Callable[[], Iterable[str]] = self.transcript
        return give()


def answer(kit: Kit, case: Case) -> Answer:
    """Ask the kit; FailedReferenceError when it fails."""
    try:
        puzzle = kit.parse(case.maze)
        expect = plain(kit.expect(puzzle))
    except PuzzleError as error:
        raise FailedReferenceError(f"the kit can't read the maze: {error.message}") from error
    except Exception as error:  # a kit is other people's code
        raise FailedReferenceError(f"the reference fails: {type(error).__name__}: {error}") from error
    reads = EXPECTED.get(case.kind.judge, tuple(expect))
    expect = {key: value for key, value in expect.items() if key in reads and key != "transcript"}
    if case.kind.judge == "transcript" and isinstance(kit, Transcribed):
        speaker: Transcribed = kit
        return Answer(expect=expect, transcript=lambda: speaker.transcript(puzzle))
    return Answer(expect=expect)


def plain(expect: Expect) -> dict[str, Any]:
    """Give an expectation as plain data, without what isn't set."""
    data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(expect))
    return data
