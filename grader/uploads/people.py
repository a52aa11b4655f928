"""Find a student of the class list by what a platform or a folder's name says; nothing is guessed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from grader.uploads.class_list import Platform

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.model.lms import Student
    from grader.uploads.cells import Line, Table
    from grader.uploads.platform_names import Named

_WORDS = ("student", "email", "sis_login_id", "sis_user_id")


class People:
    """The class, by every name that is one student's alone."""

    def __init__(self, students: Iterable[Student]) -> None:
        students = tuple(students)
        self.students = {each.student: each for each in students}
        self.groups = {each.group for each in students if each.group}
        self._canvas = _index(students, ("canvas_id",))
        self._moodle = _index(students, ("moodle_id",))
        self._words = _index(students, _WORDS)

    def by_canvas(self, number: str) -> str | None:
        return self._canvas.get(number)

    def by_moodle(self, number: str) -> str | None:
        return self._moodle.get(number)

    def by_words(self, said: str) -> str | None:
        """Find a student, or a group, by an id, address or login that nobody else has."""
        if said in self.students or said in self.groups:
            return said
        return self._words.get(said.casefold())

    def named(self, found: Named) -> str | None:
        return self.by_canvas(found.number) if found.platform is Platform.CANVAS else self.by_moodle(found.number)

    def learn(self, table: Table) -> None:
        """Learn Moodle's numbers from a worksheet, by the addresses beside them."""
        for line in table.lines:
            number = _number(table, line)
            student = self.by_words(table.value(line, "Email address"))
            if number and student:
                self._moodle.setdefault(number, student)


def _number(table: Table, line: Line) -> str:
    return re.sub(r"\D", "", table.value(line, "Identifier"))


def _index(students: tuple[Student, ...], fields: tuple[str, ...]) -> dict[str, str]:
    """Return value → student; a value that two have is nobody's."""
    found: dict[str, set[str]] = {}
    for each in students:
        for field in fields:
            value = getattr(each, field).casefold()
            if value:
                found.setdefault(value, set()).add(each.student)
    return {value: next(iter(names)) for value, names in found.items() if len(names) == 1}
