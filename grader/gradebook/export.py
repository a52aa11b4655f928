"""Write what counts as CSV, for people, Canvas and Moodle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.gradebook.history import people_of
from grader.gradebook.roster import shared_numbers
from grader.gradebook.standing import Standing, standing
from grader.model import lms
from grader.model.lms import Student
from grader.model.regulations import Counts
from grader.model.words import number_text, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from grader.gradebook.history import History
    from grader.gradebook.roster import Roster
    from grader.model.assignment import Assignment

_COLUMNS = (
    *("student", "group", "name", "points", "max_points", "tag", "received", "cost_percent"),
    *("attempts", "refused", "machine_points", "people_points"),
)


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One student's grade."""

    entry: Student
    standing: Standing
    party: str = ""
    """Whose attempts they are; empty when there are none."""

    @property
    def points(self) -> str:
        """Return the points that count; empty when none do, so that an import leaves the cell alone."""
        counted = self.standing.counted
        return number_text(self.standing.points) if counted and counted.is_whole else ""


class Unmatched(msgspec.Struct, frozen=True, kw_only=True):
    """A mark, or somebody who pushed, that no line of the export shows as it is."""

    who: str
    points: float
    why: str


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """The class, and what isn't in it: together they are all that the book holds."""

    lines: tuple[Line, ...]
    unmatched: tuple[Unmatched, ...]


def export(assignment: Assignment, past: Mapping[str, History], roster: Roster) -> Export:
    """Return the class in the roster's order, or without a class list whoever submitted.

    Whose mark it is, the ledger says: those who were in the group when the tag came. The class list of today only
    speaks for students whom the ledger doesn't know.
    """
    standings = {party: standing(assignment.regulations, history) for party, history in past.items()}
    people = {
        party: people_of(party, ((each.student, each.received) for each in history.attempts))
        for party, history in past.items()
    }
    everyone = sorted({name for names in people.values() for name in names})
    entries = roster.entries or tuple(Student(student=student) for student in everyone)
    lines = tuple(_line(assignment, entry, standings, people) for entry in entries)
    return Export(lines=lines, unmatched=tuple(_unmatched(lines, standings, people)))


def _line(
    assignment: Assignment, entry: Student, standings: Mapping[str, Standing], people: Mapping[str, frozenset[str]]
) -> Line:
    own = [party for party, names in people.items() if entry.student in names]
    if entry.party in standings and not any(standings[party].counted for party in own):
        own += [entry.party] if not own or not _knows_members(standings[entry.party]) else []
    if not own:
        return Line(entry=entry, standing=Standing())
    is_last = assignment.regulations.counts is Counts.LAST
    best = max(own, key=lambda party: _worth(standings[party], is_last=is_last))
    return Line(entry=entry, standing=standings[best], party=best)


def _knows_members(found: Standing) -> bool:
    """Tell a group whose members the ledger noted from one of an older book."""
    return any(each.attempt.received.members for each in found.attempts)


def _worth(found: Standing, *, is_last: bool) -> tuple[bool, float]:
    """Order the marks of somebody who was in several groups as one group's attempts are ordered."""
    counted = found.counted
    return counted is not None, (counted.attempt.at.timestamp() if is_last and counted else found.points)


def _unmatched(
    lines: tuple[Line, ...], standings: Mapping[str, Standing], people: Mapping[str, frozenset[str]]
) -> Iterator[Unmatched]:
    listed = {line.entry.student for line in lines}
    shown = {line.party for line in lines}
    for party, found in standings.items():
        missing = sorted(people[party] - listed - ({party} & shown))
        for name in missing:
            yield Unmatched(who=name, points=found.points, why="isn't in the class list")
        if party not in shown and not missing and people[party] and found.counted:
            elsewhere = ", ".join(sorted(people[party]))
            yield Unmatched(
                who=party, points=found.points, why=f"its members ({elsewhere}) have another group's mark"
            )
    for line in lines:
        if line.standing.counted and not line.standing.counted.is_whole:
            tag = line.standing.counted.attempt.tag
            why = f"has a case that we could not judge (tag {tag}): regrade it"
            yield Unmatched(who=line.entry.student, points=line.standing.points, why=why)


def plain(assignment: Assignment, rows: Iterable[Line]) -> str:
    """Return one line per student with points, attempt and quota."""
    return lms.csv_text([list(_COLUMNS), *(_plain_row(assignment, row) for row in rows)])


_NUMBERS = {"canvas": ("canvas_id", "sis_user_id", "sis_login_id"), "moodle": ("moodle_id",)}


def misplaced(kind: str, lines: Iterable[Line], *, is_only_assignment: bool) -> dict[str, str]:
    """Return the students whose mark would reach nobody or another one on the platform, and why."""
    lines = tuple(lines)
    found: dict[str, str] = {}
    for field, value, owners in shared_numbers((line.entry for line in lines), _NUMBERS[kind]):
        names = [each.student for each in owners]
        found |= dict.fromkeys(names, f"{' and '.join(names)} have one {field} in the class list, {value}")
    for line in lines:
        if not any(getattr(line.entry, field) for field in (*_NUMBERS[kind], "email")):
            found.setdefault(line.entry.student, f"{kind} knows no number, login or address of it (class list)")
        elif kind == "moodle" and not is_only_assignment:
            why = "Moodle numbers people anew in each assignment: fill in its own worksheet (--into)"
            found.setdefault(line.entry.student, why)
    return found


def canvas(assignment: Assignment, rows: Iterable[Line], *, assignment_id: str = "") -> str:
    most = number_text(assignment.max_points + assignment.rubric_points)
    return lms.canvas(assignment.title, most, map(_mark, rows), assignment_id=assignment_id)


def moodle(assignment: Assignment, rows: Iterable[Line]) -> str:
    return lms.moodle(number_text(assignment.max_points + assignment.rubric_points), map(_mark, rows))


def _plain_row(assignment: Assignment, row: Line) -> list[str]:
    counted = row.standing.counted
    return [
        row.entry.student,
        row.entry.group,
        row.entry.name,
        row.points,
        number_text(assignment.max_points + assignment.rubric_points),
        counted.attempt.tag if counted else "",
        counted.attempt.at.isoformat() if counted else "",
        number_text(counted.cost_percent) if counted else "",
        str(row.standing.used),
        str(row.standing.refused),
        number_text(counted.attempt.points or 0.0) if counted else "",
        number_text(counted.attempt.people_points) if counted else "",
    ]


def _mark(row: Line) -> lms.Mark:
    counted = row.standing.counted
    words = "Nothing was handed in."
    if counted is not None:
        words = f"Tag {counted.attempt.tag}; {plural(row.standing.used, 'attempt')}."
        if counted.cost_percent:
            words += f" {number_text(counted.cost_percent)}% was taken off."
        if counted.attempt.people_points:
            words += f" {plural(counted.attempt.people_points, 'point')} of these by the staff."
    return lms.Mark(of=row.entry, points=row.points, words=words)
