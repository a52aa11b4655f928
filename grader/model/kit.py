"""What the harness asks of a kit: a handful of functions on plain values.

A kit is a module with a factory `kit(**rules) -> Kit`; `rules` come from the assignment (`start_colour: ignored`).
`Kit` is all that it needs for the judge `claim`; the other protocols are what it may offer besides. Its module, or a
package that holds it, may say

    WITHHELD = ("package.solver",)                       modules and data files that students never get
    SOLVERS = ("package.module", "package.module:name")  what `grader mutate` spoils, to prove the cases
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import msgspec

from grader.model.run import RunRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.model.dice import Dice
    from grader.model.result import Accusation, Mismatch
    from grader.model.scene import Scene

Json = Any
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


class WithheldError(Exception):
    """A part of the kit that students never get was asked for; a kit may explain less then, never judge otherwise."""


class Expect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The expectation of a kit that has none of its own, and of the judge `value`."""

    value: Json = None
    """The answer as plain data."""


class Kit(Protocol):
    """One puzzle: read it, solve it, read a student's claim, check it.

    It may have besides:

    `Expect`, a struct that YAML is read into, and `expect(puzzle)`, which returns what a case of the puzzle stores,
    where that is more than the answer.

    `calls(puzzle)`, the arguments of each call in order, for solutions that are functions, and `call_name`, what
    messages name a call by: `"map {index}"` counts from 0, `"call {number}"` from 1.

    `world(puzzle)`, the import path and the setup (plain data) of a `World`, for solutions that act in one.

    `write(puzzle)`, which gives the text back that `parse` read, for hunts, and `difficulty(puzzle)`, how hard it is:
    `{"length": 12, "branching": 1.8}`.

    `so_far(puzzle, record)`, which rule an unfinished answer breaks, after a time-out, a flood or a crash; None while
    the answer so far may still become right. Nothing that is only missing counts, for the program was stopped.
    Without it the judge's own `so_far` is asked.
    """

    def parse(self, text: str) -> Puzzle:
        """Read a puzzle; raise PuzzleError with its place."""
        ...

    def solve(self, puzzle: Puzzle) -> Answer:
        """Return the reference's answer."""
        ...

    def read(self, record: RunRecord) -> Claim:
        """Read leniently what the student's program claims; None when it claims nothing."""
        ...

    def check(self, puzzle: Puzzle, claim: Claim, expect: Any) -> Mismatch | None:
        """Judge the claim strictly, by the expectation; None when it is right. A claim of None is wrong."""
        ...


def expectation(kit: Kit, puzzle: Puzzle) -> Any:
    """Return what a case of this puzzle stores: the kit's expectation, else its answer as a plain value."""
    told = getattr(kit, "expect", None)
    return told(puzzle) if told is not None else Expect(value=msgspec.to_builtins(kit.solve(puzzle)))


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """One sort of puzzle that a kit can make, what a case of it is for, and whether hunts draw it."""

    title: str
    """A few words that a student may read."""
    hint: str = ""
    limits: dict[str, float] = {}
    """Limits that it needs besides the assignment's: `{"cpu_s": 10}`."""
    sizes: tuple[int, int] | None = None
    """The least and the greatest `size` that it can be made in; None when its size is its own."""
    hunted: tuple[int, int] | None = None
    """The least and the greatest `size` that a hunt draws, hundreds a second; None: hunts leave it out."""
    is_long: bool = False
    """Whether a hunt draws only a few, between many quick ones: for a recursion that goes too deep."""


@runtime_checkable
class Generating(Protocol):
    """A kit that makes puzzles, for `grader hunt`, `generate` and `grader cases renew`."""

    def shapes(self) -> dict[str, Shape]:
        """Name the sorts of puzzles that it can make, those that catch most faults first."""
        ...

    def vary(self, dice: Dice, shape: str, size: int | None = None) -> str:
        """Make the text of a puzzle of this sort, by no other chance than the dice; None: of a size that it draws."""
        ...


@runtime_checkable
class Drawing(Protocol):
    """A kit that draws what reports show beside a verdict."""

    def draw(self, puzzle: Puzzle, claim: Claim) -> Scene | None:
        """Draw the puzzle, the reference's answer and the claim (None: without it)."""
        ...


@runtime_checkable
class Transcribed(Protocol):
    """A kit whose answer is a transcript."""

    def transcript(self, puzzle: Puzzle) -> Iterator[str]:
        """Return the expected output line by line, without line ends."""
        ...


class Divergence(msgspec.Struct, frozen=True, kw_only=True):
    """Where a generic judge saw the answer part from the expectation.

    `transcript`: `index` is the frame from 0, `expected` and `found` that frame's text (`found` is None when the
    output ended), `record` the whole run. `value`: `where` is the path of subscripts, `expected` and `found` the
    plain values there.
    """

    index: int | None = None
    where: tuple[Any, ...] = ()
    expected: Any = None
    found: Any = None
    record: RunRecord | None = None


@runtime_checkable
class Explaining(Protocol):
    """A kit that puts a generic judge's divergence into the terms of the puzzle."""

    def explain(self, puzzle: Puzzle, divergence: Divergence) -> Mismatch:
        """Say what went wrong there, so that the student can act on it."""
        ...


@runtime_checkable
class Suspecting(Protocol):
    """A kit that knows mistakes by name and says in a mismatch's `suspicion` which of them explain an answer.

    Kits of one assignment share their names. The pipeline keeps the mistakes that explain every failed case and would
    pass every passed one, and has the rest accused.
    """

    def would_pass(self, puzzle: Puzzle, suspect: str) -> bool:
        """Tell whether a program with this mistake may be right here all the same; True where that isn't known."""
        ...

    def accuse(self, suspects: tuple[str, ...]) -> Accusation | None:
        """Say what these, each of which explains everything, have in common; None where that is too little."""
        ...


@runtime_checkable
class Lending(Protocol):
    """A kit whose explanations and drawings ask withheld modules, though about a visible puzzle only so much."""

    def lent(self, puzzle: Puzzle) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...]]]:
        """Return those functions with their arguments: students get the answers, and only these."""
        ...


@runtime_checkable
class Shrinking(Protocol):
    """A kit that can take one thing away from a puzzle."""

    def smaller(self, puzzle: Puzzle) -> Iterator[Puzzle]:
        """Return every puzzle that lacks one piece, or has a simpler one; what drops most comes first.

        A puzzle none of whose smaller ones fails is locally minimal, so each must be smaller in one fixed order.
        """
        ...


@runtime_checkable
class Telling(Protocol):
    """A kit that can answer as a right program would, so that mutants of its solvers can be judged like students."""

    def tell(self, puzzle: Puzzle) -> Iterator[RunRecord]:
        """Return what a right program would leave behind, once for each of the kit's solvers."""
        ...


class World(Protocol):
    """A simulation that the trusted parent runs, tick by tick; built as `Class(setup)`."""

    def observe(self) -> tuple[Any, ...] | None:
        """Return the arguments of the next call, or None when it is over."""
        ...

    def act(self, value: Any) -> None:
        """Take the solution's answer, whatever it is: at most 64 KiB of plain data with numbers of 64 bits.

        It is called in the grader's own process, without a clock: raise for no answer, and never take longer for
        a larger number.
        """
        ...
