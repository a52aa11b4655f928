"""Turns YAML text into a tree of placed nodes, within bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml
from yaml.composer import Composer

from grader.catalogue.placed_yaml.messages import cut
from grader.catalogue.placed_yaml.nodes import TAG, Mapping, Node, Place, Scalar, Sequence
from grader.catalogue.placed_yaml.source import Complaints

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.catalogue.placed_yaml.source import Faults, Source


MAX_NODES = 200_000
MAX_DEPTH = 60

_PLAIN_TAGS = frozenset(
    TAG + name for name in ("str", "int", "float", "bool", "null", "timestamp", "merge", "value", "seq", "map")
)
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BASES = (_LOADER,) if issubclass(_LOADER, Composer) else (Composer, _LOADER)  # the C loader composes in C, unbounded
_Base: Any = type("_Base", _BASES, {})


class _StopReading(Exception):  # noqa: N818 - it ends the reading; the fault is already noted
    """The rest of the text can't be made sense of."""


def compose(source: Source, faults: Faults) -> Node | None:
    """Read the one document of the file; None when a fault stops the reading."""
    complaints = Complaints(faults, source)
    composer = _PlacedComposer(complaints)
    try:
        root = composer.only_document()
    except yaml.YAMLError as error:
        syntax_fault(error, complaints)
        return None
    except _StopReading:
        return None
    if root is None:
        faults.add(source.shown, "is empty", place=Place(1, 1), hint="a catalogue file begins with `format: 1`")
    return root


class _PlacedComposer(_Base):  # type: ignore[misc]
    """PyYAML's composer with places, bounds, and aliases that can't multiply."""

    def __init__(self, complaints: Complaints) -> None:
        _LOADER.__init__(self, complaints.source.text)
        Composer.__init__(self)
        self.complaints = complaints
        self.named: dict[str, Node | None] = {}
        self.sizes: list[int] = []
        """Of each open list or mapping: how many nodes it holds when every alias is written out."""

    def only_document(self) -> Node | None:
        self.get_event()
        root = None if self.check_event(yaml.StreamEndEvent) else self.compose_document()
        if not self.check_event(yaml.StreamEndEvent):
            hint = "one file holds one document; take the `---` out"
            raise self.stop(self.peek_event(), "a second document begins here", hint)
        return root

    def stop(self, event: Any, message: str, hint: str = "") -> _StopReading:
        self.complaints.spot(_place(event.start_mark), message, hint=hint)
        return _StopReading()

    def compose_node(self, parent: Any, index: Any) -> Node:
        event = self.peek_event()
        node = self.aliased(event) if isinstance(event, yaml.AliasEvent) else self.composed(event, parent, index)
        if self.sizes:
            self.sizes[-1] += node.size
            if node.depth >= MAX_DEPTH:
                raise self.stop(event, f"is nested more than {MAX_DEPTH} levels deep", "write the values out flat")
            if self.sizes[-1] > MAX_NODES:
                hint = "aliases that contain aliases multiply; write the values out"
                raise self.stop(event, f"holds more than {MAX_NODES:,} values when its aliases are written out", hint)
        return node

    def aliased(self, event: Any) -> Node:
        name = self.get_event().anchor
        if name not in self.named:
            message, hint = (
                f"the anchor &{name} isn't defined before this alias",
                "text that begins with * needs quotes",
            )
            raise self.stop(event, message, hint)
        node = self.named[name]
        if node is None:
            raise self.stop(event, f"the alias *{name} stands inside its own anchor", "write the values out")
        return node

    def composed(self, event: Any, parent: Any, index: Any) -> Node:
        if event.tag not in {None, "!"} and event.tag not in _PLAIN_TAGS:
            shown = event.tag.replace(TAG, "!!")
            raise self.stop(event, f"the tag {shown} isn't used in the catalogue", "take the tag out")
        if len(self.sizes) >= MAX_DEPTH and not isinstance(event, yaml.ScalarEvent):
            raise self.stop(event, f"is nested more than {MAX_DEPTH} levels deep")
        self.anchors.clear()  # PyYAML refuses a second anchor of the same name
        self.named |= {event.anchor: None} if event.anchor else {}
        self.sizes.append(1)
        node = self.placed(super().compose_node(parent, index))
        self.named |= {event.anchor: node} if event.anchor else {}
        return node

    def placed(self, node: Any) -> Node:
        start, end, size = _place(node.start_mark), _place(node.end_mark), self.sizes.pop()
        if isinstance(node, yaml.ScalarNode):
            return Scalar(text=node.value, tag=node.tag, style=node.style or "", start=start, end=end)
        placed: dict[str, Any] = {"flow": bool(node.flow_style), "start": start, "end": end, "size": size}
        if isinstance(node, yaml.SequenceNode):
            return Sequence(items=tuple(node.value), depth=_depth(node.value), **placed)
        own, merged = self.entries(node.value)
        depth = _depth(part for pair in node.value for part in pair)
        return Mapping(entries=(*own, *merged), own=len(own), depth=depth, **placed)

    def entries(self, pairs: list[tuple[Node, Node]]) -> tuple[list[tuple[Scalar, Node]], list[tuple[Scalar, Node]]]:
        """Return the entries written here, and those that `<<` brings in; the former, and earlier ones, win."""
        own: dict[str, tuple[Scalar, Node]] = {}
        brought: list[Node] = []
        doubled = []
        for key, value in pairs:
            if not isinstance(key, Scalar):
                self.complaints.at(key, "a key must be one word or text")
            elif key.type == "merge":
                brought += value.items if isinstance(value, Sequence) else (value,)
            elif key.text in own:
                hint = f"it stands first on line {own[key.text][0].start.line}; keep one of the two"
                self.complaints.at(key, f"the key {cut(key.text)} stands here a second time", hint=hint)
                doubled.append((key, value))
            else:
                own[key.text] = (key, value)
        merged: dict[str, tuple[Scalar, Node]] = {}
        for mapping in brought:
            if isinstance(mapping, Mapping):
                merged |= {key.text: (key, value) for key, value in mapping if key.text not in {**own, **merged}}
            else:
                self.complaints.at(mapping, "`<<` takes keys with values, as in `<<: *defaults`")
        return [*own.values(), *doubled], list(merged.values())


