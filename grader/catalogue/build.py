"""Builds an assignment from its folder: defaults filled, files read, mazes checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from grader.catalogue.check import check_assignment, check_expect, check_options, check_policy
from grader.catalogue.document import Document, read_document
from grader.catalogue.format import AssignmentFile, CaseEntry, CaseFile
from grader.catalogue.kits import KitError, build_kit, find_judge, offer_kits
from grader.catalogue.mazes import Maze, check_maze, file_maze, inline_maze
from grader.catalogue.nodes import Scalar, find, keys
from grader.catalogue.paths import named_file, path_below
from grader.catalogue.source import case_files
from grader.catalogue.words import did_you_mean
from grader.model.assignment import Assignment, Case, Expect, Kind

if TYPE_CHECKING:
    from pathlib import Path

    from grader.catalogue.faults import Faults
    from grader.model.kit import Kit


class Builder:
    """Builds one assignment; what it finds wrong goes to `faults`."""

    def __init__(self, folder: Path, faults: Faults, *, check_mazes: bool = True, recording: bool = False) -> None:
        self.folder = folder
        self.faults = faults
        self.check_mazes = check_mazes
        self.recording = recording
        self.kits: dict[str, Kit] = {}
        self.kinds: dict[str, Kind] = {}
        self.written_kinds: list[str] = []
        self.documents: list[Document[CaseFile]] = []
        self.entries: dict[str, tuple[Document[CaseFile], CaseEntry]] = {}

    def assignment(self) -> Assignment | None:
        """Give the assignment; None when its own file can't be used."""
        offer_kits(self.folder.absolute().parent.parent)
        document = read_document(self.folder / "assignment.yaml", AssignmentFile, self.faults)
        if document is None or document.value is None:
            self.read_cases()
            return None
        file = document.value
        check_assignment(document, file)
        check_policy(document)
        self.written_kinds = keys(document.root.get("kinds"))
        self.kinds = {name: self.kind(document, name) for name in file.kinds}
        starter = self.starter(document, file)
        self.read_cases()
        cases = [case for each in self.documents for case in self.cases(each, file)]
        return Assignment(
            name=self.folder.name,
            title=file.title,
            about=file.about,
            files=file.files,
            kinds=self.kinds,
            policy=file.policy,
            packages=file.packages,
            limits=file.limits,
            regulations=file.regulations,
            hunt=file.hunt,
            starter=starter,
            cases=tuple(cases),
            folder=self.folder.absolute(),
        )

    def read_cases(self) -> None:
        for path in case_files(self.folder):
            document = read_document(path, CaseFile, self.faults)
            if document is not None:
                self.documents.append(document)

    def kind(self, document: Document[AssignmentFile], name: str) -> Kind:
        assert document.value is not None
        file = document.value.kinds[name]
        node = document.node(file)
        try:
            self.kits[name] = build_kit(file.kit, file.rules)
        except KitError as error:
            key = "rules" if "rules" in error.message else "kit"
            document.complaints.at(find(node, key), error.message, hint=error.hint)
        try:
            find_judge(file.judge)
        except KitError as error:
            document.complaints.at(find(node, "judge"), error.message, hint=error.hint)
        check_options(document, node.get("options"), file.judge)
        return Kind(name=name, run=file.run, kit=file.kit, rules=file.rules, judge=file.judge, options=file.options)

    def starter(self, document: Document[AssignmentFile], file: AssignmentFile) -> str:
        if not file.starter:
            return ""
        node = find(document.root, "starter")
        path = named_file(self.folder, file.starter, node=node, complaints=document.complaints)
        return str(path or "")

    def cases(self, document: Document[CaseFile], file: AssignmentFile) -> list[Case]:
        entries = document.value.cases if document.value else ()
        built = [self.case(document, entry, file) for entry in entries]
        return [case for case in built if case is not None]

    def case(self, document: Document[CaseFile], entry: CaseEntry, file: AssignmentFile) -> Case | None:
        node = document.node(entry)
        self.refuse_duplicate(document, entry)
        maze = self.maze(document, entry)
        kind = self.kind_of(document, entry)
        if maze is None or kind is None:
            return None
        if self.check_mazes and kind.name in self.kits:
            check_maze(maze, self.kits[kind.name], complaints=document.complaints)
        check_expect(document, entry, kind)
        check_options(document, node.get("options"), kind.judge)
        return Case(
            id=entry.id,
            title=entry.title,
            kind=kind,
            points=file.points if entry.points is None else entry.points,
            visibility=entry.visibility or file.visibility,
            tags=entry.tags,
            hint=entry.hint,
            limits=self.limits(document, entry, file),
            maze=maze.text,
            raw=maze.raw,
            expect=self.expect(document, entry),
            options={**kind.options, **entry.options},
            partial=entry.partial,
            path=document.source.shown,
            line=node.start.line,
        )

    def refuse_duplicate(self, document: Document[CaseFile], entry: CaseEntry) -> None:
        first, other = self.entries.setdefault(entry.id, (document, entry))
        if other is not entry:
            place = f"{first.source.shown}:{find(first.node(other), 'id').start.line}"
            node = find(document.node(entry), "id")
            document.complaints.at(node, f"the id {entry.id} is taken", hint=f"it stands at {place}; ids are unique")

    def maze(self, document: Document[CaseFile], entry: CaseEntry) -> Maze | None:
        node = document.node(entry)
        inline, named = node.get("maze"), node.get("maze_file")
        if (inline is None) == (named is None):
            has = "has both maze and maze_file" if inline else "has neither maze nor maze_file"
            document.complaints.at(named or node, f"the case {entry.id} {has}", hint="give one of the two")
            return None
        if isinstance(inline, Scalar) and entry.maze is not None:
            return inline_maze(inline, document.complaints)
        if named is None or entry.maze_file is None:
            return None
        path = named_file(self.folder, entry.maze_file, node=named, complaints=document.complaints)
        return file_maze(path, self.faults) if path else None

    def kind_of(self, document: Document[CaseFile], entry: CaseEntry) -> Kind | None:
        name = entry.kind or self.written_kinds[0]
        if name not in self.written_kinds:
            node = find(document.node(entry), "kind")
            document.complaints.at(node, f"there is no kind {name}", hint=did_you_mean(name, self.written_kinds))
        return self.kinds.get(name)

    def limits(self, document: Document[CaseFile], entry: CaseEntry, file: AssignmentFile) -> Any:
        given = set(keys(document.node(entry).get("limits"))) & set(entry.limits.__struct_fields__)
        return msgspec.structs.replace(file.limits, **{key: getattr(entry.limits, key) for key in given})

    def expect(self, document: Document[CaseFile], entry: CaseEntry) -> Expect:
        if entry.expect.transcript is None:
            return entry.expect
        node = find(document.node(entry), "expect", "transcript")
        find_file = path_below if self.recording else named_file
        path = find_file(self.folder, entry.expect.transcript, node=node, complaints=document.complaints)
        return msgspec.structs.replace(entry.expect, transcript=str(path) if path else None)
