"""Fills the stored answer keys from the reference solvers."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import yaml

from grader.atomic_write import replacing
from grader.catalogue.kits import has_answers
from grader.catalogue.loading.build import Builder
from grader.catalogue.loading.files import CaseEntry, CaseFile
from grader.catalogue.placed_yaml.compose import compose
from grader.catalogue.placed_yaml.decode import BAD, Decoder
from grader.catalogue.placed_yaml.messages import did_you_mean
from grader.catalogue.placed_yaml.nodes import Mapping, Node, Scalar, Sequence
from grader.catalogue.placed_yaml.source import Complaints, Faults, shown
from grader.catalogue.writing.transcripts import (
    Answer,
    FailedReferenceError,
    answer,
    first_difference,
    is_long,
    stored_lines,
    write_transcript,
)
from grader.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from grader.catalogue.placed_yaml.decode import Document
    from grader.catalogue.placed_yaml.source import Source
    from grader.model.assignment import Case


_BOM = "\ufeff"
_SHOWN_LINES = 2000
_WIDTH = 100


class TextChange(msgspec.Struct, frozen=True, kw_only=True):
    """A YAML file with other expectations in it."""

    path: Path
    before: str
    after: str

    def diff(self) -> str:
        name = shown(self.path)
        return _unified(self.before.splitlines(), self.after.splitlines(), name)

    def write(self) -> None:
        with replacing(self.path) as file:
            file.write(self.after.encode())


class TranscriptChange(msgspec.Struct, frozen=True, kw_only=True):
    """A transcript that is new or tells another walk."""

    path: Path
    answer: Answer

    def diff(self) -> str:
        before = list(stored_lines(self.path)) if self.path.is_file() else []
        after = list(self.answer.lines())
        if len(before) + len(after) <= _SHOWN_LINES:
            return _unified(before, after, shown(self.path))
        found = first_difference(before, after)
        first = f"\n@@ line {found.line} @@\n-{found.stored}\n+{found.computed}" if found and before else ""
        return f"--- {shown(self.path)}\n+++ {shown(self.path)} ({len(before)} → {len(after)} lines){first}"

    def write(self) -> None:
        write_transcript(self.path, self.answer.lines())


Change = TextChange | TranscriptChange


def _unified(before: list[str], after: list[str], name: str) -> str:
    old = name if before else "/dev/null"
    return "\n".join(difflib.unified_diff(before, after, old, name, lineterm=""))


def plan(folder: Path, ids: Collection[str] = ()) -> tuple[Change, ...]:
    """Say what must change so that every answer key (or those of `ids`) is the reference's; changes nothing."""
    faults = Faults()
    builder = Builder(folder, faults, recording=True)
    assignment = builder.assignment()
    faults.raise_any()
    assert assignment is not None
    known = [case.id for case in assignment.cases]
    for wanted in ids:
        if wanted not in known:
            raise UsageError(f"there is no case {wanted} in {folder.name}", hint=did_you_mean(wanted, known))
    recorder = _Recorder(builder, faults)
    for case in assignment.cases:
        _, entry = builder.entries[case.id]
        stores = entry.generate is None and has_answers(builder.kits[case.kind.name])
        if stores and (not ids or case.id in ids):
            recorder.record(case)
    recorder.splice()
    faults.raise_any()
    return tuple(recorder.changes)


class _Recorder:
    def __init__(self, builder: Builder, faults: Faults) -> None:
        self.builder = builder
        self.faults = faults
        self.changes: list[Change] = []
        self.wanted: dict[str, dict[str, Any]] = {}
        self.edits: dict[Path, list[Edit]] = {}

    def record(self, case: Case) -> None:
        document, entry = self.builder.entries[case.id]
        node = document.node(entry)
        try:
            new = answer(self.builder.kits[case.kind.name], case)
        except FailedReferenceError as error:
            document.complaints.at(node, f"the case {case.id}: {error}")
            return
        stored = dict(entry.expect)
        wanted = {**new.expect, **self.transcript(case, entry, new)}
        self.wanted[case.id] = {**stored, **wanted}
        changed = {key: value for key, value in wanted.items() if stored.get(key) != value}
        try:
            edits = expect_edits(document.source, node, changed)
        except CannotSpliceError:
            hint = f"write it out at the case itself: expect: {changed}"
            document.complaints.at(node, f"the expectation of {case.id} comes from an anchor", hint=hint)
            return
        self.edits.setdefault(document.source.path, []).extend(edits)

    def transcript(self, case: Case, entry: CaseEntry, new: Answer) -> dict[str, Any]:
        if new.transcript is None:
            return {}
        name = entry.expect.get("transcript")
        if name is None:
            name = f"expected/{case.id}.out" + (".gz" if is_long(new.lines()) else "")
        path = self.builder.folder / name
        if not path.is_file() or first_difference(stored_lines(path), new.lines()):
            self.changes.append(TranscriptChange(path=path, answer=new))
        return {"transcript": name}

    def splice(self) -> None:
        for document in self.builder.documents:
            edits = self.edits.get(document.source.path)
            if edits:
                self.change(document, splice(document.source, edits))

    def change(self, document: Document[CaseFile], text: str) -> None:
        source = document.source
        mark = _BOM if source.marked else ""
        if self.reads_back(document, text):
            self.changes.append(TextChange(path=source.path, before=mark + source.text, after=mark + text))
        else:
            message = "the new expectations can't be put into this file without changing more"
            self.faults.add(source.shown, message, hint="write `expect` as a plain `key: value` in each case")

    def reads_back(self, document: Document[CaseFile], text: str) -> bool:
        """Prove that the new text holds the wanted expectations and differs in nothing else."""
        faults = Faults()
        source = msgspec.structs.replace(document.source, text=text)
        root = compose(source, faults)
        value: Any = Decoder(Complaints(faults, source)).decode(root, CaseFile) if root else BAD
        if value is BAD or faults.found or document.value is None:
            return False
        return all(
            new.expect == self.wanted.get(old.id, old.expect)
            and msgspec.structs.replace(new, expect=old.expect) == old
            for old, new in zip(document.value.cases, value.cases, strict=True)
        )


