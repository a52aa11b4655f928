"""The YAML tree with the place of every node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

TAG = "tag:yaml.org,2002:"


class Place(msgspec.Struct, frozen=True, gc=False):
    """A place in a file; line and column count from 1, index from 0."""

    line: int
    column: int
    index: int = 0


class Scalar(msgspec.Struct, frozen=True, kw_only=True):
    """A single value as it was written, with the tag that YAML gives it."""

    text: str
    tag: str
    style: str
    """Empty for a plain word, else the quote or `|` or `>`."""
    start: Place
    end: Place
    size: int = 1
    depth: int = 0

    @property
    def type(self) -> str:
        """Short name of the tag: str, int, float, bool, null, timestamp or merge."""
        return self.tag.removeprefix(TAG)


class Sequence(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[Node, ...]
    flow: bool
    start: Place
    end: Place
    size: int = 1
    """How many nodes there are when every alias is written out."""
    depth: int = 1
    """How many levels there are then."""


class Mapping(msgspec.Struct, frozen=True, kw_only=True):
    entries: tuple[tuple[Scalar, Node], ...]
    own: int
    """How many entries stand here; those after them came through `<<`."""
    flow: bool
    start: Place
    end: Place
    size: int = 1
    depth: int = 1

    def __iter__(self) -> Iterator[tuple[Scalar, Node]]:
        return iter(self.entries)

    def entry(self, key: str) -> tuple[Scalar, Node] | None:
        return next((entry for entry in self.entries if entry[0].text == key), None)

    def get(self, key: str) -> Node | None:
        entry = self.entry(key)
        return entry[1] if entry else None


Node = Scalar | Sequence | Mapping


def keys(node: Node | None) -> list[str]:
    """Return the keys of a mapping, as they are written."""
    return [key.text for key, _ in node] if isinstance(node, Mapping) else []


def find(node: Node, *path: str) -> Node:
    """Return the node at the path, or the nearest one above it that exists."""
    for key in path:
        below = node.get(key) if isinstance(node, Mapping) else None
        if below is None:
            break
        node = below
    return node
