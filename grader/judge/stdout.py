"""Compares a program's whole output with the expected text."""

from __future__ import annotations

import math
from collections import Counter
from enum import StrEnum
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from grader.judge.lines import Order, Strictness, Tolerance, line_after, lines_of, refuse_contradiction, unglue
from grader.judge.transcript import first_difference
from grader.model.judgement import Judgement, Trial
from grader.model.kit import Explaining, expectation
from grader.model.result import Mismatch
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.kit import Kit, Puzzle

_MOST_SHOWN = 20
"""Missing or surplus lines that are shown."""

NAME = "stdout"


class Unit(StrEnum):
    LINES = "lines"
    WORDS = "words"


class Options(Tolerance, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The `options` of the judge `stdout`: those of `transcript`, and how lines are compared."""

    compare: Unit = Unit.LINES
    """Line by line, or word by word: then spaces and line ends don't count."""
    order: Order = Order.KEPT
    """Whether the lines (or words) may come in any order."""
    repeats: Strictness = Strictness.KEEP
    """With `order: any`: whether it counts how often each of them comes."""
    letter_case: Strictness = Strictness.KEEP
    """Whether capital and small letters differ."""
    tolerance: Annotated[float, Meta(ge=0)] = 0.0
    """How far numbers in the text may be off, absolute or relative."""

    def __post_init__(self) -> None:
        refuse_contradiction(self.order, self.repeats, self.tolerance)

    @property
    def is_exact(self) -> bool:
        """Tell whether lines count as they stand, in their order."""
        plain = (Unit.LINES, Order.KEPT, Strictness.KEEP, 0.0)
        return (self.compare, self.order, self.letter_case, self.tolerance) == plain


class Expect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the judge `stdout` expects."""

    stdout: str = ""
    """What the program prints."""


def key(kit: Kit, puzzle: Puzzle) -> Expect:
    """Return the kit's text; a kit that only solves answers with the text itself."""
    told = expectation(kit, puzzle)
    return Expect(stdout=told.stdout if hasattr(told, "stdout") else str(told.value))


def judge(trial: Trial) -> Judgement:
    """Find the first line or word that differs."""
    tolerance = msgspec.convert(trial.case.options, Options)
    stored = trial.case.expect
    expected_lines = (key(trial.kit, trial.puzzle) if stored is None else stored).stdout.splitlines()
    first = line_after(tolerance.prompt, expected_lines)
    found_lines = unglue(lines_of(trial.record.stdout.chunks()), tolerance.prompt, first)
    if not tolerance.is_exact:
        mismatch = looser_difference(tolerance.apply(expected_lines), tolerance.apply(found_lines), tolerance)
        return Judgement(verdict=Verdict.WA if mismatch else Verdict.AC, mismatch=mismatch)
    divergence = first_difference(tolerance.apply(expected_lines), tolerance.apply(found_lines), frame_end="")
    if divergence is None:
        return Judgement(verdict=Verdict.AC)
    if isinstance(trial.kit, Explaining):
        return Judgement(verdict=Verdict.WA, mismatch=trial.kit.explain(trial.puzzle, divergence))
    expected, found = divergence.expected or "", divergence.found or ""
    line = _first_line(expected.splitlines(), found.splitlines())
    return Judgement(
        verdict=Verdict.WA,
        mismatch=Mismatch(
            kind="line",
            message=f"line {line + 1}: expected {_nth(expected, line)}, found {_nth(found, line)}.",
            where=f"line {line + 1}",
            expected=expected,
            found=found,
            step=line,
        ),
    )


def looser_difference(expected: Iterable[str], found: Iterable[str], options: Options) -> Mismatch | None:
    """Compare as the options say; None when nothing differs."""
    want, got = list(_items(expected, options)), list(_items(found, options))
    if options.order is Order.ANY:
        return _unpaired(want, got, options)
    noun = options.compare.value.removesuffix("s")
    for index, (wanted, given) in enumerate(zip_longest(want, got)):
        if wanted is None or given is None or not _alike(wanted, given, options):
            where, expects, finds = f"{noun} {index + 1}", _shown(wanted), _shown(given)
            message = f"{where}: expected {expects}, found {finds}."
            return Mismatch(kind="line", message=message, where=where, expected=expects, found=finds, step=index)
    return None


def _items(lines: Iterable[str], options: Options) -> Iterator[str]:
    cased = map(str.casefold, lines) if options.letter_case is Strictness.IGNORE else lines
    return chain.from_iterable(map(str.split, cased)) if options.compare is Unit.WORDS else iter(cased)


def _alike(want: str, got: str, options: Options) -> bool:
    """Tell whether two lines or words count as the same; with a tolerance, number by number."""
    if want == got or not options.tolerance:
        return want == got
    words, given = want.split(), got.split()
    return len(words) == len(given) and all(
        one == other or _is_close(one, other, options.tolerance) for one, other in zip(words, given, strict=True)
    )


def _is_close(want: str, got: str, tolerance: float) -> bool:
    try:
        wanted, given = float(want), float(got)
    except ValueError:
        return False
    return math.isclose(wanted, given, rel_tol=tolerance, abs_tol=tolerance)


def _unpaired(want: list[str], got: list[str], options: Options) -> Mismatch | None:
    """Find a line or word that the other side lacks."""
    wanted, given = Counter(want), Counter(got)
    if options.repeats is Strictness.IGNORE:
        wanted, given = Counter(wanted.keys()), Counter(given.keys())
    missing, extra = list((wanted - given).elements()), list((given - wanted).elements())
    if not missing and not extra:
        return None
    noun = options.compare.value.removesuffix("s")
    parts = [f"the {noun} {_shown(missing[0])} is missing"] if missing else []
    parts += [f"the {noun} {_shown(extra[0])} is one too many"] if extra else []
    return Mismatch(
        kind="line",
        message=f"{', and '.join(parts)}; the order doesn't count.",
        expected="\n".join(missing[:_MOST_SHOWN]),
        found="\n".join(extra[:_MOST_SHOWN]),
    )


def _shown(item: str | None) -> str:
    return "the end of the output" if item is None else repr(item[:120])


def _first_line(expected: list[str], found: list[str]) -> int:
    agreeing = (i for i, (want, got) in enumerate(zip(expected, found, strict=False)) if want != got)
    return next(agreeing, min(len(expected), len(found)))


def _nth(text: str, index: int) -> str:
    lines = text.splitlines()
    return repr(lines[index][:120]) if index < len(lines) else "the end of the output"
