"""Reads `mistakes.yaml`: the mistakes that students make, each as an edit of a right program.

    cases/<assignment>/mistakes.yaml            what is wrong, in a sentence, and how a right program gets it
    solutions/<assignment>/AC/<name>/…          the right programs

An edit that doesn't fit its program is a fault of the catalogue, with its place.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import msgspec

from grader.bundled import beside
from grader.catalogue.placed_yaml.decode import Document, read_document
from grader.catalogue.placed_yaml.messages import did_you_mean
from grader.catalogue.placed_yaml.nodes import Sequence, find
from grader.catalogue.placed_yaml.source import Faults
from grader.model.assignment import Text, Word
from grader.model.run import File
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from grader.model.assignment import Assignment

MISTAKES = "mistakes.yaml"
_HEADER = re.compile(r'\A(?:"""(?:[^"]|"(?!""))*"""[ \t]*\n|(?:#(?!!|.*coding[:=]).*\n)+|)')
"""What a program says of itself before its code."""


class MistakeEntry(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"try_first": "try"}
):
    """One mistake: what the student is told, and the edit that puts it into a right program."""

    name: Word
    """A short name, unique in the assignment."""
    verdict: Verdict
    """The verdict that some case gives it: `WA`, `RTE`, `TLE`, …"""
    says: Text
    """One sentence to the student: what is wrong in the program."""
    try_first: str = ""
    """One sentence to the student: what to do about it."""
    of: str = ""
    """The right program that it spoils, or a mistake above, so that both are made at once."""
    replace: tuple[tuple[str, ...], ...] = ()
    """Pairs `[old, new]`; each old text stands exactly once in the program."""
    program: str = ""
    """The whole program, where that is shorter than an edit."""


class MistakesFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`cases/<name>/mistakes.yaml`: the known mistakes of the assignment."""

    format: Literal[1]
    """The version of this format."""
    mistakes: tuple[MistakeEntry, ...]
    """The mistakes; where several explain the same answers, the first ones are named."""


class Mistake(msgspec.Struct, frozen=True, kw_only=True):
    """A known mistake, and a program that makes it."""

    name: str
    verdict: Verdict
    says: str
    try_first: str = ""
    files: tuple[File, ...]
    path: str = ""
    line: int = 0

    @property
    def label(self) -> str:
        """Its name among the solutions: `WA/right_hand`."""
        return f"{self.verdict}/{self.name}"


Files = dict[str, str]


def solutions_of(assignment: Assignment) -> Path | None:
    """Find the folder of the assignment's right programs, beside the catalogue or with the kits."""
    tree = beside(assignment.folder.parent, "solutions") if assignment.folder else None
    return tree / assignment.name if tree else None


def load_mistakes(assignment: Assignment, solutions: Path | None = None) -> tuple[Mistake, ...]:
    """Load an assignment's mistakes; CatalogueError carries every fault in them. No file, no mistakes."""
    path = assignment.folder / MISTAKES if assignment.folder else None
    if path is None or not path.is_file():
        return ()
    faults = Faults()
    document = read_document(path, MistakesFile, faults)
    right = _right_programs(solutions or solutions_of(assignment))
    main = next(file.name for file in assignment.files)
    found = _Builder(document, right, main).mistakes() if document and document.value else ()
    faults.raise_any()
    return found


def _right_programs(solutions: Path | None) -> dict[str, Files]:
    """Read the right programs, each a folder of files."""
    folders = sorted((solutions / Verdict.AC.value).glob("*/")) if solutions else []
    return {folder.name: _texts(folder) for folder in folders if not folder.name.startswith("__")}


def _texts(folder: Path) -> Files:
    paths = (path for path in sorted(folder.rglob("*.py")) if "__pycache__" not in path.parts)
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in paths}


