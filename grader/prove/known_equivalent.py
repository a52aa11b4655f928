"""Reads which mutants are equivalent to the sound solver, each with a reason.

format: 1
marks:
  - mutant: reference.alice.solve:102:13:swap-1
    source: the line as it stands in the module
    reason: why no maze can tell the two apart
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.errors import CatalogueError, Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from grader.prove.mutants import Mutant

FORMAT = 1


class Mark(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One mutant that no puzzle can tell from the sound solver."""

    mutant: str
    source: str
    reason: str

    def fits(self, mutant: Mutant) -> bool:
        """Tell whether it means this mutant; lines above may have come or gone since it was written."""
        module, _, column, operator = self.mutant.split(":")
        same_place = (module, int(column), operator) == (mutant.module, mutant.column, mutant.operator)
        return same_place and self.source == mutant.source


class Marks(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that is marked for one assignment."""

    format: int = FORMAT
    marks: tuple[Mark, ...] = ()

    def reason_for(self, mutant: Mutant) -> str:
        return next((mark.reason for mark in self.marks if mark.fits(mutant)), "")

    def unused(self, alive: Iterable[Mutant]) -> Iterator[Mark]:
        """Yield the marks that fit no surviving mutant."""
        survivors = tuple(alive)
        return (mark for mark in self.marks if not any(mark.fits(mutant) for mutant in survivors))


def read_marks(paths: Iterable[Path]) -> Marks:
    """Read the files that are there, one after the other; CatalogueError when one is wrong."""
    marks: list[Mark] = []
    for path in paths:
        if path.is_file():
            marks += _read(path).marks
    return Marks(marks=tuple(marks))


def _read(path: Path) -> Marks:
    try:
        read = msgspec.yaml.decode(path.read_bytes(), type=Marks)
    except msgspec.MsgspecError as error:
        raise CatalogueError(
            [Fault(path=str(path), message=str(error), hint="see grader/prove/known_equivalent.py")]
        ) from error
    bad = [mark.mutant for mark in read.marks if len(mark.mutant.split(":")) != 4 or not mark.reason]
    if bad or read.format != FORMAT:
        message = f"{bad[0]} is no module:line:column:operator with a reason" if bad else f"format {FORMAT} is known"
        raise CatalogueError([Fault(path=str(path), message=message)])
    return read
