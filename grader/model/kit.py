"""What the harness asks of a kit: a handful of functions on frozen values.

A kit is a module with a factory `kit(**rules) -> Kit`; `rules` come from the assignment (`start_colour: ignored`).
Version of this protocol: 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

    from grader.model.assignment import Expect
    from grader.model.result import Mismatch
    from grader.model.run import RunRecord
    from grader.model.scene import Scene

KIT_PROTOCOL = 1

Puzzle = Any
Answer = Any
Claim = Any


class PuzzleError(Exception):
    """The text is no puzzle of this kit; `line` and `column` count from 1 inside the text."""

    def __init__(self, message: str, *, line: int = 1, column: int = 1, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.hint = hint


class Kit(Protocol):
    """One puzzle: read it, solve it, read a student's claim, check it, generate it, draw it."""

    def parse(self, text: str) -> Puzzle:
        """Read a puzzle; raise PuzzleError with its place."""
        ...

    def write(self, puzzle: Puzzle) -> str:
        """Write a puzzle so that `parse` gives it back."""
        ...

    def solve(self, puzzle: Puzzle) -> Answer:
        """Give the reference's answer."""
        ...

    def expect(self, puzzle: Puzzle) -> Expect:
        """Give the expectation that a case of this puzzle stores: the reference's answer as data."""
        ...

    def read(self, record: RunRecord) -> Claim:
        """Read leniently what the student's program claims; None when it claims nothing."""
        ...

    def check(self, puzzle: Puzzle, claim: Claim, expect: Expect) -> Mismatch | None:
        """Judge the claim strictly, by the stored expectation; None when it is right. A claim of None is wrong."""
        ...

    def puzzles(self) -> SearchStrategy[Puzzle]:
        """Generate puzzles, simplest first, the interesting ones often."""
        ...

    def draw(self, puzzle: Puzzle, claim: Claim) -> Scene:
        """Draw the puzzle, the reference's answer and the claim (None: without it)."""
        ...


@runtime_checkable
class Callable(Protocol):
    """A kit whose solutions are functions, called once per tuple of arguments."""

    def calls(self, puzzle: Puzzle) -> tuple[tuple[Any, ...], ...]:
        """Give the arguments of each call, in order, as plain data."""
        ...


@runtime_checkable
class Playable(Protocol):
    """A kit whose solutions act in a world."""

    def world(self, puzzle: Puzzle) -> tuple[str, Any]:
        """Give the world's import path and its setup as plain data."""
        ...


@runtime_checkable
class Transcribed(Protocol):
    """A kit whose answer is a transcript."""

    def transcript(self, puzzle: Puzzle) -> Iterator[str]:
        """Give the expected output line by line, without line ends."""
        ...


class Divergence(msgspec.Struct, frozen=True, kw_only=True):
    """Where a generic judge saw the answer part from the expectation.

    `transcript`: `index` is the frame from 0, `expected` and `found` that frame's text (`found` is None when the
    output ended). `value`: `where` is the path of subscripts, `expected` and `found` the plain values there.
    """

    index: int | None = None
    where: tuple[Any, ...] = ()
    expected: Any = None
    found: Any = None


@runtime_checkable
class Explaining(Protocol):
    """A kit that puts a generic judge's divergence into the terms of the puzzle."""

    def explain(self, puzzle: Puzzle, divergence: Divergence) -> Mismatch:
        """Say what went wrong there, so that the student can act on it."""
        ...


@runtime_checkable
class Shrinking(Protocol):
    """A kit that can take one thing away from a puzzle."""

    def smaller(self, puzzle: Puzzle) -> Iterator[Puzzle]:
        """Give every puzzle that lacks one row, column, square, arrow, walkway … or has a simpler colour.

        What drops most comes first. A puzzle none of whose smaller ones fails is locally minimal, so each must be
        smaller in one fixed order: fewest squares, then fewest arrows or walkways, then simplest colours.
        """
        ...


@runtime_checkable
class Lengthy(Protocol):
    """A kit with puzzles that take long, for faults such as a recursion that goes too deep."""

    def long_puzzles(self) -> SearchStrategy[Puzzle]:
        """Generate them; a hunt asks a few between many quick ones."""
        ...


@runtime_checkable
class Telling(Protocol):
    """A kit that can answer as a right program would, so that mutants of its solvers can be judged like students.

    Its module (or package) names what to mutate: `SOLVERS = ("package.module", "package.module:function,TABLE")`.
    """

    def tell(self, puzzle: Puzzle) -> Iterator[RunRecord]:
        """Give what a right program would leave behind, once for each of the kit's solvers."""
        ...


class World(Protocol):
    """A simulation that the trusted parent runs, tick by tick; built as `Class(setup)`."""

    def observe(self) -> tuple[Any, ...] | None:
        """Give the arguments of the next call, or None when it is over."""
        ...

    def act(self, value: Any) -> None:
        """Take the solution's answer, whatever it is."""
        ...
