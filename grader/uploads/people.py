"""Find a student of the class list by what a platform or a folder's name says; nothing is guessed.

Canvas's number is a user's on the whole site. Moodle numbers people anew in each assignment: its own list of that
assignment, by the address or login beside the number, outweighs a number that the class list took from somewhere.
"""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from grader.gradebook.roster import TEAM
from grader.model.lms import Student
from grader.uploads.class_list import Platform, participant, student_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.csv_table import Line, Table
    from grader.uploads.class_list import ClassList
    from grader.uploads.hand_ins import Named

_LOGINS = ("email", "sis_login_id", "sis_user_id")
_WORDS = ("student", *_LOGINS)
_NOBODY = "nobody of that name is in the class list"


class Match(NamedTuple):
    student: str = ""
    why: str = ""
    """Why it is nobody's."""


class People:
    """The class, by every name that is one student's alone."""

    def __init__(self, students: Iterable[Student], *, is_only_assignment: bool = True) -> None:
        students = tuple(students)
        self.students = {each.student: each for each in students}
        self.groups = {each.group for each in students if each.group}
        self.is_only_assignment = is_only_assignment
        """Whether Moodle's numbers in the class list can't be another assignment's."""
        self._canvas = _index((each.canvas_id, each.student) for each in students)
        self._moodle = _index((each.moodle_id, each.student) for each in students)
        self._words = _index((getattr(each, field), each.student) for each in students for field in _WORDS)
        self._called = _index((plain_name(each.name), each.student) for each in students)
        self._short = _index((short, each.student) for each in students for short in _short_names(each.name))
        self._listed: dict[str, Match] = {}

    def by_words(self, said: str) -> str | None:
        """Find a student, or a group, by an id, address or login that nobody else has."""
        if said in self.students or said in self.groups:
            return said
        return self._words.get(said.casefold())

    def find(self, said: Student) -> Match:
        """Find the student whom everything that a list says fits, but for names: two may be called alike."""
        found = sorted({name for field in _WORDS if (name := self.by_words(getattr(said, field)))})
        user = self._canvas.get(said.canvas_id, "")
        if len({*found, *filter(None, [user])}) > 1:
            return Match(why=f"it names {' and '.join(dict.fromkeys([*found, user] if user else found))} at once")
        if found or user:
            return Match(found[0] if found else user)
        return self._numbered(said) if said.moodle_id else Match(why=_NOBODY)

    def same(self, other: Student) -> str:
        """Return the student whom another class list's line is about, also by a name that only one has; or nothing.

        Moodle's number says nothing here: the two lists may be of two assignments.
        """
        match = self.find(msgspec.structs.replace(other, moodle_id=""))
        name = match.student or (match.why == _NOBODY and self._called.get(plain_name(other.name))) or ""
        known = self.students.get(name)
        if known is None or any(_differ(known, other, field) for field in (*_LOGINS, "canvas_id")):
            return ""
        return name

    def _numbered(self, said: Student) -> Match:
        """Find the student by Moodle's number in the class list, unless anything beside it speaks against it."""
        student = self._moodle.get(said.moodle_id, "")
        if not student:
            return Match(why=f"no student has the moodle number {said.moodle_id}")
        known = self.students[student]
        whose = f"the class list has {said.moodle_id} as {student}'s number"
        has_login = any(getattr(said, field) for field in _LOGINS)
        if has_login and any(getattr(known, field) for field in _LOGINS):
            return Match(why=f"{whose}, and the address is another")
        if self._is_called(said.name, student):
            return Match(student)
        if why := self._denial(said.name, student):
            return Match(why=f"{whose}, and the name is {why}")
        if has_login and said.name and known.name:
            return Match(why=f"{whose}, and the name is another")
        if not self.is_only_assignment:
            return Match(why=f"{whose}, but Moodle numbers people anew in each assignment: give its worksheet")
        return Match(student)

    def line(self, table: Table, line: Line) -> Match:
        """Find the student of a line in a platform's list, or in one with a column for any of a student's names."""
        return self.find(student_at(table, line))

    def named(self, found: Named) -> Match:
        """Find the student of a file in a download."""
        if found.platform is Platform.CANVAS:
            user, other = (
                index.get(key) for index, key in ((self._canvas, found.number), (self._short, found.person))
            )
            if user is None:
                return Match(why=f"no student has the canvas number {found.number}")
            is_torn = other is not None and other != user
            return Match(why=f"the number is {user}'s, and the name is {other}'s") if is_torn else Match(user)
        if not self._listed:
            return self._numbered(Student(student="", moodle_id=found.number, name=found.person))
        match = self._listed.get(found.number, Match(why=f"the worksheet has no number {found.number}"))
        if match.student and (why := self._denial(found.person, match.student)):
            return Match(why=f"the worksheet has {found.number} as {match.student}'s number, and the name is {why}")
        return match

    def learn(self, table: Table) -> None:
        """Learn an assignment's numbers from its Moodle worksheet."""
        for line in table.lines:
            number = participant(table.value(line, "Identifier"))
            if number:
                match = self.line(table, line)
                is_twice = number in self._listed and self._listed[number] != match
                self._listed[number] = Match(why=f"{number} is on two lines of the worksheet") if is_twice else match

    def listed(self) -> dict[str, str]:
        """Return student → Moodle's number, as the assignment's own worksheets have it."""
        numbers: dict[str, set[str]] = {}
        for number, match in self._listed.items():
            numbers.setdefault(match.student, set()).add(number)
        return {name: next(iter(own)) for name, own in numbers.items() if name and len(own) == 1}

    def _denial(self, said: str, student: str) -> str:
        """Say whose a name in a download is, if it can't be the student's: one may be written in several ways."""
        if self._is_called(said, student):
            return ""
        other = next((name for each in _spellings(said) if (name := self._called.get(each))), None)
        known = self.students[student].name if student in self.students else ""
        return f"{other}'s" if other else "another" if _are_strangers(said, known) else ""

    def _is_called(self, said: str, student: str) -> bool:
        name = plain_name(self.students[student].name) if student in self.students else ""
        return bool(name) and name in _spellings(said)