class Edit(msgspec.Struct, frozen=True, order=True):
    """Put `text` in place of what stands from `start` to `end`."""

    start: int
    end: int
    text: str


class CannotSpliceError(Exception):
    """The text to change stands elsewhere: it came through an anchor."""


class _Dumper(yaml.SafeDumper):
    """Writes text with line breaks or control characters in double quotes, where they are escaped."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = None if text.isprintable() else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def splice(source: Source, edits: Iterable[Edit]) -> str:
    """Return the text with all edits made, in the file's own line ends."""
    text = source.text
    ends = "\r\n" if "\r\n" in text else "\n"
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text.replace("\n", ends) + text[edit.end :]
    return text


def expect_edits(source: Source, case: Mapping, wanted: dict[str, Any]) -> list[Edit]:
    """Return the edits that put the wanted values into the case's `expect`; `wanted` holds only what must change."""
    if not wanted:
        return []
    entry = _own(case, "expect")
    if entry is None:
        return [_added(source, case, {"expect": wanted})]
    node = _here(*entry)
    if not isinstance(node, Mapping) or not node.entries:
        return [Edit(node.start.index, _last(source, node), flow(wanted, indent=_indent(case)))]
    edits = []
    fresh = dict(wanted)
    for key in wanted:
        found = _own(node, key)
        if found is not None:
            value = _here(*found)
            gap = " " if value.start.index == found[0].end.index + 1 else ""
            text = gap + flow(fresh.pop(key), indent=_indent(node))
            edits.append(Edit(value.start.index, _last(source, value), text))
    return edits + ([_added(source, node, fresh)] if fresh else [])


def flow(value: Any, *, indent: int = 0) -> str:
    """Write a value on one line, or on indented lines when it is long."""
    text = yaml.dump(
        value, Dumper=_Dumper, default_flow_style=True, width=_WIDTH, sort_keys=False, allow_unicode=True
    )
    lines = text.removesuffix("\n").removesuffix("\n...").split("\n")
    return ("\n" + " " * (indent + 2)).join(line.strip(" ") for line in lines)


def _own(mapping: Mapping, key: str) -> tuple[Scalar, Node] | None:
    if any(other.text == key for other, _ in mapping.entries[mapping.own :]):
        raise CannotSpliceError
    return mapping.entry(key)


def _here(key: Scalar, value: Node) -> Node:
    """Return the value if it stands after its key; an alias's value stands elsewhere."""
    if value.start.index < key.end.index:
        raise CannotSpliceError
    return value


def _added(source: Source, mapping: Mapping, values: dict[str, Any]) -> Edit:
    """Add keys at the end of a mapping."""
    indent = _indent(mapping)
    key, value = mapping.entries[mapping.own - 1]
    at = _last(source, _here(key, value))
    if mapping.flow:
        return Edit(at, at, "".join(f", {key}: {flow(value, indent=indent)}" for key, value in values.items()))
    lines = [f"{name}: {flow(each, indent=indent)}" for name, each in values.items()]
    gap = "\n" + " " * indent
    if _is_open_block(source, value):
        return Edit(key.start.index, key.start.index, "".join(line + gap for line in lines))
    if not _is_block_text(value):
        at = _line_end(source.text, at)
    return Edit(at, at, "".join(gap + line for line in lines))


def _indent(mapping: Mapping) -> int:
    return mapping.entries[0][0].start.column - 1


def _line_end(text: str, index: int) -> int:
    found = text.find("\n", index)
    end = len(text) if found < 0 else found
    return end - 1 if end > index and text[end - 1] == "\r" else end


def _is_block_text(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style in {"|", ">"}


def _is_open_block(source: Source, node: Node) -> bool:
    """Tell whether a line after the block would change its text: it keeps its blank lines, or ends with the file."""
    if not _is_block_text(node):
        return False
    header = source.text[node.start.index : _line_end(source.text, node.start.index)]
    return "+" in header.partition("#")[0] or not source.text[: node.end.index].endswith(("\n", "\r"))


def _last(source: Source, node: Node) -> int:
    """Return the index after the node's last character; YAML's own marks run on over blank lines and comments."""
    while isinstance(node, Mapping | Sequence) and not node.flow:
        node = node.entries[node.own - 1][1] if isinstance(node, Mapping) else node.items[-1]
    end = node.end.index
    if _is_block_text(node):
        end = len(source.text[:end].rstrip("\r\n"))
    return end
