"""Check what people judge of an attempt, and put it beside the machine's judgement."""

from __future__ import annotations

import math
from difflib import get_close_matches
from typing import TYPE_CHECKING

import msgspec

from grader.errors import UsageError
from grader.gradebook.event import Adjusted
from grader.model.result import Remark
from grader.model.words import number_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.gradebook.history import Attempt
    from grader.model.assignment import Assignment, RubricItem
    from grader.model.result import GradeSheet
    from grader.model.submission import Submission

WHOLE = "the whole attempt"
_MOST = 1_000_000.0
_LONGEST = 4000
"""Letters of a comment."""


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """A person's judgement as it was entered, unchecked."""

    points: str = ""
    item: str = ""
    case: str = ""
    path: str = ""
    line: int = 0
    why: str = ""


def judgement(assignment: Assignment, said: Said, submission: Submission | None, *, by: str) -> Adjusted:
    """Return the judgement for the ledger; raise UsageError for what can't be meant."""
    points = _points(said.points)
    if said.item and (said.case or said.path):
        raise UsageError("an item of the rubric is judged for the whole attempt, not for a case or a line")
    about = _item(assignment, said.item, points) if said.item else _place(assignment, said, submission)
    if not said.why.strip() and (not said.item or not said.points):
        raise UsageError("give a reason, which the student reads" if points else "give points, a comment, or both")
    if len(said.why) > _LONGEST:
        raise UsageError(f"a comment has at most {_LONGEST} letters")
    return Adjusted(
        points=points,
        item=said.item,
        case=said.case,
        path=said.path,
        line=said.line,
        about=about,
        by=by,
        why=said.why.strip(),
    )


def with_remarks(
    assignment: Assignment, attempt: Attempt, sheet: GradeSheet, submission: Submission | None
) -> GradeSheet:
    """Return the sheet with what people judge of the attempt, and what of the rubric nobody has judged yet."""
    given = {each.fact.item: each.fact for each in attempt.adjustments if each.fact.item}
    shown = [item for item in assignment.rubric if item.id in given or item.points > 0]  # no deduction to expect
    rubric = [_remark_on(item, given.pop(item.id, None)) for item in shown]
    others = [each.fact for each in attempt.adjustments if each.fact.item in given or not each.fact.item]
    lines = {file.path: file.content for file in submission.files} if submission else {}
    return msgspec.structs.replace(sheet, remarks=(*rubric, *(_remark(fact, lines) for fact in others)))


def _points(text: str) -> float:
    try:
        points = float(text or 0)
    except ValueError:
        raise UsageError(f"{text!r} is no number of points") from None
    if not math.isfinite(points) or abs(points) > _MOST:
        raise UsageError(f"{text!r} is no number of points")
    return round(points, 4)


def _item(assignment: Assignment, name: str, points: float) -> str:
    items = {item.id: item for item in assignment.rubric}
    if name not in items:
        raise UsageError(f"the rubric has no item {name!r}", hint=_near(name, items))
    low, high = sorted((0.0, items[name].points))
    if not low <= points <= high:
        raise UsageError(f"{name} has {number_text(low)} to {number_text(high)} points, not {number_text(points)}")
    return items[name].title


def _place(assignment: Assignment, said: Said, submission: Submission | None) -> str:
    """Return the case or the line in words; a case is named by its title, which every student may read."""
    titles = {case.id: case.facts.title for case in assignment.cases}
    if said.case and said.case not in titles:
        raise UsageError(f"{assignment.name} has no case {said.case!r}", hint=_near(said.case, titles))
    if said.path:
        _check_line(said, submission)
    named = [f"case “{titles[said.case]}”"] if said.case else []
    named += [f"{said.path}, line {said.line}"] if said.path else []
    return ", ".join(named) or WHOLE


def _check_line(said: Said, submission: Submission | None) -> None:
    if submission is None:
        raise UsageError("the files of this attempt were not kept, so no line of them can be judged")
    files = {file.path: file.content for file in submission.files}
    if said.path not in files:
        raise UsageError(f"the attempt has no file {said.path!r}", hint=_near(said.path, files))
    count = len(files[said.path].splitlines())
    if not 1 <= said.line <= count:
        raise UsageError(f"{said.path} has lines 1 to {count}, not {said.line}")


def _near(name: str, known: Iterable[str]) -> str:
    names = list(known)
    close = get_close_matches(name, names, n=1)
    return f"Did you mean {close[0]}?" if close else f"There are: {', '.join(names[:20]) or 'none'}."


def _remark_on(item: RubricItem, fact: Adjusted | None) -> Remark:
    """Show an item of the rubric, judged or not; without a comment its description says what it asks for."""
    if fact is None:
        return Remark(title=item.title, points=None, max_points=item.points, message=item.description)
    message = fact.why or item.description
    return Remark(title=item.title, points=fact.points, max_points=item.points, message=message, by=fact.by)


def _remark(fact: Adjusted, files: dict[str, bytes]) -> Remark:
    lines = files.get(fact.path, b"").splitlines()
    source = lines[fact.line - 1].decode("utf-8", "replace") if 0 < fact.line <= len(lines) else ""
    return Remark(
        title=fact.about,
        points=fact.points,
        message=fact.why,
        case=fact.case,
        path=fact.path,
        line=fact.line,
        source=source,
        by=fact.by,
    )