def plain_name(text: str) -> str:
    """Return a name as both platforms would write it: Canvas has `Doe, Ann` for Moodle's `Ann Doe`."""
    last, comma, first = text.partition(",")
    return " ".join(f"{first} {last}".split() if comma else text.split()).casefold()


def _spellings(said: str) -> Iterator[str]:
    """Yield the name in a download's file, with and without the group that Moodle writes before it."""
    yield plain_name(said)
    for dash in re.finditer("-", said):
        yield plain_name(said[dash.end() :])


def _are_strangers(one: str, other: str) -> bool:
    """Tell whether two whole names have no word in common; a single word or a number may be anybody's."""
    first, second = (set(re.findall(r"\w+", plain_name(each))) for each in (one, other))
    is_told = min(len(first), len(second)) > 1 and not any(word.isdecimal() for word in first | second)
    return is_told and first.isdisjoint(second)


def _short_names(name: str) -> set[str]:
    """Return a name as Canvas writes it in a download, `doeann`, whichever part of it is the family's."""
    words = plain_name(name).split()
    turned = [*words[-1:], *words[:-1]]
    return {"".join(filter(str.isalnum, "".join(each))) for each in (words, turned)}


def _differ(one: Student, other: Student, field: str) -> bool:
    first, second = (getattr(each, field).casefold() for each in (one, other))
    return bool(first and second and first != second)


def _index(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return value → student; a value that two have is nobody's."""
    found: dict[str, set[str]] = {}
    for value, student in pairs:
        if value:
            found.setdefault(value.casefold(), set()).add(student)
    return {value: next(iter(names)) for value, names in found.items() if len(names) == 1}


class Joined(NamedTuple):
    """Several class lists as one."""

    students: tuple[Student, ...]
    teams: dict[str, dict[str, str]]
    """Column `group:ASSIGNMENT` → student → group."""
    strangers: tuple[str, ...]
    """Lines that fit nobody, or several."""


def join(lists: Iterable[ClassList]) -> Joined:
    """Return the students of the first list with what the others add."""
    first, *others = lists
    students = {row.student.student: row.student for row in first.rows}
    strangers: list[str] = []
    teams: dict[str, dict[str, str]] = {}
    for each in (first, *others):
        people = People(students.values())
        columns = [name for name in each.table.names() if name.startswith(TEAM)]
        for line, student in each.rows:
            name = people.same(student)
            if not name:
                shown = student.name or student.student
                place = f"{each.table.path}:{line.number}"
                strangers.append(f"{place}: {shown} is nobody, or several, of {first.table.path}")
                continue
            students[name] = _filled(students[name], student)
            for column in columns:
                teams.setdefault(column, {})[name] = each.table.value(line, column)
    return Joined(tuple(students.values()), teams, tuple(strangers))


def roster_text(joined: Joined) -> str:
    """Write the class list as `read_roster` reads it; cells are quoted where they must be."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([*Student.__struct_fields__, *joined.teams])
    for each in joined.students:
        teams = [own.get(each.student, "") for own in joined.teams.values()]
        writer.writerow([*msgspec.structs.astuple(each), *teams])
    return buffer.getvalue()


def _filled(known: Student, more: Student) -> Student:
    said = msgspec.structs.asdict(more)
    return msgspec.structs.replace(known, **{name: said[name] for name in said if not getattr(known, name)})
