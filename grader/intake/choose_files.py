"""Chooses the handed-in files of one submission and reads them within bounds."""

from __future__ import annotations

import difflib
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from grader.intake.entries import key
from grader.intake.notebook import ENDING, module_of
from grader.intake.offered import (
    BLOCK,
    BOUNDS,
    MOST_BYTES,
    MOST_FILE_BYTES,
    MOST_FILES,
    MOST_FOLDERS,
    Offered,
    Refused,
    UnreadableError,
    printable,
)
from grader.model.file_names import is_silent, unsafe_reason, why_dropped
from grader.model.run import File
from grader.model.submission import Note, Submission

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from grader.model.assignment import Assignment, Case, Handin


_MOST_NOTES = 30
_SHOWN = 12
_DOCUMENT = "a document, whose text can be saved by an editor for programs"
_OTHER_KINDS = {
    ".ipynb": "a notebook, which can be downloaded as a Python file",
    ".docx": _DOCUMENT,
    ".pdf": _DOCUMENT,
    ".py.txt": "a text file by its name, whose end `.txt` must go",
}
"""What is handed in instead of a program, and how it becomes one."""
_MOST_COMPARED = 500
"""Names that are compared, letter by letter, with a missing file's."""


def select(
    name: str, offered: Iterable[Offered | Refused], assignment: Assignment, *, origin: str = ""
) -> Submission:
    """Make a submission from what a folder, archive or tag offers; what is wrong becomes notes or a problem."""
    chooser = _Chooser(assignment)
    try:
        files = chooser.choose(offered)
    except UnreadableError as error:
        missing = tuple(Note(kind="missing-file", path=path, message=str(error)) for path in chooser.missing)
        return Submission(id=name, files=(), problem=str(error), origin=origin, notes=missing + chooser.told())
    return Submission(id=name, files=files, origin=origin, notes=chooser.told())


