"""Turns YAML text into a tree of placed nodes, within bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import yaml
from yaml.resolver import Resolver

from grader.catalogue.complain import syntax_fault
from grader.catalogue.faults import Complaints, Faults, Place
from grader.catalogue.nodes import TAG, Mapping, Node, Scalar, Sequence, Spot

if TYPE_CHECKING:
    from grader.catalogue.source import Source
from grader.catalogue.words import cut

MAX_NODES = 200_000
MAX_DEPTH = 60

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RESOLVER: Any = Resolver()
_PLAIN_TAGS = frozenset(
    TAG + name for name in ("str", "int", "float", "bool", "null", "timestamp", "merge", "value", "seq", "map")
)


class _Open(msgspec.Struct, kw_only=True):
    """A list or mapping whose end hasn't come yet."""

    event: Any
    children: list[Node]
    size: int = 1
    depth: int = 1


class _StopReading(Exception):  # noqa: N818 - it ends the reading; the fault is already noted
    """The rest of the text can't be made sense of."""


def compose(source: Source, faults: Faults) -> Node | None:
    """Read the one document of the file; None when a fault stops the reading."""
    composer = _Composer(source, faults)
    try:
        for event in yaml.parse(source.text, Loader=_LOADER):
            composer.take(event)
    except yaml.YAMLError as error:
        syntax_fault(error, composer.complaints)
        return None
    except _StopReading:
        return None
    if composer.root is None:
        faults.add(source.shown, "is empty", place=Place(1, 1), hint="a catalogue file begins with `format: 1`")
    return composer.root


class _Composer:
    def __init__(self, source: Source, faults: Faults) -> None:
        self.complaints = Complaints(faults, source)
        self.root: Node | None = None
        self.stack: list[_Open] = []
        self.anchors: dict[str, Node | None] = {}
        self.documents = 0

    def take(self, event: Any) -> None:
        match event:
            case yaml.ScalarEvent():
                self.add(self.scalar(event), event)
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                self.open(event)
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                self.close(event)
            case yaml.AliasEvent():
                self.alias(event)
            case yaml.DocumentStartEvent():
                self.document(event)

    def stop(self, event: Any, message: str, hint: str = "") -> _StopReading:
        start = _spot(event.start_mark)
        self.complaints.spot(Place(start.line, start.column), message, hint=hint)
        return _StopReading()

    def document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            raise self.stop(event, "a second document begins here", "one file holds one document; take the `---` out")

    def scalar(self, event: Any) -> Scalar:
        tag = event.tag
        if tag is None:
            tag = _RESOLVER.resolve(yaml.ScalarNode, event.value, event.implicit)
        elif tag == "!":
            tag = TAG + "str"
        self.check_tag(tag, event)
        start, end = _spot(event.start_mark), _spot(event.end_mark)
        return Scalar(text=event.value, tag=tag, style=event.style or "", start=start, end=end)

    def check_tag(self, tag: str | None, event: Any) -> None:
        if tag not in {None, "!"} and tag not in _PLAIN_TAGS:
            shown = (tag or "").replace(TAG, "!!")
            raise self.stop(event, f"the tag {shown} isn't used in the catalogue", "take the tag out")

    def open(self, event: Any) -> None:
        self.check_tag(event.tag, event)
        if len(self.stack) >= MAX_DEPTH:
            raise self.stop(event, f"is nested more than {MAX_DEPTH} levels deep")
        if event.anchor:
            self.anchors[event.anchor] = None
        self.stack.append(_Open(event=event, children=[]))

    def close(self, event: Any) -> None:
        done = self.stack.pop()
        make = self.mapping if isinstance(event, yaml.MappingEndEvent) else self.sequence
        self.add(make(done, _spot(event.end_mark)), done.event)

    def sequence(self, done: _Open, end: Spot) -> Sequence:
        items = tuple(done.children)
        start = _spot(done.event.start_mark)
        flow = bool(done.event.flow_style)
        return Sequence(items=items, flow=flow, start=start, end=end, size=done.size, depth=done.depth)

    def mapping(self, done: _Open, end: Spot) -> Mapping:
        pairs = list(zip(done.children[::2], done.children[1::2], strict=True))
        own = [(key, value) for key, value in pairs if isinstance(key, Scalar) and key.type != "merge"]
        for key, _ in pairs:
            if not isinstance(key, Scalar):
                self.complaints.at(key, "a key must be one word or text")
        self.refuse_duplicates([key for key, _ in own])
        merged = self.merged(pairs, {key.text for key, _ in own})
        start = _spot(done.event.start_mark)
        return Mapping(
            entries=(*own, *merged),
            own=len(own),
            flow=bool(done.event.flow_style),
            start=start,
            end=end,
            size=done.size,
            depth=done.depth,
        )

    def refuse_duplicates(self, keys: list[Scalar]) -> None:
        first: dict[str, Scalar] = {}
        for key in keys:
            earlier = first.setdefault(key.text, key)
            if earlier is not key:
                hint = f"it stands first on line {earlier.start.line}; keep one of the two"
                self.complaints.at(key, f"the key {cut(key.text)} stands here a second time", hint=hint)

    def merged(self, pairs: list[tuple[Node, Node]], taken: set[str]) -> list[tuple[Scalar, Node]]:
        """Give the entries that `<<` brings in; those written here, and earlier ones, win."""
        entries = []
        for key, value in pairs:
            if isinstance(key, Scalar) and key.type == "merge":
                for mapping in value.items if isinstance(value, Sequence) else (value,):
                    if not isinstance(mapping, Mapping):
                        self.complaints.at(mapping, "`<<` takes keys with values, as in `<<: *defaults`")
                        continue
                    entries += [entry for entry in mapping.entries if entry[0].text not in taken]
                    taken |= {entry[0].text for entry in mapping.entries}
        return entries

    def alias(self, event: Any) -> None:
        if event.anchor not in self.anchors:
            raise self.stop(
                event,
                f"the anchor &{event.anchor} isn't defined before this alias",
                "text that begins with * needs quotes",
            )
        node = self.anchors[event.anchor]
        if node is None:
            raise self.stop(event, f"the alias *{event.anchor} stands inside its own anchor", "write the values out")
        self.add(node, event, anchored=False)

    def add(self, node: Node, event: Any, *, anchored: bool = True) -> None:
        if anchored and event.anchor:
            self.anchors[event.anchor] = node
        if not self.stack:
            self.root = node
            return
        parent = self.stack[-1]
        parent.children.append(node)
        parent.size += node.size
        parent.depth = max(parent.depth, node.depth + 1)
        if parent.depth > MAX_DEPTH:
            raise self.stop(event, f"is nested more than {MAX_DEPTH} levels deep", "write the values out flat")
        if parent.size > MAX_NODES:
            hint = "aliases that contain aliases multiply; write the values out"
            raise self.stop(event, f"holds more than {MAX_NODES:,} values when its aliases are written out", hint)


def _spot(mark: Any) -> Spot:
    return Spot(mark.line + 1, mark.column + 1, mark.index)
