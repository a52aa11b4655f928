"""People's judgements of attempts: checked, read from the sheet that a marker fills, shown beside the machine's.

student, tag, item, title, most, case, file, line, points, comment; `title` and `most` are for the marker to read.
A row without points and comment says nothing. What is in the book already changes nothing when it is read again.
"""

from __future__ import annotations

import math
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from grader.errors import CatalogueError, Fault, UsageError
from grader.gradebook.contents import kept_submission
from grader.gradebook.event import Adjusted
from grader.gradebook.history import find_attempt
from grader.gradebook.standing import standing
from grader.model import lms
from grader.model.csv_table import read_table
from grader.model.result import Remark
from grader.model.words import number_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from grader.gradebook.history import Attempt, History
    from grader.gradebook.ledger import Ledger
    from grader.model.assignment import Assignment, RubricItem
    from grader.model.result import GradeSheet
    from grader.model.submission import Submission

COLUMNS = ("student", "tag", "item", "title", "most", "case", "file", "line", "points", "comment")
WHOLE = "the whole attempt"
_MOST = 1_000_000.0
_LONGEST = 4000
"""Letters of a comment."""


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """A judgement as a marker writes it, unchecked: a row of the sheet."""

    student: str
    tag: str = ""
    """The attempt that counts by default."""
    item: str = ""
    case: str = ""
    file: str = ""
    line: str = ""
    points: str = ""
    comment: str = ""


class Entry(NamedTuple):
    """One judgement, checked, and the attempt that it is about."""

    party: str
    attempt: Attempt
    fact: Adjusted

    @property
    def before(self) -> Adjusted | None:
        """What the book has in its place."""
        return next((each.fact for each in self.attempt.adjustments if each.fact.place == self.fact.place), None)

    @property
    def is_new(self) -> bool:
        before = self.before
        return before is None or (before.points, before.why) != (self.fact.points, self.fact.why)


class Marker(NamedTuple):
    """Somebody who judges the attempts of an assignment."""

    assignment: Assignment
    ledger: Ledger
    past: dict[str, History]
    by: str

    def read(self, path: Path) -> tuple[Entry, ...]:
        """Read a filled sheet; raise CatalogueError with every fault and its line."""
        faults: list[Fault] = []
        entries: dict[tuple[object, ...], Entry] = {}
        table = read_table(path).need("student", "points", "comment", known=COLUMNS)
        for line in table.lines:
            said = Said(**{name: _plain(cell) for name, cell in table.row(line, Said.__struct_fields__).items()})
            if not said.points and not said.comment:
                continue
            try:
                entry = self.entry(said)
            except UsageError as error:
                faults.append(table.fault(line, error.message, error.hint))
                continue
            place = (entry.attempt.id, entry.fact.place)
            if place in entries:
                name = f"{entry.attempt.student} {entry.attempt.tag}"
                faults.append(table.fault(line, f"{name}: {entry.fact.about} is judged twice"))
            entries[place] = entry
        if faults:
            raise CatalogueError(faults)
        return tuple(entries.values())

    def entry(self, said: Said) -> Entry:
        """Return the judgement for the ledger; raise UsageError for what can't be meant."""
        party, attempt = self._attempt(said)
        points = _points(said.points)
        if said.item and (said.case or said.file):
            raise UsageError("an item of the rubric is judged for the whole attempt, not for a case or a line")
        if said.line and not said.line.isdecimal():
            raise UsageError(f"{said.line!r} is no number of a line")
        about = _item(self.assignment, said.item, points) if said.item else self._place(attempt, said)
        if not said.comment.strip() and (not said.item or not said.points):
            raise UsageError(
                "give a reason, which the student reads" if points else "give points, a comment, or both"
            )
        if len(said.comment) > _LONGEST:
            raise UsageError(f"a comment has at most {_LONGEST} letters")
        fact = Adjusted(
            points=points,
            item=said.item,
            case=said.case,
            path=said.file,
            line=int(said.line or 0),
            about=about,
            by=self.by,
            why=said.comment.strip(),
        )
        return Entry(party, attempt, fact)

    def _attempt(self, said: Said) -> tuple[str, Attempt]:
        """Find the attempt to judge: the tag's, or without one the attempt that counts."""
        student = said.student
        own = {party: history for party, history in self.past.items() if student in _people(party, history)}
        if said.tag:
            found = find_attempt(own, student, said.tag)
        else:
            counted = ((name, standing(self.assignment.regulations, each).counted) for name, each in own.items())
            found = next(((name, each.attempt) for name, each in counted if each), None)
        if found is None:
            what = f"no attempt {said.tag!r}" if said.tag else "no attempt that counts"
            hint = (
                "" if own else _near(student, sorted({name for each in self.past.items() for name in _people(*each)}))
            )
            raise UsageError(f"{student or 'a row without student'} has {what} in {self.assignment.name}", hint=hint)
        if not found[1].counts:
            raise UsageError(f"{student} {found[1].tag} is {found[1].state}, so there is nothing to judge")
        return found

    def _place(self, attempt: Attempt, said: Said) -> str:
        """Return the case or the line in words; a case is named by its title, which every student may read."""
        titles = {case.id: case.facts.title for case in self.assignment.cases}
        if said.case and said.case not in titles:
            raise UsageError(f"{self.assignment.name} has no case {said.case!r}", hint=_near(said.case, titles))
        if said.file:
            _check_line(said, kept_submission(self.ledger, attempt.id))
        named = [f"case “{titles[said.case]}”"] if said.case else []
        named += [f"{said.file}, line {said.line}"] if said.file else []
        return ", ".join(named) or WHOLE


def sheet_to_fill(assignment: Assignment, past: Mapping[str, History]) -> str:
    """Return a row for each item of the rubric and each attempt that counts, then what else was judged."""
    rows = [list(COLUMNS)]
    for _, history in sorted(past.items()):
        counted = standing(assignment.regulations, history).counted
        if counted is not None:
            rows += _rows(assignment, counted.attempt)
    return lms.csv_text(rows)


def _rows(assignment: Assignment, attempt: Attempt) -> list[list[str]]:
    head = [attempt.student, attempt.tag]
    facts = [each.fact for each in attempt.adjustments]
    given = {fact.item: [number_text(fact.points), fact.why] for fact in facts if fact.item}
    rows = [
        [*head, item.id, item.title, number_text(item.points), "", "", "", *given.get(item.id, ["", ""])]
        for item in assignment.rubric
    ]
    others = (fact for fact in facts if not fact.item)
    rows += [
        [*head, "", fact.about, "", fact.case, fact.path, str(fact.line or ""), number_text(fact.points), fact.why]
        for fact in others
    ]
    return rows


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


def _people(party: str, history: History) -> set[str]:
    return {party} | {name for each in history.attempts for name in (each.student, *each.received.members)}


def _plain(text: str) -> str:
    """Return a cell without the apostrophe that keeps spreadsheets from taking it for a formula."""
    return text[1:] if text.startswith("'") and lms.guard(text[1:]) == text else text


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


def _check_line(said: Said, submission: Submission | None) -> None:
    if submission is None:
        raise UsageError("the files of this attempt were not kept, so no line of them can be judged")
    files = {file.path: file.content for file in submission.files}
    if said.file not in files:
        raise UsageError(f"the attempt has no file {said.file!r}", hint=_near(said.file, files))
    count = len(files[said.file].splitlines())
    if not 1 <= int(said.line or 0) <= count:
        raise UsageError(f"{said.file} has lines 1 to {count}, not {said.line}")


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
