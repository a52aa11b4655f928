"""Renders one submission's HTML page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from grader.model.verdict import Verdict
from grader.report import wording
from grader.report.failures import failures, mistake, without_cause
from grader.report.html import evidence, player
from grader.report.html.evidence import DiffLine, SourceFile, compare
from grader.report.html.templates import fill
from grader.report.view import CaseView, Outcome

if TYPE_CHECKING:
    from grader.report.failures import Failure
    from grader.report.view import SheetView


STYLES = ("style.css", "submission.css")
SCRIPTS = ("submission.js",)
PLAYER = ("player.css", ("frames.js", "player.js"))
"""Style and scripts that a page with drawings carries packed, and names in its content policy."""
_TITLES = 2
"""Of cases that fail alike, in their card's title."""


class CasePage(msgspec.Struct, frozen=True, kw_only=True):
    """One case as the page shows it."""

    case: CaseView
    message: str
    diff: tuple[DiffLine, ...] = ()
    scene: int | None = None
    """Place of its scene in the page's player data."""
    scene_note: str = ""
    listing: SourceFile | None = None
    """The source round the line that shows the cause."""
    opens: bool = False


class Card(NamedTuple):
    """Cases that fail alike, or one case by itself."""

    items: tuple[CasePage, ...]
    title: str = ""
    """What they have in common."""
    hint: str = ""

    @property
    def example(self) -> CasePage:
        return self.items[0]

    @property
    def opens(self) -> bool:
        return any(item.opens for item in self.items)

    @property
    def has_scenes(self) -> bool:
        return any(item.scene is not None for item in self.items)

    @property
    def points(self) -> float:
        return sum(item.case.points or 0.0 for item in self.items)

    @property
    def max_points(self) -> float:
        return sum(item.case.facts.worth for item in self.items)


def render(view: SheetView, *, check: str = "grader check") -> str:
    """Return the page; `check` is how its reader checks again, empty where that is no command."""
    cases, scenes = _cases(view)
    return fill(
        "submission.html",
        styles=STYLES,
        scripts=SCRIPTS,
        packed=PLAYER if scenes else None,
        view=view,
        check=check,
        cases=cases,
        cards=_cards(view, cases),
        scenes=scenes,
        texts=2 * sum(case.is_wrong for case in view.cases),
        mistake=mistake(view.cases),
        sources=evidence.files(view),
        counts=wording.counts(view),
        verdicts=[verdict for verdict in Verdict if any(case.verdict is verdict for case in view.cases)],
        outcomes=[outcome for outcome in Outcome if any(case.outcome is outcome for case in view.cases)],
        plain=wording.plain,
        worth=wording.worth,
        sums=wording.sums(view) if view.remarks else "",
    )


def _cases(view: SheetView) -> tuple[list[CasePage], str]:
    places, notes, scenes = _scenes(view)
    wrong = [case.number for case in view.cases if case.is_wrong]
    pages = [
        CasePage(
            case=case,
            message=without_cause(case),
            diff=_diff(case, len(wrong)),
            scene=places.get(case.number),
            scene_note=notes.get(case.number, ""),
            listing=evidence.cause(view, case),
            opens=case.number in wrong[:1],
        )
        for case in view.cases
    ]
    return pages, scenes


def _cards(view: SheetView, items: list[CasePage]) -> list[Card]:
    """Put cases that fail alike on one card, where the first of them comes; what is to be explained comes first."""
    groups = {failure.example.number: failure for failure in failures(view) if len(failure.cases) > 1}
    grouped = {case.number for failure in groups.values() for case in failure.cases}
    cards = []
    for item in items:
        if failure := groups.get(item.case.number):
            alike = {case.number for case in failure.cases}
            cards.append(
                Card(tuple(item for item in items if item.case.number in alike), _shared(failure), failure.hint)
            )
        elif item.case.number not in grouped:
            cards.append(Card((item,)))
    return sorted(cards, key=lambda card: _rank(card.example.case))


def _rank(case: CaseView) -> int:
    return 0 if case.is_wrong else 1 if case.outcome is Outcome.SKIPPED else 2


def _shared(failure: Failure) -> str:
    """Name what the cases have in common."""
    case, mismatch = failure.example, failure.example.mismatch
    who = f"{'All ' if failure.is_all else ''}{len(failure.cases)} cases"
    if case.verdict is Verdict.RTE and mismatch and mismatch.line:
        return f"{who} stop with the same {mismatch.kind} in line {mismatch.line} of {mismatch.path}"
    if case.verdict is not Verdict.WA:
        return f"{who} end alike: {wording.spelled(case)}"
    titles = ", ".join(f"“{case.facts.title}”" for case in failure.cases[:_TITLES])
    left = len(failure.cases) - _TITLES
    return f"{who} fail alike: {titles}{f' and {left} more' if left > 0 else ''}"


def _scenes(view: SheetView) -> tuple[dict[int, int], dict[int, str], str]:
    """Pack the scenes, those of failed cases first, until the page's bound is reached."""
    places: dict[int, int] = {}
    notes: dict[int, str] = {}
    reel = player.Reel()
    for case in sorted(view.cases, key=lambda case: not case.is_wrong):
        if case.exhibit.scene is None:
            continue
        data = player.pack(case.exhibit, case.mismatch.printed if case.mismatch else None)
        if data is None:
            notes[case.number] = "This picture is too large to draw here."
        elif (place := reel.add(data)) is None:
            notes[case.number] = (
                f"The drawing was left out to keep this page below {player.PAGE_LIMIT // 1_000_000} MB."
            )
        else:
            places[case.number] = place
    return places, notes, reel.text()


def _diff(case: CaseView, of: int) -> tuple[DiffLine, ...]:
    """Compare line by line where there are lines; short values stand side by side instead."""
    mismatch = case.mismatch
    if mismatch is None:
        return ()
    expected = mismatch.expected_text or mismatch.expected
    found = mismatch.found_text or mismatch.found
    if not (expected and found and "\n" in expected + found):
        return ()
    return compare(expected, found, case.exhibit.before, of=of)
