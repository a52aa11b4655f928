"""Lists who handed in: one entry for each submission of a class, without reading any.

one path    a submission when it holds a handed-in file itself or is a git work tree; otherwise a class, and
            everything in it is an entry. A zip is a class when several of its top folders hold a handed-in file.
several     each is an entry, so `subs/*` names the students of `subs`; unless most of them are classes themselves,
                with other students each: the sections of a course.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from enum import StrEnum
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from grader.errors import UsageError
from grader.intake.archive import FOREIGN, SUFFIXES, top_names
from grader.intake.notebook import ENDING
from grader.intake.offered import Refused, UnreadableError, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from grader.model.assignment import Assignment

    Look = Callable[[Path], os.stat_result]

_LITTER = frozenset({"__MACOSX", "__pycache__", "grader-out"})
_NOTES = frozenset({"readme", "readme.md", "readme.txt", "readme.rst"})
_LOOKED_AT = 200
"""Names in a folder looked at to tell a class from a submission."""


class Kind(StrEnum):
    """How an entry is read."""

    FOLDER = "folder"
    ARCHIVE = "archive"
    FILE = "file"
    PART = "part"
    """What lies below one name at the top of a class's zip."""
    REFUSED = "refused"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One submission of a class, by where it lies."""

    id: str = ""
    """Unique among the entries, whatever the case of its letters."""
    name: str
    """The name it came with."""
    path: str
    """May hold undecodable bytes, as file names do."""
    kind: Kind
    part: str = ""
    """For a part: its name in the zip."""
    reason: str = ""
    """For a refused one: why it can't be graded."""
    is_renamed: bool = False
    """Whether another entry has its name, so that its id is another."""


class Listing(NamedTuple):
    """A class: who is graded or told why not, and what is nobody's."""

    entries: list[Entry]
    left_out: list[Refused]
    """Hidden files, lists and notes of the staff's: nobody's submission."""


def entries(paths: Iterable[Path], assignment: Assignment) -> list[Entry]:
    """Return an entry for each submission, in a stable order."""
    return list_class(paths, assignment).entries


def list_class(paths: Iterable[Path], assignment: Assignment) -> Listing:
    """Return every entry, and the names that are nobody's; UsageError for a path that isn't there."""
    given = _ordered(paths)
    for path in given:
        if not os.path.lexists(path):
            raise UsageError(f"there is no {path}", hint="give a file, a folder, a folder of submissions or a zip")
    names = _Names(assignment)
    found = names.alone(given[0]) if len(given) == 1 else names.siblings(given)
    kept = [item for item in found if isinstance(item, Entry)]
    return Listing(_with_ids(kept), [item for item in found if isinstance(item, Refused)])


def single_entry(path: Path, assignment: Assignment) -> Entry:
    """Return the entry that `path` itself is, wherever below it the files lie; a link is followed."""
    return _entry(_absolute(path), os.stat, set(map(key, handed_in(assignment))))


def _ordered(paths: Iterable[Path]) -> list[Path]:
    """Drop repetitions and sort what lies in one folder: a shell's order depends on its language."""
    unique = list(dict.fromkeys(map(_absolute, paths)))
    parents = {parent: number for number, parent in enumerate(dict.fromkeys(path.parent for path in unique))}
    return sorted(unique, key=lambda path: (parents[path.parent], path.name))


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - a link keeps its own name, `.` gets one


def handed_in(assignment: Assignment) -> Iterator[str]:
    """Yield the names under which the assignment's files are handed in."""
    for handin in assignment.files:
        yield handin.name
        if handin.notebook:
            yield handin.name.removesuffix(".py") + ENDING


class _Names:
    """Tells classes from submissions by the names of the handed-in files."""

    def __init__(self, assignment: Assignment) -> None:
        self._any = set(map(key, handed_in(assignment)))
        self._required = {key(handin.name) for handin in assignment.files if handin.required} or self._any

    def alone(self, path: Path) -> list[Entry | Refused]:
        """List the one path given: a submission or a class."""
        entry = _entry(path, os.stat, self._any)
        if entry.kind is Kind.FOLDER and not self._is_submission(path):
            found = self.siblings(path / name for name in sorted(_listed(path)))
            return found if any(isinstance(item, Entry) and _is_somebody(item) for item in found) else [entry]
        if entry.kind is Kind.ARCHIVE:
            return self._of_class_zip(path) or [entry]
        return [entry]

    def siblings(self, paths: Iterable[Path]) -> list[Entry | Refused]:
        """List entries that stand beside each other; of folders and zips most of which are classes, their entries."""
        found = [_left_out(path.name) or _entry(path, os.lstat, self._any) for path in paths]
        several = [each for each in found if isinstance(each, Entry) and each.kind in {Kind.FOLDER, Kind.ARCHIVE}]
        classes = {each.path: names for each in several if (names := self._students(each))}
        everybody = [name for names in classes.values() for name in names]
        is_sections = len(classes) > 1 and 2 * len(classes) > len(several) and len(everybody) == len(set(everybody))
        if not is_sections:
            return found
        return [inner for item in found for inner in self._opened(item, classes)]

    def _opened(self, item: Entry | Refused, classes: Container[str]) -> list[Entry | Refused]:
        if isinstance(item, Refused) or item.path not in classes:
            return [item]
        path = Path(item.path)
        if item.kind is Kind.ARCHIVE:
            return self._of_class_zip(path)
        return [_left_out(name) or _entry(path / name, os.lstat) for name in sorted(_listed(path))]

    def _is_submission(self, folder: Path) -> bool:
        return any(key(name) in self._any or name == ".git" for name in _listed(folder))

    def _students(self, entry: Entry) -> set[str]:
        """Return the folders directly inside that hold what has to be handed in; none for fewer than two.

        Sections of a course have other students each; folders that many have (`part1`, `part2`) name nobody.
        """
        path = Path(entry.path)
        if entry.kind is Kind.ARCHIVE:
            names = {item.part for item in self._of_class_zip(path) if isinstance(item, Entry)}
        else:
            inside = _listed(path, _LOOKED_AT)
            if any(key(name) in self._any or name == ".git" for name in inside):
                return set()
            names = {name for name in inside if self._required <= set(map(key, _listed(path / name, _LOOKED_AT)))}
        return names if len(names) > 1 else set()

    def _of_class_zip(self, path: Path) -> list[Entry | Refused]:
        """List a zip's top names when several top folders hold a handed-in file; otherwise it is no class."""
        if path.suffix.lower() != ".zip":
            return []
        try:
            tops = top_names(path)
        except UnreadableError:
            return []
        loose = tops.pop("", set())
        holding = [top for top, names in tops.items() if top not in _LITTER and self._required & set(map(key, names))]
        if len(holding) < 2 or self._required & set(map(key, loose)):
            return []
        return [_left_out(name) or _part(path, name, is_folder=name in tops) for name in sorted({*tops, *loose})]