def _depth(nodes: Iterable[Node]) -> int:
    return 1 + max((node.depth for node in nodes), default=0)


def _place(mark: Any) -> Place:
    return Place(mark.line + 1, mark.column + 1, mark.index)


# what YAML's parsers say → what we say, what to try; the first that fits
_WORDS: tuple[tuple[str, str, str], ...] = (
    (
        "mapping values are not allowed",
        "a second `: ` stands here, where no key can be",
        "put text that holds `: ` in quotes, or mend the indentation of this line",
    ),
    ("unexpected end of stream", "a quoted text begins here and never ends", "add the closing quote"),
    ("document separator", "a quoted text begins here and never ends", "add the closing quote"),
    ("unknown escape", "this backslash means nothing inside double quotes", "use single quotes, or write \\\\"),
    ("',' or ']'", "a list begun with [ isn't closed, or lacks a comma", "check the [ ] and the commas"),
    ("',' or '}'", "a group begun with { isn't closed, or lacks a comma", "check the { } and the commas"),
    ("'-' indicator", "this line is no item of the list above it", "begin it with `- `, or mend its indentation"),
    ("could not find expected ':'", "this line has no `: ` after its key", "write `key: value`"),
    (
        "did not find expected key",
        "this line doesn't fit the ones above it",
        "mend its indentation; a block whose first line begins with blanks needs `|2` instead of `|`",
    ),
    ("<block end>", "this line doesn't fit the ones above it", "mend its indentation"),
    ("alphabetic or numeric", "an & or * stands here without a name", "put the text in quotes"),
    ("<document start>", "something stands here after the document's end", "one file holds one document"),
    ("directive", "a line that begins with % is a directive", "put the text in quotes"),
    ("block scalar", "this block's beginning can't be read", "write `key: |` and begin the text on the next line"),
)


def syntax_fault(error: yaml.YAMLError, complaints: Complaints) -> None:
    """Add one fault for the error, where the reader must look."""
    problem = str(getattr(error, "problem", None) or error)
    context = str(getattr(error, "context", None) or "")
    mark: Any = getattr(error, "problem_mark", None)
    if "quoted scalar" in context and "escape" not in problem:
        mark = getattr(error, "context_mark", None) or mark
    place = Place(mark.line + 1, mark.column + 1) if mark else Place(1, 1)
    message, hint = _character(problem, place, complaints) or _said(problem, context)
    begin: Any = getattr(error, "context_mark", None)
    if "or lacks a comma" in message and begin:
        hint += f"; it begins at {begin.line + 1}:{begin.column + 1}"
    complaints.spot(place, message, hint=hint)


def _said(problem: str, context: str) -> tuple[str, str]:
    for said, message, hint in _WORDS:
        if said in problem or said in context:
            return message, hint
    return f"isn't YAML: {problem} {context}".strip(), ""


def _character(problem: str, place: Place, complaints: Complaints) -> tuple[str, str] | None:
    if "cannot start any token" not in problem:
        return None
    lines = complaints.source.lines()
    line = lines[place.line - 1] if place.line <= len(lines) else ""
    character = line[place.column - 1 : place.column]
    if character == "\t":
        return "a tab stands here; YAML indents with blanks only", "replace the tab by blanks"
    return f"text can't begin with {character}", "put the text in quotes"
