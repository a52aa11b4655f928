"""Name feedback so that Moodle and Canvas give it back to its student.

Moodle    <folder of the bulk download>/feedback.html; the number in the folder's name tells whose it is, and is of
          this assignment alone
Canvas    <file of the bulk download>, as HTML: the numbers of user and attachment in its name tell whose it is
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from grader.uploads.class_list import Platform
from grader.uploads.hand_ins import read_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.model.lms import Student
    from grader.uploads.people import People

_PAGE = "feedback.html"


def participants(people: People, uploads: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return student → Moodle's number in this assignment, each of one student alone.

    The assignment's worksheet says it, else the names of the students' uploads; the class list only where nothing
    speaks against its numbers being of this assignment.
    """
    told: dict[str, set[str]] = {}
    for student, upload in uploads:
        found = read_name(upload)
        if found is not None and found.platform is Platform.MOODLE:
            told.setdefault(student, set()).add(found.number)
    own = {name: next(iter(numbers)) for name, numbers in told.items() if len(numbers) == 1}
    listed = {name: each.moodle_id for name, each in people.students.items() if each.moodle_id}
    agreed = [listed.get(each) == own[each] for each in own if each in listed or own[each] in listed.values()]
    is_ours = all(agreed) and (people.is_only_assignment or bool(agreed))
    guessed = {name: number for name, number in listed.items() if is_ours and name not in told}
    numbers = people.listed() or guessed | own
    times = Counter(numbers.values())
    return {name: number for name, number in numbers.items() if times[number] == 1}


def feedback_name(platform: Platform, student: Student, upload: str, participant: str = "") -> str:
    """Return the name in the zip under which the platform finds the student; empty when it can't."""
    found = read_name(upload) if upload else None
    if platform is Platform.CANVAS:
        is_known = found is not None and found.platform is platform and found.number == student.canvas_id
        return f"{upload.rpartition('.')[0] or upload}.html" if is_known else ""
    if found is not None and found.platform is platform and "_" not in found.person and found.number == participant:
        return f"{found.top}/{_PAGE}"
    person = (student.name or student.student).replace("_", " ").replace("/", " ").replace("\\", " ")
    # Moodle reads a name up to its first underscore.
    return f"{person}_{participant}_assignsubmission_file/{_PAGE}" if participant else ""