class _Chooser:
    """Reads one submission; UnreadableError says why it can't be graded."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.notes: list[Note] = []
        self.missing: list[str] = []
        self.left_out: list[Refused] = []

    def told(self) -> tuple[Note, ...]:
        """Return the notes, the first ones of very many."""
        notes = [*self.notes, *(_dropped(item) for item in self.left_out if not is_silent(item.path))]
        if len(notes) <= _MOST_NOTES:
            return tuple(notes)
        more = Note(kind="dropped", message=f"{len(notes) - _MOST_NOTES} further files were left out in the same way")
        return (*notes[:_MOST_NOTES], more)

    def choose(self, offered: Iterable[Offered | Refused]) -> tuple[File, ...]:
        entries = list(self.sift(offered))
        found = self.find_all(entries)
        targets = self.below(found, entries)
        for path, reason in doubled(targets, found.values()).items():
            self.left_out.append(Refused(targets.pop(path).path, reason))
        if problem := clash(targets, inputs_of(self.assignment)):
            raise UnreadableError(problem)
        files = _Reading(self, targets, Room(self.assignment)).read(found.values())
        return tuple(files[path] for path in sorted(files))

    def sift(self, offered: Iterable[Offered | Refused]) -> Iterator[Offered]:
        for item in offered:
            reason = item.reason if isinstance(item, Refused) else unsafe_reason(item.path) or why_dropped(item.path)
            if reason:
                self.left_out.append(Refused(printable(item.path), reason))
            elif isinstance(item, Offered):
                yield item

    def find_all(self, entries: list[Offered]) -> dict[str, str]:
        """Return where each handed-in file lies → the name under which it is expected."""
        found: dict[str, str] = {}
        for handin in self.assignment.files:
            match = self.find(handin.name, entries) or (self.notebook(handin, entries) if handin.notebook else None)
            if match is not None:
                found[match.path] = handin.name
            elif handin.required:
                self.missing.append(handin.name)
        if self.missing:
            raise UnreadableError(_missing_text(self.missing, entries, self.left_out))
        return found

    def find(self, wanted: str, entries: list[Offered]) -> Offered | None:
        exact = [entry for entry in entries if _last(entry.path) == wanted]
        alike = exact or [entry for entry in entries if key(_last(entry.path)) == key(wanted)]
        if not alike:
            return None
        chosen, *others = sorted(alike, key=lambda entry: (entry.path.count("/"), entry.path))
        if others:
            message = f"{chosen.path} was graded, not {_several([entry.path for entry in others])}"
            self.notes.append(Note(kind="duplicate", path=chosen.path, message=message))
        if not exact:
            message = f"{chosen.path} was taken as {wanted}"
            self.notes.append(Note(kind="renamed", path=chosen.path, message=message))
        return chosen

    def notebook(self, handin: Handin, entries: list[Offered]) -> Offered | None:
        """Return the notebook that stands for a file: the one of its name, or the only one there is."""
        notebooks = [entry for entry in entries if entry.path.lower().endswith(ENDING)]
        wanted = key(handin.name.removesuffix(".py") + ENDING)
        named = [entry for entry in notebooks if key(_last(entry.path)) == wanted]
        chosen = named or (notebooks if len(notebooks) == 1 else [])
        return min(chosen, key=lambda entry: (entry.path.count("/"), entry.path), default=None)

    def unfold(self, path: str, name: str, content: bytes) -> bytes:
        """Return the module that a notebook is, and note what of it is none."""
        try:
            module = module_of(content)
        except UnreadableError as error:
            raise UnreadableError(f"{path} {error}") from error
        message = f"the code cells of {path} were taken as {name}"
        if module.dropped:
            message += f"; left out, since it is no Python: {_several([printable(line) for line in module.dropped])}"
        self.notes.append(Note(kind="renamed", path=path, message=message))
        return module.source

    def below(self, found: dict[str, str], entries: list[Offered]) -> dict[str, Offered]:
        """Return path → file of the folder in which the first handed-in file lies, so that it runs as at home."""
        top = next(iter(found), "").rpartition("/")[0]
        prefix = f"{top}/" if top else ""
        targets: dict[str, Offered] = {}
        for entry in sorted(entries, key=lambda entry: (entry.path not in found, entry.path)):
            inside = entry.path.startswith(prefix)
            path = entry.path.removeprefix(prefix)
            if entry.path in found:
                path = str(PurePosixPath(path).with_name(found[entry.path])) if inside else found[entry.path]
                found[entry.path] = path
            if inside or entry.path in found:
                targets.setdefault(path, entry)
        return targets


class _Reading:
    """Reads files as long as there is room: the handed-in ones, what they speak of, other Python files, data."""

    def __init__(self, chooser: _Chooser, targets: dict[str, Offered], room: Room) -> None:
        self.chooser = chooser
        self.targets = targets
        self.room = room
        self.files: dict[str, File] = {}
        self.words: set[str] = set()
        """Of the Python files read since the last look."""
        self.tried: set[str] = set()
        self.too_many: list[str] = []

    def read(self, handed_in: Iterable[str]) -> dict[str, File]:
        is_enough = self.room.is_enough({path: entry.size for path, entry in self.targets.items()})
        for path in handed_in:
            self.take(path, is_needed=True)
        for path in [] if is_enough else self.spoken_of():
            self.take(path, is_needed=_is_python(path))
        for path in sorted(self.targets.keys() - self.tried, key=_python_first):
            self.take(path, is_needed=False)
        if self.too_many:
            message = f"a submission holds at most {BOUNDS}; left out: {_several(self.too_many)}"
            self.chooser.notes.insert(0, Note(kind="too-large", path=self.too_many[0], message=message))
        return self.files

    def spoken_of(self) -> Iterator[str]:
        """Yield each file whose module's or own name is among the words of those that were read before it."""
        by_name: dict[str, list[str]] = {}
        for path in self.targets.keys() - self.tried:
            pure = PurePosixPath(path)
            name = pure.parent.name if pure.name == "__init__.py" else pure.stem
            by_name.setdefault(name, []).append(path)
        while self.words:
            words, self.words = self.words, set()
            found = [path for word in words for path in by_name.pop(word, ())]
            yield from sorted(found, key=_python_first)

    def take(self, path: str, *, is_needed: bool) -> None:
        """Read one file; one that is needed and can't be read is a problem, another is left out with a note."""
        self.tried.add(path)
        entry = self.targets[path]
        most = self.room.bytes_for(path)
        try:
            content = entry.read(most + 1) if 0 <= entry.size <= most else None
        except (OSError, UnreadableError) as error:
            reason = f"can't be read: {error.strerror}" if isinstance(error, OSError) else str(error)
            self.leave_out(path, reason, is_needed=is_needed)
            return
        if content is not None and entry.path.lower().endswith(ENDING) and _is_python(path):
            content = self.chooser.unfold(entry.path, path, content)
        if content is not None and len(content) <= most:
            self.room.take(path, len(content))
            self.files[path] = File(path=path, content=content)
            if _is_python(path):
                self.words |= set(re.findall(r"\w+", content.decode("utf-8", "replace")))
        elif entry.size > MOST_FILE_BYTES or is_needed:
            size = f"is too large ({entry.size} bytes)" if most >= 0 else "is one of too many files or folders"
            self.leave_out(path, size, is_needed=is_needed)
        else:
            self.too_many.append(entry.path)

    def leave_out(self, path: str, reason: str, *, is_needed: bool) -> None:
        shown = self.targets[path].path
        if is_needed:
            raise UnreadableError(f"{shown} {reason}")
        self.chooser.notes.append(Note(kind="too-large", path=shown, message=f"{shown} {reason}; it was left out"))


def _dropped(item: Refused) -> Note:
    return Note(kind="dropped", path=item.path, message=f"{item.path} was left out: {item.reason}")


def _is_python(path: str) -> bool:
    return path.lower().endswith((".py", ".pyw"))


def _python_first(path: str) -> tuple[bool, str]:
    return not _is_python(path), path


