"""Builds an assignment from its folder: defaults filled, files read, inputs checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from grader.catalogue.kits import (
    KitError,
    build_kit,
    check_parts,
    find_judge,
    has_answers,
    offer_kits,
    read_puzzle,
)
from grader.catalogue.loading.check import (
    check_assignment,
    check_beside,
    check_change,
    check_file,
    check_input_name,
    check_limits,
    check_options,
    check_output,
    check_rule,
    check_run,
    check_scoring,
    check_size,
    package_name,
    rehearse,
)
from grader.catalogue.loading.files import AssignmentFile, CaseEntry, CaseFile, InputFile
from grader.catalogue.loading.generate import Made, make
from grader.catalogue.loading.inputs import Input, check_input, file_input, inline_input, named_file, path_below
from grader.catalogue.loading.policy import check_policy
from grader.catalogue.placed_yaml.decode import BAD, Document, read_document
from grader.catalogue.placed_yaml.messages import did_you_mean
from grader.catalogue.placed_yaml.nodes import Mapping, Scalar, find, keys
from grader.catalogue.placed_yaml.source import read_bytes
from grader.judge.registry import expect_struct
from grader.model.assignment import Assignment, Case, CaseFacts, Homework, Kind, RuleCase, RunChange
from grader.model.run import File

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from grader.catalogue.placed_yaml.nodes import Node
    from grader.catalogue.placed_yaml.source import Faults
    from grader.model.kit import Kit
    from grader.model.run import Limits


_OTHERS = ("assignment.yaml", "mistakes.yaml")
"""Files of an assignment that hold no cases."""
_INPUTS = ("input", "input_file", "generate")
_EXPECTS = {"stdout": 'write `expect: {stdout: "…"}`', "value": "write `expect: {value: …}`"}


class Builder:
    """Builds one assignment; what it finds wrong goes to `faults`."""

    def __init__(self, folder: Path, faults: Faults, *, check_inputs: bool = True, recording: bool = False) -> None:
        self.folder = folder
        self.faults = faults
        self.check_inputs = check_inputs
        self.recording = recording
        self.kits: dict[str, Kit] = {}
        self.judges: dict[str, Any] = {}
        self.kinds: dict[str, Kind] = {}
        self.packages: tuple[str, ...] = ()
        self.written_kinds: list[str] = []
        self.documents: list[Document[CaseFile]] = []
        self.rehearsed: set[str] = set()
        self.entries: dict[str, tuple[Document[CaseFile], CaseEntry]] = {}

    def assignment(self) -> Assignment | None:
        """Return the assignment; None when its own file can't be used."""
        offer_kits(self.folder.absolute().parent.parent)
        document = read_document(self.folder / "assignment.yaml", AssignmentFile, self.faults)
        if document is None or document.value is None:
            self.read_cases()
            return None
        file = document.value
        check_assignment(document, file)
        self.packages = tuple(map(package_name, file.packages))
        check_policy(document.complaints, document.root.get("policy"), file.policy, self.packages)
        check_limits(document.complaints, document.root, file.limits)
        self.written_kinds = keys(document.root.get("kinds"))
        self.kinds = {name: self.kind(document, name) for name in file.kinds}
        starter = self.starter(document, file)
        self.read_cases()
        cases = [case for each in self.documents for case in self.cases(each, file)]
        rules = [rule for each in self.documents for rule in self.rules(each, file)]
        told_facts = [*(case.facts for case in cases), *(rule.facts for rule in rules)]
        check_scoring(self.entries, document, {facts.id: facts for facts in told_facts})
        told: dict[str, Any] = {name: getattr(file, name) for name in Homework.__struct_fields__}
        found = {"kinds": self.kinds, "starter": starter, "cases": tuple(cases), "rules": tuple(rules)}
        found["packages"] = self.packages
        return Assignment(name=self.folder.name, folder=self.folder.absolute(), **{**told, **found})

    def read_cases(self) -> None:
        """Read the case files beside assignment.yaml, in the order of their names."""
        try:
            listed = sorted(self.folder.iterdir())
        except OSError:  # its assignment.yaml can't be read either, and that is told
            return
        for path in listed:
            if path.suffix in {".yaml", ".yml"} and path.name not in _OTHERS and path.name[0] != ".":
                document = read_document(path, CaseFile, self.faults)
                self.documents += [document] if document else []

    def kind(self, document: Document[AssignmentFile], name: str) -> Kind:
        assert document.value is not None
        file = document.value.kinds[name]
        node = document.node(file)
        try:
            self.judges[name] = find_judge(file.judge)
        except KitError as error:
            document.complaints.at(find(node, "judge"), error.message, hint=error.hint)
        try:
            kit = build_kit(file.kit, file.rules)
            check_parts(file.kit, kit, self.judges.get(name))
            self.kits[name] = kit
        except KitError as error:
            key = "rules" if "rules" in error.message else "kit"
            document.complaints.at(find(node, key), error.message, hint=error.hint)
        check_options(document, node.get("options"), file.judge, self.judges.get(name))
        check_run(document, document.value, name, self.kits.get(name))
        return Kind(name=name, **msgspec.structs.asdict(file))

    def starter(self, document: Document[AssignmentFile], file: AssignmentFile) -> str:
        if not file.starter:
            return ""
        node = find(document.root, "starter")
        path = named_file(self.folder, file.starter, node=node, complaints=document.complaints)
        return str(path or "")

    def cases(self, document: Document[CaseFile], file: AssignmentFile) -> list[Case]:
        entries = document.value.cases if document.value else ()
        built = [self.case(document, each, file) for entry in entries for each in self.asked(document, entry)]
        return [case for case in built if case is not None]

    def asked(self, document: Document[CaseFile], entry: CaseEntry) -> Iterable[CaseEntry | Made]:
        """Return what an entry asks for: one case, those that the kit makes for it, or a look at the source."""
        if entry.policy is not None:
            return ()
        if entry.generate is None:
            return (entry,)
        kind = self.kind_of(document, entry)
        kit = self.kits.get(kind.name) if kind else None
        return make(document, entry, kit) if kit and self.has_one_input(document, entry) else ()

    def rules(self, document: Document[CaseFile], file: AssignmentFile) -> list[RuleCase]:
        """Build the cases that look at the source alone."""
        built = []
        for entry in document.value.cases if document.value else ():
            if entry.policy is not None:
                self.refuse_duplicate(document, entry, entry.id)
                check_rule(document, entry, self.packages)
                built.append(RuleCase(facts=_facts(entry, file), policy=entry.policy))
        return built

    def case(self, document: Document[CaseFile], asked: CaseEntry | Made, file: AssignmentFile) -> Case | None:
        made = asked if isinstance(asked, Made) else None
        entry = asked.entry if isinstance(asked, Made) else asked
        node = document.node(entry)
        self.refuse_duplicate(document, entry, asked.id)
        given = made.input if made else self.input(document, entry)
        kind = self.kind_of(document, entry)
        if given is None or kind is None:
            return None
        if self.check_inputs and not made and kind.name in self.kits:
            check_input(given, self.kits[kind.name], complaints=document.complaints)
        kind = self.laid_over(document, entry, kind, file)
        beside = self.beside(document, entry)
        limits = self.limits(document, entry, made.limits_over(file.limits) if made else file.limits)
        check_limits(document.complaints, node, entry.limits)
        check_size(given, limits, complaints=document.complaints, node=given.node or node)
        check_options(document, node.get("options"), kind.judge, self.judges.get(kind.name))
        case = Case(
            facts=made.facts_over(_facts(entry, file)) if made else _facts(entry, file),
            kind=kind,
            limits=limits,
            input=given.text,
            raw=given.raw,
            beside=beside,
            after=entry.after,
            expect=self.answer_key(document, entry, kind),
            options={**kind.options, **entry.options},
            partial=entry.partial,
            path=document.source.shown,
            line=node.start.line,
        )
        check_output(case, complaints=document.complaints, node=find(node, "expect"))
        self.rehearse(document, entry, case)
        return case

    def rehearse(self, document: Document[CaseFile], entry: CaseEntry, case: Case) -> None:
        """Have the first case of each kind judged, where nothing else is wrong; `record` does more itself."""
        kit = self.kits.get(case.kind.name)
        is_wanted = self.check_inputs and not self.recording and case.kind.name not in self.rehearsed
        if not is_wanted or kit is None or case.kind.name not in self.judges or self.faults.found:
            return
        self.rehearsed.add(case.kind.name)
        wrong = rehearse(case, kit, read_puzzle(kit, case.input))
        if wrong:
            hint = "so it would for every student"
            document.complaints.at(document.node(entry), wrong, hint=hint)

    def refuse_duplicate(self, document: Document[CaseFile], entry: CaseEntry, name: str) -> None:
        first, other = self.entries.setdefault(name, (document, entry))
        if other is not entry:
            place = f"{first.source.shown}:{find(first.node(other), 'id').start.line}"
            node = find(document.node(entry), "id")
            document.complaints.at(node, f"the id {name} is taken", hint=f"it stands at {place}; ids are unique")

    def input(self, document: Document[CaseFile], entry: CaseEntry) -> Input | None:
        if not self.has_one_input(document, entry):
            return None
        node = document.node(entry)
        key = next(key for key in _INPUTS if node.get(key) is not None)
        at = find(node, key)
        if key == "input":
            is_text = isinstance(at, Scalar) and entry.input is not None
            return inline_input(at, document.complaints) if is_text else None  # type: ignore[arg-type]  # so it is
        name = entry.input_file
        path = named_file(self.folder, name, node=at, complaints=document.complaints) if name else None
        return file_input(path, self.faults) if path else None

    def has_one_input(self, document: Document[CaseFile], entry: CaseEntry) -> bool:
        """Tell whether the entry says in one way what its input is."""
        node = document.node(entry)
        written = [key for key in _INPUTS if node.get(key) is not None]
        if len(written) != 1:
            has = f"has both {' and '.join(written)}" if written else "has neither input nor input_file"
            at = find(node, written[-1]) if written else node
            document.complaints.at(at, f"the case {entry.id} {has}", hint="give one of them")
        return len(written) == 1

    def laid_over(self, document: Document[CaseFile], entry: CaseEntry, kind: Kind, file: AssignmentFile) -> Kind:
        """Return the kind with what the case changes about its run, and check the names of the files."""
        handed_in = [handin.name for handin in file.files]
        check_beside(document, entry, handed_in)
        if entry.run == RunChange():
            return kind
        run = entry.run.over(kind.run)
        node = document.node(entry.run)
        check_input_name(document.complaints, node, run, handed_in)
        check_change(document.complaints, node, kind.run)
        return msgspec.structs.replace(kind, run=run)

    def beside(self, document: Document[CaseFile], entry: CaseEntry) -> tuple[File, ...]:
        """Read the files that the program finds besides its input."""
        files = []
        for name, content in entry.beside.items():
            if isinstance(content, InputFile):
                at = find(document.node(content), "path")
                path = named_file(self.folder, content.path, node=at, complaints=document.complaints)
                raw = read_bytes(path, self.faults) if path else None
                files += [File(path=name, content=raw)] if raw is not None else []
            else:
                files.append(File(path=name, content=content.encode()))
        return tuple(files)

    def kind_of(self, document: Document[CaseFile], entry: CaseEntry) -> Kind | None:
        name = entry.kind or self.written_kinds[0]
        if name not in self.written_kinds:
            node = find(document.node(entry), "kind")
            document.complaints.at(node, f"there is no kind {name}", hint=did_you_mean(name, self.written_kinds))
        return self.kinds.get(name)

    def limits(self, document: Document[CaseFile], entry: CaseEntry, general: Limits) -> Limits:
        given = set(keys(document.node(entry).get("limits"))) & set(entry.limits.__struct_fields__)
        return msgspec.structs.replace(general, **{key: getattr(entry.limits, key) for key in given})

    def answer_key(self, document: Document[CaseFile], entry: CaseEntry, kind: Kind) -> Any:
        """Read the answer key; where no kit can be asked for it, it must be there."""
        expect = self.expect(document, entry, kind)
        kit = self.kits.get(kind.name)
        if kit is not None and not has_answers(kit) and not keys(document.node(entry).get("expect")):
            message = f"the case {entry.id} has no answer: the kit {kind.kit} has no `solve` to ask"
            document.complaints.at(document.node(entry), message, hint=_EXPECTS.get(kind.judge, "write `expect: …`"))
        return expect

    def expect(self, document: Document[CaseFile], entry: CaseEntry, kind: Kind) -> Any:
        """Read the answer key as the judge or the kit wants it; files that it names are found."""
        node = document.node(entry).get("expect")
        judge = self.judges.get(kind.name)
        is_known = hasattr(judge, "Expect") or (judge is not None and kind.name in self.kits)
        if not is_known or not isinstance(node, Mapping) or not node.entries:
            return None
        expect = document.decoder.decode(node, expect_struct(judge, self.kits.get(kind.name)), "expect")
        if expect is BAD:
            return None
        for key, endings in getattr(judge, "FILES", {}).items():
            name = getattr(expect, key)
            if name is not None:
                path = self.expected_file(document, find(node, key), key, name, endings)
                expect = msgspec.structs.replace(expect, **{key: path})
        return expect

    def expected_file(
        self, document: Document[CaseFile], node: Node, key: str, name: str, endings: tuple[str, ...]
    ) -> str | None:
        check_file(document.complaints, node, key, name, endings)
        find_file = path_below if self.recording else named_file
        path = find_file(self.folder, name, node=node, complaints=document.complaints)
        return str(path) if path else None


def _facts(entry: CaseEntry, file: AssignmentFile) -> CaseFacts:
    """Return what the entry says of its case, with the assignment's defaults below it."""
    told: dict[str, Any] = {name: getattr(entry, name) for name in CaseFacts.__struct_fields__}
    defaults: dict[str, Any] = {"points": file.points, "visibility": file.visibility}
    return CaseFacts(**{name: defaults[name] if value is None else value for name, value in told.items()})
