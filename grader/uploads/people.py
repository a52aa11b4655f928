"""Find a student of the class list by what a platform or a folder's name says; nothing is guessed.

Canvas's number is a user's on the whole site. Moodle numbers people anew in each assignment: its own list of that
assignment, by the address or login beside the number, outweighs a number that the class list took from somewhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from grader.uploads.class_list import Platform, participant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.csv_table import Line, Table
    from grader.model.lms import Student
    from grader.uploads.platform_names import Named

_LOGINS = ("email", "sis_login_id", "sis_user_id")
_WORDS = ("student", *_LOGINS)
_WORD_COLUMNS = (
    *("student", "email", "login_id", "sis_login_id", "sis_user_id"),
    *("Email address", "Username", "ID number", "SIS Login ID", "SIS User ID"),
)
_NUMBER_COLUMNS = ("canvas_id", "user_id", "id")


class Signs(NamedTuple):
    """What a line or a file's name says of the student whose it is."""

    words: tuple[str, ...] = ()
    """Ids, addresses, logins."""
    canvas: str = ""
    moodle: str = ""
    name: str = ""


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
        self._listed: dict[str, Match] = {}

    def by_words(self, said: str) -> str | None:
        """Find a student, or a group, by an id, address or login that nobody else has."""
        if said in self.students or said in self.groups:
            return said
        return self._words.get(said.casefold())

    def find(self, said: Signs) -> Match:
        """Find the student whom everything that is said fits."""
        words = [word for word in said.words if word]
        found = sorted({name for word in words if (name := self.by_words(word))})
        user = self._canvas.get(said.canvas, "")
        if len({*found, *([user] if user else [])}) > 1:
            return Match(why=f"it names {' and '.join(dict.fromkeys([*found, user] if user else found))} at once")
        if found or user:
            return Match(found[0] if found else user)
        return self._numbered(said) if said.moodle else Match(why="nobody of that name is in the class list")

    def _numbered(self, said: Signs) -> Match:
        """Find the student by Moodle's number in the class list, unless anything beside it speaks against it."""
        student = self._moodle.get(said.moodle, "")
        if not student:
            return Match(why=f"no student has the moodle number {said.moodle}")
        known = self.students[student]
        whose = f"the class list has {said.moodle} as {student}'s number"
        if any(said.words) and any(getattr(known, field) for field in _LOGINS):
            return Match(why=f"{whose}, and the address is another")
        if self._is_called(said.name, student):
            return Match(student)
        if other := self._namesake(said.name):
            return Match(why=f"{whose}, and the name is {other}'s")
        if any(said.words) and said.name and known.name:
            return Match(why=f"{whose}, and the name is another")
        if not self.is_only_assignment:
            return Match(
                why=f"{whose}, but Moodle numbers people anew in each assignment: give its grading worksheet"
            )
        return Match(student)

    def line(self, table: Table, line: Line) -> Match:
        """Find the student of a line in a platform's list, or in one with a column for any of a student's names."""
        return self.find(_signs(table, line, self._canvas))

    def named(self, found: Named) -> Match:
        """Find the student of a file in a download."""
        if found.platform is Platform.CANVAS:
            user = self._canvas.get(found.number)
            return Match(user) if user else Match(why=f"no student has the canvas number {found.number}")
        if not self._listed:
            return self._numbered(Signs(moodle=found.number, name=found.person))
        match = self._listed.get(found.number, Match(why=f"the worksheet has no number {found.number}"))
        other = self._namesake(found.person)
        if match.student and other and not self._is_called(found.person, match.student):
            return Match(
                why=f"the worksheet has {found.number} as {match.student}'s number, and the name is {other}'s"
            )
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

    def _is_called(self, said: str, student: str) -> bool:
        name = plain_name(self.students[student].name) if student in self.students else ""
        return bool(name) and name in _spellings(said)

    def _namesake(self, said: str) -> str | None:
        return next((name for each in _spellings(said) if (name := self._called.get(each))), None)


def plain_name(text: str) -> str:
    """Return a name as both platforms would write it: Canvas has `Doe, Ann` for Moodle's `Ann Doe`."""
    last, comma, first = text.partition(",")
    return " ".join(f"{first} {last}".split() if comma else text.split()).casefold()


def _spellings(said: str) -> Iterator[str]:
    """Yield the name in a download's file, with and without the group that Moodle writes before it."""
    yield plain_name(said)
    for dash in re.finditer("-", said):
        yield plain_name(said[dash.end() :])


def _signs(table: Table, line: Line, users: dict[str, str]) -> Signs:
    columns = {name.lower() for name in table.names()}
    is_moodle = "identifier" in columns
    is_canvas = {"student", "id"} <= columns and bool(columns & {"sis login id", "sis user id", "section"})
    skipped = {"student"} if is_canvas else set()  # a name there
    words = [table.value(line, name) for name in _WORD_COLUMNS if name not in skipped]
    number = next((value for name in _NUMBER_COLUMNS if not is_moodle and (value := table.value(line, name))), "")
    if number not in users and not is_canvas:
        words.append(number)
    moodle = participant(table.value(line, "Identifier")) if is_moodle else table.value(line, "moodle_id")
    name = table.value(line, "Full name") or table.value(line, "name")
    return Signs(tuple(words), number, moodle, table.value(line, "Student") if is_canvas else name)


def _index(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return value → student; a value that two have is nobody's."""
    found: dict[str, set[str]] = {}
    for value, student in pairs:
        if value:
            found.setdefault(value.casefold(), set()).add(student)
    return {value: next(iter(names)) for value, names in found.items() if len(names) == 1}
