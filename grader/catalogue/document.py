"""Reads one catalogue file into its struct, with places at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from grader.catalogue.compose import compose
from grader.catalogue.decode import BAD, Decoder
from grader.catalogue.faults import Complaints, Faults, Place
from grader.catalogue.format import FORMAT
from grader.catalogue.nodes import Mapping, Node, Scalar
from grader.catalogue.source import Source, read_source
from grader.catalogue.words import found

if TYPE_CHECKING:
    from pathlib import Path

T = TypeVar("T")


class Document(Generic[T]):
    """One file that could be read: its value, and the node of each struct in it."""

    def __init__(self, source: Source, faults: Faults, root: Mapping) -> None:
        self.source = source
        self.root = root
        self.complaints = Complaints(faults, source)
        self.decoder = Decoder(self.complaints)
        self.value: T | None = None

    def node(self, value: Any) -> Mapping:
        return self.decoder.node(value)


def read_document(path: Path, struct: type[T], faults: Faults) -> Document[T] | None:
    """Read and decode a file; None when it is no catalogue file of this format at all."""
    source = read_source(path, faults)
    root = compose(source, faults) if source else None
    if source is None or root is None:
        return None
    if not isinstance(root, Mapping):
        message = f"must hold keys with values, found {found(root)}"
        faults.add(
            source.shown, message, place=Place(root.start.line, root.start.column), hint="begin with `format: 1`"
        )
        return None
    document: Document[T] = Document(source, faults, root)
    if not _known_format(root, document.complaints):
        return None
    value = document.decoder.decode(root, struct)
    document.value = None if value is BAD else value
    return document


def _known_format(root: Mapping, complaints: Complaints) -> bool:
    """Check the version first: the keys of another format would only be noise."""
    node: Node | None = root.get("format")
    if node is None:
        return True
    if isinstance(node, Scalar) and node.type == "int" and node.text == str(FORMAT):
        return True
    complaints.at(node, f"this grader reads format {FORMAT}, found {found(node)}", hint=f"write `format: {FORMAT}`")
    return False