def key(name: str) -> str:
    """Return what two names share that some file system takes for one."""
    return unicodedata.normalize("NFC", name).casefold()


def _is_somebody(entry: Entry) -> bool:
    """Tell whether an entry makes a folder a class: notes and data alone don't."""
    archives = (*SUFFIXES, *FOREIGN)
    return entry.kind is not Kind.REFUSED or entry.name.lower().endswith(archives) or os.path.isdir(entry.path)  # noqa: PTH112 - never raises


def _listed(folder: Path, most: int | None = None) -> list[str]:
    try:
        with os.scandir(folder) as listed:
            return [entry.name for entry in islice(listed, most)]
    except OSError:
        return []


def _left_out(name: str) -> Refused | None:
    """Say why a name in a class's folder is nobody's submission."""
    if name.startswith("."):
        return Refused(printable(name), "hidden")
    if name in _LITTER:
        return Refused(printable(name), "left behind by an archive, by Python or by an earlier grading")
    if name.lower() in _NOTES or name.lower().endswith(".csv"):
        return Refused(printable(name), "a list or notes, no submission")
    return None


def _entry(path: Path, look: Look, handed_in: Container[str] = ()) -> Entry:
    try:
        mode = look(path).st_mode
    except OSError as error:
        return _made(path, Kind.REFUSED, f"it can't be read: {error.strerror}")
    if stat.S_ISLNK(mode):
        return _made(path, Kind.REFUSED, "it is a symbolic link, and links aren't followed")
    if stat.S_ISDIR(mode):
        return _made(path, Kind.FOLDER)
    if not stat.S_ISREG(mode):
        return _made(path, Kind.REFUSED, "it is no plain file")
    return _made(path, *(_by_suffix(path.name) if key(path.name) not in handed_in else (Kind.FILE, "")))


def _made(path: Path, kind: Kind, reason: str = "") -> Entry:
    name = printable(path.name)
    wanted = name if kind is Kind.FOLDER else _without_ending(name)
    return Entry(id=wanted, name=name, path=str(path), kind=kind, reason=reason)


def _part(path: Path, name: str, *, is_folder: bool) -> Entry:
    kind, reason = (Kind.PART, "") if is_folder else _by_suffix(name)
    if kind is Kind.ARCHIVE:
        kind, reason = Kind.REFUSED, "it is an archive inside the class's zip; unpack that zip first"
    wanted = name if is_folder else _without_ending(name)
    kind = Kind.PART if kind is Kind.FILE else kind
    return Entry(id=wanted, name=name, path=str(path), kind=kind, part=name, reason=reason)


def _by_suffix(name: str) -> tuple[Kind, str]:
    lower = name.lower()
    if lower.endswith((".py", ENDING)):
        return Kind.FILE, ""
    if lower.endswith(SUFFIXES):
        return Kind.ARCHIVE, ""
    if lower.endswith(FOREIGN):
        return Kind.REFUSED, "it is no archive that can be read here; hand in a zip"
    return Kind.REFUSED, "it is no Python file, folder, zip or tar"


def _without_ending(name: str) -> str:
    known = next((suffix for suffix in SUFFIXES if name.lower().endswith(suffix)), Path(name).suffix)
    return name[: len(name) - len(known)] or name


def _with_ids(found: list[Entry]) -> list[Entry]:
    """Make an id for each entry; of several alike, what can be graded keeps the plain name."""
    wanted = [unicodedata.normalize("NFC", entry.id) or "submission" for entry in found]
    keys = [*map(key, wanted)]
    taken, used = set(keys), set[str]()
    ids = wanted.copy()
    for number in sorted(range(len(found)), key=lambda number: found[number].kind is Kind.REFUSED):
        if keys[number] in used:
            names = (f"{wanted[number]}-{times}" for times in count(2))
            ids[number] = next(each for each in names if key(each) not in taken)
            keys[number] = key(ids[number])
            taken.add(keys[number])
        used.add(keys[number])
    return [
        entry if entry.id == new == old else msgspec.structs.replace(entry, id=new, is_renamed=new != old)
        for entry, new, old in zip(found, ids, wanted, strict=True)
    ]
