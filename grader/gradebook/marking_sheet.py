"""The CSV that a marker fills: written with what is to be judged, read back with every fault.

student, tag, item, title, most, case, file, line, points, comment; `title` and `most` are for the marker to read.
A row without points and comment says nothing. What stands in the book already changes nothing when it is read again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grader.errors import CatalogueError, Fault, UsageError
from grader.gradebook.contents import kept_submission
from grader.gradebook.judging import Said, judgement
from grader.gradebook.queries import find_attempt
from grader.gradebook.standing import standing
from grader.model import lms
from grader.model.csv_table import read_table
from grader.model.words import number_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from grader.gradebook.event import Adjusted
    from grader.gradebook.history import Attempt, History
    from grader.gradebook.ledger import Ledger
    from grader.model.assignment import Assignment

COLUMNS = ("student", "tag", "item", "title", "most", "case", "file", "line", "points", "comment")
_NEEDED = ("student", "points", "comment")


class Entry(NamedTuple):
    """One judgement, checked, and the attempt that it is about."""

    party: str
    attempt: Attempt
    fact: Adjusted


def sheet_to_fill(assignment: Assignment, past: Mapping[str, History]) -> str:
    """Return a row for each item of the rubric and each attempt that counts, then what else was judged."""
    rows = [list(COLUMNS)]
    for _, history in sorted(past.items()):
        counted = standing(assignment.regulations, history).counted
        if counted is not None:
            rows += _rows(assignment, counted.attempt)
    return lms.csv_text(rows)


def _rows(assignment: Assignment, attempt: Attempt) -> list[list[str]]:
    given = {each.fact.item: each.fact for each in attempt.adjustments if each.fact.item}
    rows = []
    for item in assignment.rubric:
        fact = given.get(item.id)
        judged = [number_text(fact.points), fact.why] if fact else ["", ""]
        most = number_text(item.points)
        rows.append([attempt.student, attempt.tag, item.id, item.title, most, "", "", "", *judged])
    for each in attempt.adjustments:
        fact = each.fact
        if not fact.item:
            place = [fact.case, fact.path, str(fact.line or "")]
            rows.append(
                [attempt.student, attempt.tag, "", fact.about, "", *place, number_text(fact.points), fact.why]
            )
    return rows


def read_sheet(
    path: Path, assignment: Assignment, ledger: Ledger, past: dict[str, History], *, by: str
) -> tuple[Entry, ...]:
    """Read what a marker filled; raise CatalogueError with every fault and its line."""
    faults: list[Fault] = []
    entries: dict[tuple[object, ...], Entry] = {}
    table = read_table(path).need(*_NEEDED, known=COLUMNS)
    for line in table.lines:
        row = {name: _plain(cell) for name, cell in table.row(line, COLUMNS).items()}
        try:
            entry = _entry(row, assignment, ledger, past, by=by)
        except UsageError as error:
            faults.append(table.fault(line, error.message, error.hint))
            continue
        if entry is None:
            continue
        place = (entry.attempt.id, entry.fact.place)
        if place in entries:
            message = f"{entry.attempt.student} {entry.attempt.tag}: {entry.fact.about} is judged twice"
            faults.append(table.fault(line, message))
        entries[place] = entry
    if faults:
        raise CatalogueError(faults)
    return tuple(entries.values())


def _plain(text: str) -> str:
    """Return a cell without the apostrophe that keeps spreadsheets from taking it for a formula."""
    return text[1:] if text.startswith("'") and lms.guard(text[1:]) == text else text


def _entry(
    row: dict[str, str], assignment: Assignment, ledger: Ledger, past: dict[str, History], *, by: str
) -> Entry | None:
    if not row["points"] and not row["comment"]:
        return None
    party, attempt = attempt_of(assignment, past, row["student"], row["tag"])
    if row["line"] and not row["line"].isdecimal():
        raise UsageError(f"{row['line']!r} is no number of a line")
    said = Said(
        points=row["points"],
        item=row["item"],
        case=row["case"],
        path=row["file"],
        line=int(row["line"] or 0),
        why=row["comment"],
    )
    submission = kept_submission(ledger, attempt.id) if said.path else None
    return Entry(party, attempt, judgement(assignment, said, submission, by=by))


def attempt_of(assignment: Assignment, past: dict[str, History], student: str, tag: str) -> tuple[str, Attempt]:
    """Find the attempt to judge: the tag's, or without one the attempt that counts."""
    if tag:
        found = find_attempt(past, student, tag)
    else:
        of = {
            party: standing(assignment.regulations, own).counted for party, own in past.items() if _has(own, student)
        }
        found = next(((party, each.attempt) for party, each in of.items() if each), None)
    if found is None:
        what = f"no attempt {tag!r}" if tag else "no attempt that counts"
        raise UsageError(f"{student or 'a row without student'} has {what} in {assignment.name}")
    if not found[1].counts:
        raise UsageError(f"{student} {found[1].tag} is {found[1].state}, so there is nothing to judge")
    return found


def _has(history: History, student: str) -> bool:
    return any(student in {each.student, *each.received.members} for each in history.attempts)
