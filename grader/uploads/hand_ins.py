"""Sort a download into hand-ins, one for each student, laid out so that intake can read them.

The names in a learning platform's bulk download say whose a file is:

Canvas    doeann_LATE_101_5551_solve-1.py             user and attachment are numbers of Canvas's own
Moodle    Ann Doe_1234_assignsubmission_file/…        the participant's number; before Moodle 4.1 with `_` at the end,
          Ann Doe_1234_assignsubmission_file_solve.py and without folders where it was downloaded so
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from grader.errors import UsageError
from grader.intake.archive import SUFFIXES, list_archive
from grader.intake.entries import Entry, list_class, single_entry
from grader.intake.folder import list_folder
from grader.intake.offered import MOST_UNPACKED, Offered, UnreadableError, printable
from grader.model.file_names import unsafe_reason
from grader.uploads.class_list import Platform

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from grader.intake.offered import Refused
    from grader.model.assignment import Assignment
    from grader.uploads.people import People

_CANVAS = re.compile(r"(?P<name>.*?)_(?:LATE_)?(?P<user>\d+)_(?:(?P<attachment>\d+)_)?(?P<file>.+)", re.DOTALL)
_CANVAS_TEXT = re.compile(r"(text|link|media_recording|question_\d+)[^/]*\.html")
_MOODLE = re.compile(r"(?P<name>.*)_(?P<number>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<file>.*))?", re.DOTALL)
_LONGEST = 1000


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
