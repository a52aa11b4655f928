"""Names the mistake that explains all answers of a submission, not only those of one case.

    failed cases ─▶ mistakes that explain each ─▶ common to all ─▶ right on the passed cases, too ─▶ named in each

A case's words never depend on cases that are shown to fewer people than itself: a visible message tells nothing of
hidden outcomes, and `grader check`, which runs the visible cases, says what `grader grade` says.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.log import log
from grader.model.kit import Suspecting, WithheldError
from grader.model.verdict import Verdict, Visibility

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.model.result import Accusation, CaseResult, Suspicion
    from grader.pipeline.prepare import Prepared

_ENOUGH = 2
"""Weight that the failed cases need together."""
_OPENNESS = (Visibility.VISIBLE, Visibility.AFTER_DUE_DATE, Visibility.AFTER_PUBLISHED, Visibility.HIDDEN)


class Accuser:
    """Hears all cases of one submission after the other; what a mistake does on a case is found out once."""

    def __init__(self, cases: Sequence[Prepared]) -> None:
        self._cases = cases
        self._would_pass = cache(self._ask)

    def name_mistakes(self, results: Sequence[CaseResult]) -> tuple[CaseResult, ...]:
        """Return the results with the mistake named in each that it explains; `results` are one per case."""
        if not any(_suspicion(result) for result in results):
            return tuple(results)
        accused = {openness: self._accused(results, openness) for openness in _OPENNESS}
        return tuple(
            _named(result, self._accusation(number, accused[result.facts.visibility]))
            for number, result in enumerate(results)
        )

    def _accused(self, results: Sequence[CaseResult], openness: Visibility) -> tuple[str, ...]:
        """Return the mistakes that explain every case which is at least as open as this."""
        shown = _OPENNESS[: _OPENNESS.index(openness) + 1]
        heard = [(number, result) for number, result in enumerate(results) if result.facts.visibility in shown]
        suspicions = [suspicion for _, result in heard if (suspicion := _suspicion(result))]
        if sum(suspicion.weight for suspicion in suspicions) < _ENOUGH:
            return ()
        common = [
            name for name in suspicions[0].names if all(name in suspicion.names for suspicion in suspicions[1:])
        ]
        passed = [number for number, result in heard if result.verdict is Verdict.AC]
        return tuple(name for name in common if all(self._would_pass(number, name) for number in passed))

    def _ask(self, number: int, suspect: str) -> bool:
        kit, puzzle = self._cases[number].kit, self._cases[number].puzzle
        try:
            return not isinstance(kit, Suspecting) or kit.would_pass(puzzle, suspect)
        except WithheldError:
            return False  # what can't be proved here isn't told
        except Exception:  # noqa: BLE001 - a kit's guess must not cost a sheet
            log().exception("%s: whether %r passes is unknown", self._cases[number].case.id, suspect)
            return False

    def _accusation(self, number: int, names: tuple[str, ...]) -> Accusation | None:
        kit = self._cases[number].kit
        return kit.accuse(names) if names and isinstance(kit, Suspecting) else None


def _suspicion(result: CaseResult) -> Suspicion | None:
    return result.mismatch.suspicion if result.mismatch else None


def _named(result: CaseResult, accusation: Accusation | None) -> CaseResult:
    mismatch = result.mismatch
    if mismatch is None or mismatch.suspicion is None:
        return result
    plain = replace(mismatch, suspicion=None)
    if accusation is None:
        return replace(result, mismatch=plain)
    kind, message = accusation.kind or mismatch.kind, f"{_sentence(mismatch.message)} {accusation.words}"
    told = replace(plain, kind=kind, message=message, names_cause=True, cause=accusation.words)
    return replace(result, message=message, mismatch=told)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
