"""Whatever reads students' words takes steps by their length, and no more.

Steps are counted, not timed: the lines of our own code that run, and for each pattern the most positions that one
attempt to match it can look at, whatever the text is.
"""

from __future__ import annotations

import importlib
import re
import sys
from functools import partial
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parse  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from grader.model.kit import Divergence, expectation
from grader.model.run import Reply, RunRecord, Stream
from grader.model.verdict import Ending
from reference.alice import csv, grid, loader, text263
from reference.lefthand.kit import LeftHand
from reference.runner import moves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

READERS = (
    "reference.alice.claim",
    "reference.alice.claim",
    "reference.alice.denial",
    "reference.lefthand.claim",
    "reference.lefthand.output",
    "grader.tracebacks",
)
"""Modules whose patterns are put to students' words."""
MOST_POSITIONS = 25_000
"""A constant is what matters; alternatives that exclude each other are all counted."""
MANY = (1 << 12, 1 << 13)
"""Letters of the shorter and the longer text: twice as long must not cost much more than twice the steps."""

SHAPES: dict[str, Callable[[int], str]] = {
    "blanks": lambda n: " " * n,
    "blanks after a label": lambda n: "position" + " " * n + "x",
    "blanks in a pair": lambda n: "(1" + " " * n + "x",
    "blanks after a comma": lambda n: "(1," + " " * n + "2",
    "digits": lambda n: "7" * n,
    "digits in a pair": lambda n: "(1, " + "7" * n,
    "digits and dots": lambda n: "1." * (n // 2),
    "signs": lambda n: "-+" * (n // 2),
    "arrows": lambda n: "-" * n + "|",
    "brackets": lambda n: "([{<" * (n // 4),
    "labels": lambda n: "position " * (n // 9),
    "half a label, often": lambda n: "no " * (n // 3) + "thing",
    "total is is is": lambda n: "total" + " is" * (n // 3) + " x",
    "length without a number": lambda n: "length " * (n // 7),
    "pairs": lambda n: "(1, 2)->" * (n // 8),
    "pairs in lines": lambda n: "(1, 2)\n" * (n // 7),
    "bare pairs": lambda n: "1 2 " * (n // 4),
    "steps": lambda n: "5 steps " * (n // 8),
    "newlines": lambda n: "\n" * n,
    "carriage returns": lambda n: "\r" * n,
    "escapes": lambda n: "\x1b[" * (n // 2),
    "escapes with digits": lambda n: "\x1b[" + "1;" * (n // 2),
    "frames": lambda n: "Current Position:  1,1\nCurrent Direction: N\n" * (n // 44),
    "messages": lambda n: "Solution Found!" * (n // 15),
    "tracebacks": lambda n: '  File "a.py", line 1, in f\n' * (n // 28),
    "other digits": lambda n: "٣" * n,
    "broken bytes": lambda n: "\udcff" * n,
}
LONG = (
    "blanks in a pair",
    "digits in a pair",
    "arrows",
    "half a label, often",
    "pairs",
    "escapes with digits",
    "frames",
)
"""The shapes on which patterns that give back have failed."""


class _Effort(NamedTuple):
    """What an attempt to match can cost: ways in which it can go on, and positions looked at on all of them."""

    ways: int
    positions: int


def _effort(parsed: Any) -> _Effort:
    ways, positions = 1, 0
    for operation, argument in parsed:
        part = _part(operation, argument)
        positions += ways * part.positions
        ways *= part.ways
    return _Effort(ways, positions)


def _part(operation: Any, argument: Any) -> _Effort:
    if operation in {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT}:
        low, high, inner = argument
        assert high != sre.MAXREPEAT, "a repeat without a bound"
        once = _effort(inner)
        given_back = high - low + 1 if operation is not sre.POSSESSIVE_REPEAT else 1
        return _Effort(given_back * once.ways, high * once.ways * once.positions)
    if operation is sre.SUBPATTERN:
        return _effort(argument[-1])
    if operation is sre.BRANCH:
        branches = [_effort(branch) for branch in argument[1]]
        return _Effort(sum(branch.ways for branch in branches), sum(branch.positions for branch in branches))
    if operation in {sre.ASSERT, sre.ASSERT_NOT}:
        return _Effort(1, _effort(argument[1]).positions)
    return _Effort(1, 1)


def _patterns() -> list[Any]:
    return list(_found_patterns())


def _found_patterns() -> Iterator[Any]:
    for name in READERS:
        for found, value in vars(importlib.import_module(name)).items():
            several = value if isinstance(value, tuple) else (value,)
            for number, pattern in enumerate(several):
                if isinstance(pattern, re.Pattern):
                    yield pytest.param(pattern, id=f"{name}.{found}.{number}")


@pytest.mark.parametrize("pattern", _patterns())
def test_a_pattern_looks_at_a_bounded_stretch_from_wherever_it_begins(pattern: re.Pattern[str]) -> None:
    """So that searching a text takes time by its length, whatever stands in it."""
    assert _effort(sre_parse.parse(pattern.pattern, pattern.flags)).positions <= MOST_POSITIONS


def _steps(work: Callable[[], object]) -> int:
    """Count the lines of our code that run."""
    steps = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal steps
        steps += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return steps


def _printed(text: str) -> RunRecord:
    stream = Stream.of(text.encode("utf-8", "surrogateescape"))
    return RunRecord(ending=Ending.EXITED, exit_status=0, stdout=stream, stderr=stream)


def _returned(text: str) -> RunRecord:
    return RunRecord(ending=Ending.EXITED, exit_status=0, replies=tuple(Reply(value=text) for _ in range(3)))


_WALK = "S#E"
_PAIRS = "2\n0,0\n0,1\nB,4,G,0\nB,0,B,0\n"
_CELLS = "2 1\n?,b,e !,,\n"
_TEXT263 = "2\ns=(0,0)\ng=(0,1)\nb:(r) goal\nb:(u) b:(u)\n"


def _judged(kit: Any, text: str, record: RunRecord) -> None:
    puzzle = kit.parse(text)
    claim = kit.read(record)
    kit.check(puzzle, claim, expectation(kit, puzzle))
    kit.draw(puzzle, claim)


def _explained(text: str) -> None:
    LeftHand().explain(LeftHand().parse(_WALK), Divergence(index=0, found=text, record=_printed(text)))


WORDS: dict[str, Callable[[str], None]] = {
    "left hand": lambda text: _judged(LeftHand(), _WALK, _printed(text)),
    "explained": _explained,
    "alice-csv": lambda text: _judged(csv.kit(), _PAIRS, _printed(text)),
    "alice-grid": lambda text: _judged(grid.kit(), _CELLS, _printed(text)),
    "alice-263": lambda text: _judged(text263.kit(), _TEXT263, _printed(text)),
    "loader": lambda text: _judged(loader.kit(), _PAIRS, _returned(text)),
    "moves": lambda text: _judged(moves.kit(), "runner 1\n\n2 0 -1\n", _returned(text)),
}


@pytest.mark.parametrize("reader", WORDS)
def test_a_reader_takes_twice_the_steps_for_twice_the_words(reader: str) -> None:
    """Reading, checking and drawing grow with the words, not with their square."""
    work = WORDS[reader]
    steps = {name: [_steps(partial(work, shape(n))) for n in MANY] for name, shape in SHAPES.items()}
    assert {name: counts for name, counts in steps.items() if counts[1] > 2.3 * counts[0] + 200} == {}


@pytest.mark.parametrize("shape", LONG)
@pytest.mark.parametrize("reader", ["left hand", "alice-csv", "alice-263", "moves"])
def test_a_reader_comes_to_an_end_with_long_words(reader: str, shape: str) -> None:
    """A pattern that gives back would need hours here, and the suite would never end."""
    WORDS[reader](SHAPES[shape](1 << 17))
