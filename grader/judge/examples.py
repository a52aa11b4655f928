"""Judges examples that a student wrote: whether they are right, and how many known mistakes they catch.

The student's function returns pairs of an input and its answer: text for what a program prints, a list for what each
call of a function returns. The kit's own mistakes (`Suspecting`) are the wrong programs; no name of theirs is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from grader.model.judgement import Judgement, Trial
from grader.model.kit import PuzzleError, expectation
from grader.model.result import Mismatch
from grader.model.run import Reply, RunRecord, Stream
from grader.model.verdict import Ending, Verdict

if TYPE_CHECKING:
    from grader.model.kit import Kit, Puzzle

NAME = "examples"
ASKS = ("read", "check", "would_pass", "mistakes")
MOST_EXAMPLES = 20
_MOST_LETTERS = 16_000
_MOST_SORTS = 4


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The `options` of the judge `examples`."""

    enough: Annotated[float, Meta(gt=0, le=1)] = 0.8
    """The share of known mistakes that must be caught for full points; fewer give that part of `partial.caught`."""


class Expect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The expectation of the judge `examples`."""

    examples: Annotated[int, Meta(ge=1)] = 1
    """How many examples a student must write at least."""


def key(kit: Kit, puzzle: Puzzle) -> Expect:
    """Return the least that can be asked; the case's own puzzle is only there to be shown."""
    del kit, puzzle
    return Expect()


def judge(trial: Trial) -> Judgement:
    """Check each example by the kit; those that are right catch what would fail them."""
    least = (trial.case.expect or Expect()).examples
    given = _pairs(trial.record.replies[0].value)
    if isinstance(given, str):
        return _wrong("no-answer", given)
    if len(given) < least:
        return _wrong("too-few", f"{len(given)} of {least} examples were returned.")
    faults = [_fault(trial.kit, *pair) for pair in given]
    right = [trial.kit.parse(text) for (text, _), fault in zip(given, faults, strict=True) if not fault]
    missed, share = _missed(trial.kit, right)
    enough = msgspec.convert(trial.case.options, Options).enough
    number = next((at for at, fault in enumerate(faults) if fault), None)
    if number is None and share >= enough:
        return Judgement(verdict=Verdict.AC)
    first = "" if number is None else f"Example {number + 1} is wrong: {faults[number]} "
    told = f"Your {len(right)} right examples catch {share:.0%} of the mistakes that the course knows"
    sorts = f"; look for inputs that show mistakes with {', '.join(missed[:_MOST_SORTS])}" if missed else ""
    mismatch = Mismatch(
        kind="wrong-example" if first else "mistakes-missed",
        message=f"{first}{told}{sorts}.",
        where="" if number is None else f"example {number + 1}",
        expected=f"{enough:.0%}",
        found=f"{share:.0%}",
        shares={"caught": min(1.0, share / enough)},
        names_cause=True,
    )
    return Judgement(verdict=Verdict.WA, mismatch=mismatch)


def _wrong(kind: str, message: str) -> Judgement:
    return Judgement(verdict=Verdict.WA, mismatch=Mismatch(kind=kind, message=message, names_cause=True))


def _pairs(value: Any) -> list[tuple[str, Any]] | str:
    """Return the examples, or what is wrong with what came back."""
    if not isinstance(value, list):
        return f"your function must return a list of pairs (input, answer); it returned {str(value)[:60]!r}."
    if len(value) > MOST_EXAMPLES:
        return f"{len(value)} examples are too many: choose at most {MOST_EXAMPLES}."
    for number, pair in enumerate(value, start=1):
        if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], str):
            return f"example {number} must be a pair: the input as text, then its answer."
        if len(str(pair)) > _MOST_LETTERS:
            return f"example {number} is too long; a good example is small."
    return [(text, answer) for text, answer in value]


def _fault(kit: Any, text: str, answer: Any) -> str:
    """Say what is wrong with an example; nothing when it is right."""
    try:
        puzzle = kit.parse(text)
    except PuzzleError as error:
        return f"line {error.line} of its input: {error.message}."
    mismatch = kit.check(puzzle, kit.read(_told(answer)), expectation(kit, puzzle))
    return mismatch.message if mismatch else ""


def _told(answer: Any) -> RunRecord:
    """Return what a program or function leaves behind that answers so."""
    if isinstance(answer, list):
        return RunRecord(ending=Ending.EXITED, replies=tuple(Reply(value=value) for value in answer))
    return RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(str(answer).encode()))


def _missed(kit: Any, puzzles: list[Puzzle]) -> tuple[list[str], float]:
    """Return the sorts of mistakes that would pass all these puzzles, most missed first, and the share caught."""
    known: dict[str, str] = kit.mistakes()
    missed = [sort for name, sort in known.items() if all(kit.would_pass(puzzle, name) for puzzle in puzzles)]
    sorts = sorted(set(missed), key=lambda sort: (-missed.count(sort), sort))
    return sorts, 1 - len(missed) / len(known) if known else 1.0
