"""Sort a download into hand-ins, one for each student, laid out so that intake can read them; read when they came.

The names in a learning platform's bulk download say whose a file is:

Canvas    doeann_LATE_101_5551_solve-1.py             user and attachment are numbers of Canvas's own
Moodle    Ann Doe_1234_assignsubmission_file/…        the participant's number; before Moodle 4.1 with `_` at the end,
          Ann Doe_1234_assignsubmission_file_solve.py and without folders where it was downloaded so
"""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from grader.errors import CatalogueError, Fault, UsageError
from grader.intake.archive import SUFFIXES, list_archive
from grader.intake.entries import Entry, list_class, single_entry
from grader.intake.folder import list_folder
from grader.intake.offered import MOST_UNPACKED, Offered, UnreadableError, printable
from grader.model.csv_table import read_table
from grader.model.file_names import unsafe_reason
from grader.model.moments import checked
from grader.uploads.class_list import Platform

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from zoneinfo import ZoneInfo

    from grader.intake.offered import Refused
    from grader.model.assignment import Assignment
    from grader.uploads.people import People

_CANVAS = re.compile(r"(?P<name>.*?)_(?:LATE_)?(?P<user>\d+)_(?:(?P<attachment>\d+)_)?(?P<file>.+)", re.DOTALL)
_CANVAS_TEXT = re.compile(r"(text|link|media_recording|question_\d+)[^/]*\.html")
_MOODLE = re.compile(r"(?P<name>.*)_(?P<number>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<file>.*))?", re.DOTALL)
_LONGEST = 1000
_TIMES = ("time", "submitted_at", "received", "Last modified (submission)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MOODLE_TIME = re.compile(
    r"(?:\w+, )?(?P<day>\d{1,2}) (?P<month>\w{3,9}) (?P<year>\d{4}), "
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?:\s(?P<half>[AaPp])\.?[Mm]\.?)?"
)
_HINT = "write it as 2019-04-04T23:59:59+08:00, or as Moodle does: Thursday, 4 April 2019, 11:59 PM"


class HandIn(NamedTuple):
    """What one student handed in."""

    student: str
    entry: Entry
    upload: str = ""
    """The name under which a platform takes feedback back."""


class Sorted(NamedTuple):
    hand_ins: tuple[HandIn, ...]
    unmatched: tuple[str, ...]
    """What is nobody's, each with its reason."""


def sort_out(paths: Sequence[Path], assignment: Assignment, people: People, place: Path) -> Sorted:
    """Return each student's hand-in of downloads, folders and archives; `place` is a folder for what is unpacked."""
    hand_ins: list[HandIn] = []
    unmatched: list[str] = []
    plain: list[Path] = []
    for number, path in enumerate(paths):
        offered = _download(path)
        if not offered:
            plain.append(path)
            continue
        found = _Download(assignment, people, place / str(number)).sort(offered)
        hand_ins += found.hand_ins
        unmatched += found.unmatched
    if plain:
        listing = list_class(plain, assignment)
        unmatched += [f"{item.path}: {item.reason}" for item in listing.left_out]
        for entry in listing.entries:
            student = people.by_words(entry.id) or people.by_words(entry.name)
            if student is None or entry.is_renamed:
                unmatched.append(f"{entry.name}: nobody of that name is in the class list")
            else:
                hand_ins.append(HandIn(student, entry))
    return _once(hand_ins, unmatched)


def _once(hand_ins: list[HandIn], unmatched: list[str]) -> Sorted:
    """Take nobody's two hand-ins for one: which of them counts is for people to say."""
    names = [each.student for each in hand_ins]
    double = {name for name in names if names.count(name) > 1}
    unmatched += [
        f"{each.entry.name}: {each.student} handed in several times here"
        for each in hand_ins
        if each.student in double
    ]
    return Sorted(tuple(each for each in hand_ins if each.student not in double), tuple(unmatched))


def _download(path: Path) -> list[tuple[Named | None, Offered | Refused]]:
    """List a zip, tar or folder with its names taken apart; nothing when no platform wrote most of them."""
    try:
        if path.is_dir():
            listed: Iterable[Offered | Refused] = list_folder(path)
        elif path.name.lower().endswith(SUFFIXES) and read_name(path.name) is None:
            listed = list_archive(path)
        elif path.exists():
            return []
        else:
            raise UsageError(f"There is no {path}.")
        named = [(read_name(item.path), item) for item in listed if not _is_litter(item.path)]
    except UnreadableError as error:
        raise UsageError(f"{path} can't be read: {error}") from error
    return named if 2 * sum(name is not None for name, _ in named) > len(named) else []


