"""Read and write CSV files: every cell kept, with the file's own encoding, delimiter and line ends."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, NamedTuple

from grader.errors import CatalogueError, Fault, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_MOST_BYTES = 64 << 20
_BOM = "\ufeff"
_DELIMITERS = (",", ";", "\t")
_END = re.compile(r"\r\n|\r|\n")

csv.field_size_limit(_MOST_BYTES)


class Line(NamedTuple):
    """One record; a quoted cell may hold line ends."""

    number: int
    """The file's line on which it begins, from 1."""
    cells: tuple[str, ...]

    def text(self, column: int) -> str:
        return self.cells[column].strip() if column < len(self.cells) else ""


class Table(NamedTuple):
    """A CSV file with a head."""

    path: Path
    encoding: str
    start: str
    """A byte order mark, if the file has one."""
    delimiter: str
    end: str
    """What ends its lines."""
    is_ended: bool
    """Whether the last line is ended, too."""
    records: tuple[Line, ...]
    """The head, and all below it, empty ones as well."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """Below the head, what says something."""
        return tuple(line for line in self.records[1:] if any(cell.strip() for cell in line.cells))

    def names(self) -> list[str]:
        return [cell.strip() for cell in self.records[0].cells]

    def column(self, name: str) -> int | None:
        """Return where the column of this name is, whatever the case of its letters."""
        names = [each.lower() for each in self.names()]
        return names.index(name.lower()) if name.lower() in names else None

    def value(self, line: Line, name: str) -> str:
        """Return what a line says in a column; empty without such a column or cell."""
        column = self.column(name)
        return "" if column is None else line.text(column)

    def row(self, line: Line, names: Iterable[str]) -> dict[str, str]:
        return {name: self.value(line, name) for name in names}

    def need(self, *names: str, known: Iterable[str]) -> Table:
        """Return the table; raise UsageError when it lacks one of these columns."""
        missing = [name for name in names if self.column(name) is None]
        if missing:
            hint = f"Columns, with commas between them, are {', '.join(known)}."
            raise UsageError(f"The first line of {self.path} names no column {' nor '.join(missing)}.", hint=hint)
        return self

    def fault(self, line: Line, message: str, hint: str = "") -> Fault:
        return Fault(message=message, path=str(self.path), line=line.number, hint=hint)

    def replaced(self, news: Mapping[tuple[int, int], str]) -> bytes:
        """Return the file with other words in these cells, each named by its line's number and its column."""
        changed = ([news.get((number, at), cell) for at, cell in enumerate(cells)] for number, cells in self.records)
        text = self.end.join(_written(cells, self.delimiter) for cells in changed)
        return (self.start + text + (self.end if self.is_ended else "")).encode(self.encoding)


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
    encoding, text = _decoded(content)
    body = text.removeprefix(_BOM)
    first, *rest = _END.split(body, maxsplit=1)
    delimiter = max(_DELIMITERS, key=first.count)
    end = body[len(first) : len(body) - len(rest[0])] if rest else "\n"
    records = tuple(_records(path, body, delimiter))
    if not any(cell.strip() for line in records[:1] for cell in line.cells):
        raise UsageError(f"{path} is empty.", hint="Its first line names the columns.")
    start = text[: len(text) - len(body)]
    return Table(path, encoding, start, delimiter, end, is_ended=body.endswith(end), records=records)


def _decoded(content: bytes) -> tuple[str, str]:
    for encoding in ("utf-8", "cp1252"):
        try:
            return encoding, content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return "latin-1", content.decode("latin-1")


def _records(path: Path, text: str, delimiter: str) -> Iterable[Line]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    begin = 1
    try:
        for cells in reader:
            yield Line(begin, tuple(cells))
            begin = reader.line_num + 1
    except csv.Error as error:
        is_open = "end of data" in str(error)
        message = (
            "a quoted cell begins here and never ends" if is_open else "something stands here after a closing quote"
        )
        raise CatalogueError([Fault(message=message, path=str(path), line=begin)]) from error


def _written(cells: list[str], delimiter: str) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=delimiter).writerow(cells)  # quotes what holds either sign of its own line end
    return buffer.getvalue().removesuffix("\r\n")
