"""Compares a program's whole output with the expected text."""

from __future__ import annotations

from grader.judge.lines import lines_of
from grader.judge.tolerance import Tolerance, line_after, unglue
from grader.judge.transcript import first_difference
from grader.model.judgement import Judgement, Trial
from grader.model.kit import Explaining
from grader.model.result import Mismatch
from grader.model.verdict import Verdict


def judge(trial: Trial) -> Judgement:
    """Find the first line that differs."""
    tolerance = Tolerance.of(trial.case.options)
    stored = trial.case.expect.stdout
    text = stored if stored is not None else trial.kit.expect(trial.puzzle).stdout or ""
    expected_lines = text.splitlines()
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
