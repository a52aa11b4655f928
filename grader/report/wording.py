"""Holds the words and numbers that every report shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.model.verdict import Verdict
from grader.model.words import number
from grader.report.view import Outcome, SheetView

if TYPE_CHECKING:
    from grader.model.result import Remark
    from grader.report.view import CaseView

_OUTCOMES = {
    Outcome.PASSED: "passed",
    Outcome.PARTLY: "partly right",
    Outcome.FAILED: "failed",
    Outcome.SKIPPED: "not run",
    Outcome.ERROR: "judge error",
    Outcome.UNTOLD: "hidden",
}


SIGNS = {
    Outcome.PASSED: "✓",
    Outcome.PARTLY: "◐",
    Outcome.FAILED: "✗",
    Outcome.SKIPPED: "–",
    Outcome.ERROR: "!",
    Outcome.UNTOLD: "?",
}
"""One letter for each outcome, for those who see no colour."""


def points(view: SheetView | CaseView) -> str:
    most = view.max_points if isinstance(view, SheetView) else view.facts.points
    return f"{'–' if view.points is None else number(view.points)} / {number(most)}"


def worth(remark: Remark) -> str:
    """Say what a person gave or took; empty for words alone."""
    if remark.max_points:
        given = "not judged yet, up to" if remark.points is None else f"{number(remark.points)} of"
        return f"{given} {number(remark.max_points)}"
    return f"{'+' * (remark.points > 0)}{number(remark.points)}" if remark.points else ""


def remark_text(said: Remark) -> str:
    """Tell a person's judgement in one line: what it is about, what it gives, why."""
    given = worth(said)
    title = said.title[:1].upper() + said.title[1:] if not said.path else said.title
    return f"{title}{f' ({given})' if given else ''}{f': {said.message}' if said.message else ''}"


def sums(view: SheetView) -> str:
    """Tell the machine's sum, the people's and both together."""
    together = f"{number(view.total_points)} / {number(view.total_max_points)} points"
    return f"By the cases {points(view)}, by the staff {number(view.people_points)}: {together} in all."


def seconds(amount: float) -> str:
    return f"{amount * 1000:.0f} ms" if amount < 1 else f"{amount:.2f} s"


def mebibytes(amount: float) -> str:
    return f"{amount:.1f} MiB" if amount < 10 else f"{amount:,.0f} MiB"


def verdict(case: CaseView) -> str:
    """Name what came of a case: the verdict where the reader may see it, else the outcome."""
    return f"{case.verdict}: {case.verdict.meaning}" if case.verdict else _OUTCOMES[case.outcome]


def spelled(case: CaseView) -> str:
    """Name what came of a case for people, the code beside it: `wrong answer (WA)`."""
    if case.verdict is None or case.verdict is Verdict.AC:
        return _OUTCOMES[case.outcome]
    return f"{case.verdict.meaning.partition(' (')[0]} ({case.verdict})"


def sign(case: CaseView) -> str:
    return SIGNS[case.outcome]


def sentence(text: str) -> str:
    """Begin with a capital, unless the first word is a name, and end with a full stop."""
    first = text.split(maxsplit=1)[0].rstrip(":,") if text.strip() else ""
    begun = text[:1].upper() + text[1:] if first.isalpha() else text
    return begun if begun.rstrip().endswith((".", "!", "?", ":", "…")) or not first else f"{begun.rstrip()}."


def plain(text: str) -> str:
    return _OUTCOMES[Outcome(text)]


def counts(view: SheetView) -> str:
    """Say in a few words how the cases went."""
    tally = {outcome: sum(case.outcome is outcome for case in view.cases) for outcome in Outcome}
    return ", ".join(f"{count} {_OUTCOMES[outcome]}" for outcome, count in tally.items() if count) or "no cases"


def explanation(case: CaseView) -> str:
    """Tell a failure as plain text: what, where, expected, found, what to try."""
    parts = [case.message]
    mismatch = case.mismatch
    if mismatch:
        parts += [mismatch.message] if mismatch.message not in case.message else []
        parts += [f"Where: {mismatch.where}"] if mismatch.where else []
        parts += [_labelled("Expected", mismatch.expected)] if mismatch.expected else []
        parts += [_labelled("Found", mismatch.found)] if mismatch.found else []
    if case.exhibit.traceback:
        parts.append(case.exhibit.traceback)
    if case.facts.hint:
        parts.append(f"Hint: {case.facts.hint}")
    return "\n".join(part for part in parts if part)


def _labelled(label: str, text: str) -> str:
    text = text.rstrip("\n")
    return f"{label}:\n{text}" if "\n" in text else f"{label}: {text}"