def _last(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def _several(paths: list[str]) -> str:
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    return ", ".join(paths[:_SHOWN]) + more


def _missing_text(missing: list[str], entries: list[Offered], left_out: list[Refused]) -> str:
    """Say what was there instead, and why a file of the wanted name (or everything) couldn't be taken."""
    names = [entry.path for entry in entries]
    wanted = set(map(key, missing))
    refused = [item for item in left_out if key(_last(item.path)) in wanted]
    if not names and not refused:
        refused = [item for item in left_out if not is_silent(item.path)][:3]
    nothing = "nothing that can be graded" if refused else "nothing"
    hint = _instead(missing[0], list(map(_last, names[:_MOST_COMPARED])))
    reasons = [f"{item.path} {_is(item.reason)}." for item in refused[:3]]
    text = f"no {' and no '.join(missing)} found; there was {_several(names) or nothing}."
    return " ".join([text, *hint, *reasons])


def _instead(wanted: str, names: list[str]) -> list[str]:
    """Say what to do with what was there instead: a notebook, a document, a file of nearly that name."""
    for ending, words in _OTHER_KINDS.items():
        other = next((name for name in names if name.lower().endswith(ending)), None)
        if other is not None:
            return [f"{other} is {words}: hand in your program as {wanted}."]
    close = difflib.get_close_matches(wanted, names, n=1)
    return [f"Is {close[0]} meant to be {wanted}?"] if close else []


def _is(reason: str) -> str:
    return reason if reason.startswith("can't") else f"is {reason}"


_OWN_BLOCKS = 4
"""The sandbox's own folders, and one for the input's folder."""


class Room:
    """What is left for a submission's files: their number, their folders, their bytes."""

    def __init__(self, assignment: Assignment) -> None:
        disks = (
            (case.limits.disk_mib << 20) - sum(map(_cost, _sizes(case))) - _OWN_BLOCKS * BLOCK
            for case in assignment.cases
        )
        self._bytes = min([MOST_BYTES, *disks])
        self._files = MOST_FILES
        self._folders: set[str] = set()

    def is_enough(self, sizes: dict[str, int]) -> bool:
        """Tell whether all of these fit, by the sizes that they claim."""
        folders = {folder for path in sizes for folder in _folders(path)}
        cost = sum(map(_cost, sizes.values())) + BLOCK * len(folders)
        return len(sizes) <= MOST_FILES and len(folders) <= MOST_FOLDERS and cost <= self._bytes

    def bytes_for(self, path: str) -> int:
        """Return how long a file at this path may be; negative when it can't be there at all."""
        new = len(_folders(path) - self._folders)
        if not self._files or len(self._folders) + new > MOST_FOLDERS:
            return -1
        return min(MOST_FILE_BYTES, self._bytes - BLOCK * (new + 1) - BLOCK + 1)

    def take(self, path: str, size: int) -> None:
        new = _folders(path) - self._folders
        self._folders |= new
        self._files -= 1
        self._bytes -= _cost(size) + BLOCK * len(new)


def inputs_of(assignment: Assignment) -> tuple[str, ...]:
    """Return the names under which programs find their inputs."""
    kinds = [*assignment.kinds.values(), *(case.kind for case in assignment.cases)]
    named = [kind.run.file for kind in kinds if kind.run.file]
    return tuple(dict.fromkeys([*named, *(file.path for case in assignment.cases for file in case.beside)]))


def clash(paths: Iterable[str], inputs: Iterable[str]) -> str:
    """Say which path stands in an input's way: a folder of its name, or a file where its folder is needed."""
    for path in paths:
        for place in inputs:
            if key(path).startswith(key(place) + "/"):
                folder = "/".join(path.split("/")[: place.count("/") + 1])
                return f"the folder {folder} stands where the input {place} is put; give it another name"
            if key(place).startswith(key(path) + "/"):
                return f"the file {path} stands where the input {place} needs a folder; give it another name"
    return ""


def doubled(paths: Collection[str], handed_in: Collection[str]) -> dict[str, str]:
    """Return the paths that can't be there with the others, and why: a file that is a folder, too.

    A handed-in file wins; otherwise the folder does, since some programs pack a folder as an empty file.
    """
    folders = {folder for path in paths for folder in _folders(path)}
    both = folders & set(paths)
    out = {path: "a folder has the same name" for path in both if path not in handed_in}
    kept = both - set(out)
    for path in paths:
        above = next((folder for folder in sorted(_folders(path)) if folder in kept), "")
        if above:
            out[path] = f"{above} is a file"
    return out


def _sizes(case: Case) -> list[int]:
    return [len(case.raw), *(len(file.content) for file in case.beside)]


def _folders(path: str) -> set[str]:
    return {str(folder) for folder in PurePosixPath(path).parents} - {"."}


def _cost(size: int) -> int:
    """Return what a file takes of the disk: its blocks, and one for its name."""
    return BLOCK + -(-size // BLOCK) * BLOCK
