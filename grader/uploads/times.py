"""Read when each student handed in: a Moodle worksheet, or a list of students and times."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from grader.errors import CatalogueError, Fault, UsageError
from grader.model.csv_table import read_table
from grader.model.moments import checked

if TYPE_CHECKING:
    from pathlib import Path
    from zoneinfo import ZoneInfo

    from grader.uploads.people import People

_TIMES = ("time", "submitted_at", "received", "Last modified (submission)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MOODLE = re.compile(
    r"(?:\w+, )?(?P<day>\d{1,2}) (?P<month>\w{3,9}) (?P<year>\d{4}), "
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?:\s(?P<half>[AaPp])\.?[Mm]\.?)?"
)
_HINT = "write it as 2019-04-04T23:59:59+08:00, or as Moodle does: Thursday, 4 April 2019, 11:59 PM"


def read_times(path: Path, people: People, zone: ZoneInfo | None) -> tuple[dict[str, datetime], list[str]]:
    """Return student → time of the hand-in, and the lines that fit nobody; a minute is taken from its beginning."""
    table = read_table(path)
    column = next((name for name in _TIMES if table.column(name) is not None), None)
    if column is None:
        found = ", ".join(table.names())
        hint = f"Moodle's grading worksheet has one; or write the columns student,time. Found: {found}"
        raise UsageError(f"{path} has no column of times.", hint=hint)
    times: dict[str, datetime] = {}
    strangers: list[str] = []
    faults: list[Fault] = []
    for line in table.lines:
        said = table.value(line, column)
        if said in {"", "-"}:
            continue
        student, why = people.line(table, line)
        if not student:
            strangers.append(f"{path}:{line.number}: {line.text(0)}: {why}")
            continue
        if student in times:
            faults.append(table.fault(line, f"{student} has a time already"))
        try:
            times[student] = read_time(said, zone)
        except ValueError as error:
            faults.append(table.fault(line, str(error), hint=_HINT))
    if faults:
        raise CatalogueError(faults)
    return times, strangers


def read_time(said: str, zone: ZoneInfo | None) -> datetime:
    """Read a time as a platform writes it; ValueError says what is wrong, or that its zone isn't known."""
    found = _MOODLE.fullmatch(said.replace("\u202f", " "))
    moment = _moodle(found, said) if found else _iso(said)
    if moment.utcoffset() is None:
        if zone is None:
            raise ValueError(f"{said!r} has no time zone: give --zone, or zone in course.yaml")
        moment = moment.replace(tzinfo=zone)
    return checked(f"the time {said!r}", moment)


def _iso(said: str) -> datetime:
    try:
        return datetime.fromisoformat(said)
    except ValueError:
        raise ValueError(f"{said!r} is no time") from None


def _moodle(found: re.Match[str], said: str) -> datetime:
    month = found["month"][:3].lower()
    if month not in _MONTHS:
        raise ValueError(f"{said!r} names no English month")
    hour = int(found["hour"])
    if found["half"]:
        hour = hour % 12 + (12 if found["half"] in "Pp" else 0)
    values = (int(found["year"]), _MONTHS.index(month) + 1, int(found["day"]), hour, int(found["minute"]))
    try:
        return datetime(*values, int(found["second"] or 0))  # noqa: DTZ001 -- the caller adds the zone
    except ValueError:
        raise ValueError(f"{said!r} is no time") from None
