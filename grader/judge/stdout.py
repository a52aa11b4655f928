"""Compares a program's whole output with the expected text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.judge.lines import lines_of
from grader.judge.tolerance import Tolerance, line_after, unglue
from grader.judge.transcript import first_difference
from grader.model.judgement import Judgement, Trial
from grader.model.kit import Explaining, expectation
from grader.model.result import Mismatch
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from grader.model.kit import Kit, Puzzle

NAME = "stdout"
Options = Tolerance


class Expect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the judge `stdout` expects."""

    stdout: str = ""
    """What the program prints."""


def key(kit: Kit, puzzle: Puzzle) -> Expect:
    """Return the kit's text; a kit that only solves answers with the text itself."""
    told = expectation(kit, puzzle)
    return Expect(stdout=told.stdout if hasattr(told, "stdout") else str(told.value))


def judge(trial: Trial) -> Judgement:
    """Find the first line that differs."""
    tolerance = Tolerance.of(trial.case.options)
    stored = trial.case.expect
    expected_lines = (key(trial.kit, trial.puzzle) if stored is None else stored).stdout.splitlines()
    first = line_after(tolerance.prompt, expected_lines)
    found_lines = unglue(lines_of(trial.record.stdout.chunks()), tolerance.prompt, first)
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


def _first_line(expected: list[str], found: list[str]) -> int:
    agreeing = (i for i, (want, got) in enumerate(zip(expected, found, strict=False)) if want != got)
    return next(agreeing, min(len(expected), len(found)))


def _nth(text: str, index: int) -> str:
    lines = text.splitlines()
    return repr(lines[index][:120]) if index < len(lines) else "the end of the output"