def _is_litter(path: str) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in path.split("/"))


class _Download:
    """One platform's download before it is laid out."""

    def __init__(self, assignment: Assignment, people: People, place: Path) -> None:
        self.assignment = assignment
        self.people = people
        self.place = place
        self.wanted = {handin.name for handin in assignment.files}
        self.unmatched: list[str] = []

    def sort(self, named: Iterable[tuple[Named | None, Offered | Refused]]) -> Sorted:
        files: dict[tuple[str, str], list[tuple[Named, Offered]]] = {}
        for name, item in named:
            why = self.why_left(name, item)
            if why or name is None or not isinstance(item, Offered):
                self.unmatched.append(f"{printable(item.path)}: {why}")
            else:
                student = self.people.named(name).student
                files.setdefault((student, name.number), []).append((name, item))
        made = [self.lay_out(place, student, own) for place, ((student, _), own) in enumerate(files.items())]
        return Sorted(tuple(each for each in made if each), tuple(self.unmatched))

    def why_left(self, name: Named | None, item: Offered | Refused) -> str:
        if name is None:
            return "no name that Canvas or Moodle gives"
        if not (match := self.people.named(name)).student:
            return f"{match.why} ({name.person})"
        if not isinstance(item, Offered):
            return item.reason
        return "a text that was typed in, no file" if not name.path else unsafe_reason(name.path)

    def lay_out(self, number: int, student: str, files: list[tuple[Named, Offered]]) -> HandIn | None:
        folder = self.place / str(number)
        written = []
        for name, item in files:
            path = folder / "/".join(uncounted(part, self.wanted) for part in name.path.split("/"))
            try:
                content = item.read(MOST_UNPACKED + 1)
                if len(content) > MOST_UNPACKED:
                    raise UnreadableError(f"it is larger than {MOST_UNPACKED >> 20} MiB")  # noqa: TRY301 -- told below
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("xb") as file:
                    file.write(content)
                written.append(path)
            except (OSError, UnreadableError) as error:
                self.unmatched.append(f"{printable(item.path)}: not unpacked: {error}")
        if not written:
            return None
        alone = written[0] if len(written) == 1 and written[0].parent == folder else folder
        return HandIn(student, single_entry(alone, self.assignment), files[0][0].top)


class Named(NamedTuple):
    """A name in a download, taken apart."""

    platform: Platform
    number: str
    """The student's, on the platform."""
    person: str
    """The name as the platform wrote it, for people."""
    path: str
    """The file as the student called it; empty for a text that was typed into the platform."""
    top: str
    """The name under which feedback goes back: Moodle's folder, Canvas's file."""


def read_name(path: str) -> Named | None:
    """Take a path of a download apart; None when no platform wrote it."""
    if len(path) > _LONGEST:
        return None
    parts = PurePosixPath(path).parts
    for depth, part in enumerate(parts):
        found = _MOODLE.fullmatch(part)
        if found:
            return _moodle(found, parts[depth + 1 :], part)
    found = _CANVAS.fullmatch(parts[-1]) if parts else None
    return _canvas(found) if found else None


def _moodle(found: re.Match[str], below: tuple[str, ...], part: str) -> Named:
    path = "/".join([*([found["file"]] if found["file"] else []), *below])
    is_file = found["kind"] == "file"
    top = part if below else part.removesuffix(found["file"] or "")
    return Named(Platform.MOODLE, found["number"], found["name"], path if is_file else "", top)


def _canvas(found: re.Match[str]) -> Named | None:
    if found["attachment"] is None and not _CANVAS_TEXT.fullmatch(found["file"]):
        return None
    path = found["file"] if found["attachment"] else ""
    return Named(Platform.CANVAS, found["user"], found["name"], path, found[0])


def uncounted(name: str, wanted: set[str]) -> str:
    """Return a name without the `-1` that Canvas adds to what is handed in again, if it is a wanted one then."""
    stem, dot, ending = name.rpartition(".")
    plain = f"{re.sub(r'-[0-9]+$', '', stem)}{dot}{ending}"
    return plain if name not in wanted and plain in wanted else name


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
    found = _MOODLE_TIME.fullmatch(said.replace("\u202f", " "))
    moment = _moodle_time(found, said) if found else _iso(said)
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


def _moodle_time(found: re.Match[str], said: str) -> datetime:
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
