"""Renders one submission's HTML page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from grader.model.verdict import Verdict
from grader.report import player, source_excerpt, wording
from grader.report.diff import DiffLine, compare
from grader.report.templates import fill
from grader.report.view import CaseView, Outcome

if TYPE_CHECKING:
    from grader.report.view import SheetView


class CasePage(msgspec.Struct, frozen=True, kw_only=True):
    """One case as the page shows it."""

    case: CaseView
    diff: tuple[DiffLine, ...] = ()
    scene: int | None = None
    """Place of its scene in the page's player data."""
    scene_note: str = ""
    opens: bool = False


def render(view: SheetView) -> str:
    cases, scenes = _cases(view)
    return fill(
        "submission.html",
        scripts=("player.js", "submission.js"),
        view=view,
        cases=cases,
        scenes=scenes,
        sources=source_excerpt.files(view),
        counts=wording.counts(view),
        verdicts=[verdict for verdict in Verdict if any(case.verdict is verdict for case in view.cases)],
        outcomes=[outcome for outcome in Outcome if any(case.outcome is outcome for case in view.cases)],
        plain=wording.plain,
    )


def _cases(view: SheetView) -> tuple[list[CasePage], list[dict[str, Any]]]:
    scenes, notes = _scenes(view)
    places = {number: place for place, number in enumerate(scenes)}
    first = next((case.number for case in view.cases if case.is_wrong), None)
    pages = [
        CasePage(
            case=case,
            diff=_diff(case),
            scene=places.get(case.number),
            scene_note=notes.get(case.number, ""),
            opens=case.number == first,
        )
        for case in view.cases
    ]
    return pages, list(scenes.values())


def _scenes(view: SheetView) -> tuple[dict[int, dict[str, Any]], dict[int, str]]:
    """Pack the scenes, those of failed cases first, until the page's bound is reached."""
    scenes: dict[int, dict[str, Any]] = {}
    notes: dict[int, str] = {}
    room = player.PAGE_LIMIT
    for case in sorted(view.cases, key=lambda case: not case.is_wrong):
        if case.exhibit.scene is None:
            continue
        data = player.pack(case.exhibit.scene)
        if data is None:
            notes[case.number] = "This picture is too large to draw here."
        elif player.size(data) > room:
            notes[case.number] = (
                f"The drawing was left out to keep this page below {player.PAGE_LIMIT // 1_000_000} MB."
            )
        else:
            room -= player.size(data)
            scenes[case.number] = data
    return scenes, notes


def _diff(case: CaseView) -> tuple[DiffLine, ...]:
    """Compare line by line where there are lines; short values stand side by side instead."""
    mismatch = case.mismatch
    if mismatch is None:
        return ()
    expected = mismatch.expected_text or mismatch.expected
    found = mismatch.found_text or mismatch.found
    return compare(expected, found, case.exhibit.before) if expected and found and "\n" in expected + found else ()
