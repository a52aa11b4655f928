"""Changes an expectation inside YAML text, leaving all else as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import yaml

from grader.catalogue.placed_yaml.nodes import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.catalogue.placed_yaml.source import Source

_WIDTH = 100


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
