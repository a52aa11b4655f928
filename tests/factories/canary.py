"""Marks everything hidden of an assignment, so that a test sees where it ends up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.model.assignment import CaseFacts
from grader.model.kit import Expect
from grader.model.verdict import Visibility

if TYPE_CHECKING:
    from grader.model.assignment import Assignment

CANARY = "c4n4ry"
SOLVERS = {
    "lefthand": ("walk", "transcript", "mistaken"),
    "alice": ("solve", "mistaken", "mistakes", "generate"),
    "runner": ("search", "pseudocode", "mistaken", "mistaken_play", "generate"),
}
"""Modules of reference/ that no student gets."""


def with_canary(assignment: Assignment) -> Assignment:
    """Mark everything of every case that isn't visible."""
    cases = tuple(
        case
        if case.facts.visibility is Visibility.VISIBLE
        else msgspec.structs.replace(
            case,
            facts=CaseFacts(
                id=f"{CANARY}-{case.id}",
                title=CANARY,
                hint=CANARY,
                tags=(CANARY,),
                visibility=case.facts.visibility,
            ),
            raw=case.raw + CANARY.encode(),
            expect=Expect(value=CANARY),
        )
        for case in assignment.cases
    )
    return msgspec.structs.replace(assignment, cases=cases)
