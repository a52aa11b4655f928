"""Reads one file's text, refusing what no YAML can be."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.catalogue.faults import Faults, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_YAML_BYTES = 8 << 20
MAX_MAZE_BYTES = 64 << 20

_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BOM = "\ufeff"


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """One file: its text without a byte order mark, and the name to show."""

    path: Path
    shown: str
    text: str
    marked: bool = False
    """Whether the file begins with a byte order mark."""

    def lines(self) -> list[str]:
        """Give the lines as YAML counts them, without their ends."""
        return _lines(self.text)


@functools.lru_cache(maxsize=4)
def _lines(text: str) -> list[str]:
    return re.split("\r\n|[\n\r\x85\u2028\u2029]", text)


def shown(path: Path) -> str:
    """Give the path as people know it: from the current folder where it lies below it."""
    try:
        return str(path.absolute().relative_to(Path.cwd()))
    except (OSError, ValueError):
        return str(path)


def read_bytes(path: Path, faults: Faults, *, most: int = MAX_MAZE_BYTES) -> bytes | None:
    """Read a file of bounded size; a fault when that is impossible."""
    try:
        if not path.is_file():
            what = "is a folder, not a file" if path.is_dir() else "there is no such file"
            faults.add(shown(path), what)
            return None
        with path.open("rb") as file:
            content = file.read(most + 1)
    except (OSError, ValueError) as error:
        faults.add(shown(path), f"can't be read: {getattr(error, 'strerror', None) or error}")
        return None
    if len(content) > most:
        faults.add(shown(path), f"is larger than {most >> 20} MiB", hint="move long mazes into files: maze_file: …")
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


def case_files(folder: Path) -> Iterator[Path]:
    """Give the case files beside assignment.yaml, in the order of their names."""
    for path in sorted(folder.iterdir()):
        if path.suffix in {".yaml", ".yml"} and not path.name.startswith(".") and path.name != "assignment.yaml":
            yield path
