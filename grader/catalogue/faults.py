"""Collects faults with their places until all are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.errors import CatalogueError, Fault

if TYPE_CHECKING:
    from grader.catalogue.nodes import Node
    from grader.catalogue.source import Source

MAX_FAULTS = 200  # a file of pure nonsense shouldn't scroll for minutes


class Place(msgspec.Struct, frozen=True):
    """A spot in a file; line and column count from 1."""

    line: int
    column: int


class Faults:
    """The faults found so far, over all files."""

    def __init__(self) -> None:
        self.found: list[Fault] = []
        self._seen: set[Fault] = set()

    def add(self, path: str, message: str, *, place: Place | None = None, hint: str = "") -> None:
        where = place or Place(0, 0)
        fault = Fault(message=message, path=path, line=where.line, column=where.column, hint=hint)
        if fault not in self._seen:
            self._seen.add(fault)
            self.found.append(fault)

    def raise_any(self) -> None:
        """Raise CatalogueError if there is any fault: file by file, each from its top."""
        if not self.found:
            return
        files = list(dict.fromkeys(fault.path for fault in self.found))
        order = {path: number for number, path in enumerate(files)}
        shown = sorted(self.found, key=lambda fault: (order[fault.path], fault.line, fault.column))[:MAX_FAULTS]
        more = len(self.found) - len(shown)
        if more:
            shown.append(Fault(message=f"… and {more} faults more"))
        raise CatalogueError(shown)


class Complaints:
    """The faults of one file: adds the path, and the place of a node."""

    def __init__(self, faults: Faults, source: Source) -> None:
        self.faults = faults
        self.source = source

    def at(self, node: Node, message: str, *, hint: str = "") -> None:
        self.faults.add(self.source.shown, message, place=Place(node.start.line, node.start.column), hint=hint)

    def spot(self, place: Place, message: str, *, hint: str = "") -> None:
        self.faults.add(self.source.shown, message, place=place, hint=hint)