class _Builder:
    """Makes the programs of one file, top to bottom; faults go to the file's complaints."""

    def __init__(self, document: Document[MistakesFile], right: Mapping[str, Files], main: str) -> None:
        self._document = document
        self._programs = dict(right)
        self._main = main
        self._made: dict[str, Mistake] = {}

    def mistakes(self) -> tuple[Mistake, ...]:
        assert self._document.value is not None
        for entry in self._document.value.mistakes:
            self._add(entry)
        return tuple(self._made.values())

    def _add(self, entry: MistakeEntry) -> None:
        node, complain = self._document.node(entry), self._document.complaints.at
        if entry.name in self._programs:
            complain(find(node, "name"), f"{entry.name} is the name of another program", hint="choose another name")
        elif entry.verdict in {Verdict.AC, Verdict.SK, Verdict.JE}:
            complain(find(node, "verdict"), f"a mistake can't get {entry.verdict}", hint="such as `verdict: WA`")
        elif (files := self._files(entry)) is not None:
            self._programs[entry.name] = files
            self._made[entry.name] = Mistake(
                name=entry.name,
                verdict=entry.verdict,
                says=entry.says,
                try_first=entry.try_first,
                files=tuple(File(path=path, content=text.encode()) for path, text in _titled(files, entry).items()),
                path=str(self._document.source.path),
                line=node.start.line,
            )

    def _files(self, entry: MistakeEntry) -> Files | None:
        """Return the program with the mistake in it; None after a fault."""
        node, complain = self._document.node(entry), self._document.complaints.at
        if bool(entry.program) == bool(entry.of):
            complain(node, "a mistake has either `of` and `replace`, or `program`", hint="give one of the two")
            return None
        if entry.program:
            return {self._main: entry.program}
        base = self._programs.get(entry.of.removeprefix(f"{Verdict.AC}/"))
        if base is None:
            known = ", ".join(self._programs) or "none"
            hint = did_you_mean(entry.of, self._programs) or f"the programs are: {known}"
            complain(find(node, "of"), f"there is no program {entry.of}", hint=hint)
            return None
        return self._edited(entry, base)

    def _edited(self, entry: MistakeEntry, base: Files) -> Files | None:
        node = find(self._document.node(entry), "replace")
        places: dict[str, list[tuple[int, str, str]]] = {}
        for number, pair in enumerate(entry.replace):
            item = node.items[number] if isinstance(node, Sequence) else node
            if (problem := _misfit(pair, base)) or not isinstance(item, Sequence):
                self._document.complaints.at(item, problem, hint="give a part of the program that stands there once")
                return None
            path = next(path for path, text in base.items() if pair[0] in text)
            places.setdefault(path, []).append((base[path].index(pair[0]), pair[0], pair[1]))
        if not entry.replace:
            self._document.complaints.at(node, f"{entry.name} changes nothing", hint="give `replace: [[old, new]]`")
        elif any(map(_overlap, places.values())):
            self._document.complaints.at(node, "two of the edits overlap", hint="join them")
        else:
            return {path: _replaced(text, places.get(path, ())) for path, text in base.items()}
        return None


def _misfit(pair: tuple[str, ...], base: Files) -> str:
    """Return why an edit can't be made; nothing where it can."""
    if len(pair) != 2 or not pair[0]:
        return "an edit is a pair: [old, new]"
    count = sum(text.count(pair[0]) for text in base.values())
    if count == 1:
        return ""
    return f"the program has this text {count} times" if count else "the program lacks this text"


def _overlap(edits: list[tuple[int, str, str]]) -> bool:
    ordered = sorted(edits)
    return any(at + len(old) > following for (at, old, _), (following, *_) in pairwise(ordered))


def _replaced(text: str, edits: list[tuple[int, str, str]] | tuple[()]) -> str:
    for at, old, new in sorted(edits, reverse=True):
        text = text[:at] + new + text[at + len(old) :]
    return text


def _titled(files: Files, entry: MistakeEntry) -> Files:
    """Have the program say its mistake in its first line, instead of what the right one said of itself."""
    title = f"# {entry.says}\n"
    return {path: f"{title}{_HEADER.sub('', text, count=1)}" if text else text for path, text in files.items()}
