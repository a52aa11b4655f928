"""Reads one file's text, and collects the faults found in it with their places."""

from __future__ import annotations

import functools
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.catalogue.placed_yaml.nodes import Place
from grader.errors import CatalogueError, Fault

if TYPE_CHECKING:
    from grader.catalogue.placed_yaml.nodes import Node


MAX_YAML_BYTES = 8 << 20
MAX_INPUT_BYTES = 64 << 20

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""What YAML doesn't take; its complement, as the standard has it, takes 8 ms to compile."""
_BOM = "\ufeff"


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """One file: its text without a byte order mark, and the name to show."""

    path: Path
    shown: str
    text: str
    marked: bool = False
    """Whether the file begins with a byte order mark."""

    def lines(self) -> list[str]:
        """Return the lines as YAML counts them, without their ends."""
        return _lines(self.text)


@functools.lru_cache(maxsize=4)
def _lines(text: str) -> list[str]:
    return re.split("\r\n|[\n\r\x85\u2028\u2029]", text)


def shown(path: Path) -> str:
    """Return the path as people know it: from the current folder where it lies below it."""
    try:
        return str(path.absolute().relative_to(Path.cwd()))
    except (OSError, ValueError):
        return str(path)


def read_bytes(path: Path, faults: Faults, *, most: int = MAX_INPUT_BYTES) -> bytes | None:
    """Read a file of bounded size; a fault when that is impossible."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            faults.add(shown(path), "is a folder, not a file" if stat.S_ISDIR(mode) else "is no plain file")
            return None
        with path.open("rb") as file:
            content = file.read(most + 1)
    except FileNotFoundError:
        faults.add(shown(path), "there is no such file")
        return None
    except (OSError, ValueError) as error:
        faults.add(shown(path), f"can't be read: {getattr(error, 'strerror', None) or error}")
        return None
    if len(content) > most:
        faults.add(shown(path), f"is larger than {most >> 20} MiB", hint="move long inputs into files: input_file: …")
        return None
    return content


def read_source(path: Path, faults: Faults) -> Source | None:
    """Read a YAML file's text; a fault with its place when it is no text."""
    content = read_bytes(path, faults, most=MAX_YAML_BYTES)
    if content is None:
        return None
    text = decode_text(path, content, faults)
    if text is None:
        return None
    bad = _FORBIDDEN.search(text)
    if bad:
        code = f"U+{ord(bad.group()):04X}"
        hint = "NUL bytes often mean UTF-16; save the file as UTF-8" if bad.group() == "\0" else "take it out"
        faults.add(
            shown(path), f"the character {code} can't stand in YAML", place=place_of(text, bad.start()), hint=hint
        )
        return None
    marked = text.startswith(_BOM)
    return Source(path=path, shown=shown(path), text=text.removeprefix(_BOM), marked=marked)


def decode_text(path: Path, content: bytes, faults: Faults) -> str | None:
    """Decode UTF-8; a fault at the first byte that isn't."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        before = content[: error.start].decode(errors="replace")
        message = f"byte 0x{content[error.start]:02X} isn't UTF-8"
        faults.add(shown(path), message, place=place_of(before, len(before)), hint="save the file as UTF-8")
        return None


def place_of(text: str, index: int) -> Place:
    before = text[:index]
    return Place(before.count("\n") + 1, index - (before.rfind("\n") + 1) + 1)


MAX_FAULTS = 200  # a file of pure nonsense shouldn't scroll for minutes


class Faults:
    """The faults found so far, over all files."""

    def __init__(self) -> None:
        self.found: list[Fault] = []
        self._seen: set[Fault] = set()

    def add(self, path: str, message: str, *, place: Place | None = None, hint: str = "") -> None:
        line, column = (place.line, place.column) if place else (0, 0)
        fault = Fault(message=message, path=path, line=line, column=column, hint=hint)
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
        self.faults.add(self.source.shown, message, place=node.start, hint=hint)

    def spot(self, place: Place, message: str, *, hint: str = "") -> None:
        self.faults.add(self.source.shown, message, place=place, hint=hint)
