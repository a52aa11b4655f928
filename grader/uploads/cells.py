"""Read CSV with the place of every cell, so that one can be changed and every other byte kept."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from grader.errors import CatalogueError, Fault, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_MOST_BYTES = 64 << 20
_BOM = "\ufeff"
_DELIMITERS = (",", ";", "\t")
_END = re.compile(r"\r\n|\r|\n")


class Cell(NamedTuple):
    """One cell: what it says, and where it stands in the file's text."""

    text: str
    start: int
    end: int
    is_quoted: bool


class Line(NamedTuple):
    """One record; a quoted cell may hold line ends."""

    number: int
    """The file's line on which it begins, from 1."""
    cells: tuple[Cell, ...]

    def text(self, column: int) -> str:
        return self.cells[column].text.strip() if column < len(self.cells) else ""


class Table(NamedTuple):
    """A CSV file, whole: its text decodes to the very bytes that were read."""

    path: Path
    text: str
    delimiter: str
    head: Line
    lines: tuple[Line, ...]
    """Below the head; empty lines are left out."""

    def column(self, name: str) -> int | None:
        """Return where the column of this name stands, whatever the case of its letters."""
        names = [cell.text.strip().lower() for cell in self.head.cells]
        return names.index(name.lower()) if name.lower() in names else None

    def names(self) -> list[str]:
        return [cell.text.strip() for cell in self.head.cells]

    def value(self, line: Line, name: str) -> str:
        """Return what a line says in a column; empty without such a column or cell."""
        column = self.column(name)
        return "" if column is None else line.text(column)

    def fault(self, line: Line, message: str, hint: str = "") -> Fault:
        return Fault(message=message, path=str(self.path), line=line.number, hint=hint)

    def replaced(self, news: Mapping[Cell, str]) -> bytes:
        """Return the file with other words in these cells."""
        parts, at = [], 0
        for cell in sorted(news, key=lambda each: each.start):
            parts += [self.text[at : cell.start], self._written(news[cell], is_quoted=cell.is_quoted)]
            at = cell.end
        return "".join([*parts, self.text[at:]]).encode("utf-8", "surrogateescape")

    def _written(self, text: str, *, is_quoted: bool) -> str:
        if not is_quoted and not re.search(rf'[{self.delimiter}"\r\n]', text):
            return text
        doubled = text.replace('"', '""')
        return f'"{doubled}"'


def read_table(path: Path) -> Table:
    """Read a CSV file with a head; UsageError or CatalogueError says what is wrong with it, and where."""
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}") from error
    if len(content) > _MOST_BYTES:
        raise UsageError(f"{path} is larger than {_MOST_BYTES >> 20} MiB.")
    if b"\0" in content:
        raise UsageError(f"{path} is no CSV file.", hint="Export it as CSV in UTF-8, not as a workbook or UTF-16.")
    text = content.decode("utf-8", "surrogateescape")
    start = len(_BOM) if text.startswith(_BOM) else 0
    first = _END.split(text[start:], maxsplit=1)[0]
    delimiter = max(_DELIMITERS, key=first.count)
    lines = list(_lines(path, text, start, delimiter))
    if not lines:
        raise UsageError(f"{path} is empty.", hint="Its first line names the columns.")
    head, *rest = lines
    return Table(path, text, delimiter, head, tuple(rest))


def _lines(path: Path, text: str, at: int, delimiter: str) -> Iterator[Line]:
    pattern = re.compile(rf'"([^"]*(?:""[^"]*)*)"|([^{delimiter}\r\n]*)')
    number, counted, cells, begin = 1, 0, [], 1
    while at <= len(text):
        found = pattern.match(text, at)
        assert found is not None  # the second way matches nothing at all, too
        quoted = found.group(1)
        after = text[found.end() : found.end() + 1]
        if quoted is not None and after not in {"", delimiter, "\r", "\n"}:
            message = "something stands here after a closing quote"
            place = number + text.count("\n", counted, found.end())
            raise CatalogueError([Fault(message=message, path=str(path), line=place)])
        if quoted is None and found.group(2).startswith('"'):
            message = "a quoted cell begins here and never ends"
            raise CatalogueError([Fault(message=message, path=str(path), line=begin)])
        said = found.group(2) if quoted is None else quoted.replace('""', '"')
        cells.append(Cell(said, found.start(), found.end(), quoted is not None))
        at = found.end() + 1
        if after == delimiter:
            continue
        if any(cell.text.strip() for cell in cells):
            yield Line(begin, tuple(cells))
        if not after:
            return
        end = _END.match(text, found.end())
        at = end.end() if end else at
        number += text.count("\n", counted, at)
        counted, cells, begin = at, [], number
