"""The values that one attempt on a tag is made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from grader.forge.git import Repository
    from grader.forge.issue import Host
    from grader.gradebook.ledger import Ledger
    from grader.gradebook.roster import Roster
    from grader.model.assignment import Assignment
    from grader.model.result import GradeSheet
    from grader.model.submission import Submission

PASSED, FAILED, REFUSED, OUR_FAULT = 0, 1, 4, 70

Grade = Callable[["Submission", Callable[[str], None]], "GradeSheet"]
Tell = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Course:
    """What stays the same from push to push."""

    assignment: Assignment
    ledger: Ledger
    roster: Roster
    grade: Grade
    out: Path
    formats: tuple[str, ...]
    tell: Tell
    host: Host | None = None


@dataclass(frozen=True, kw_only=True)
class TagPush:
    """One tag that reached the server."""

    repository: Repository
    tag: str
    student: str
    at: datetime
    private: bool | None = None
