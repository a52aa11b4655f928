"""Opens all that is packed in a folder, so that a search sees what anybody could unpack."""

from __future__ import annotations

import base64
import binascii
import gzip
import io
import re
import zipfile
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MEMORY, DIFFERENCE = "python/memory.gz", "python/judge.gz"
"""The second is written down as what differs from the first: web/src/snapshot.mjs."""
_LONG = re.compile(rb"[A-Za-z0-9+/]{24,}={0,2}")
_TEXTS = (".html", ".js", ".json", ".txt", ".md")


def every_file(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Give every file, and whatever it holds, however deep."""
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        yield from _opened(path.relative_to(folder).as_posix(), path.read_bytes())
    before, difference = (gzip.decompress((folder / name).read_bytes()) for name in (MEMORY, DIFFERENCE))
    yield f"{DIFFERENCE}/memory", _either(before.ljust(len(difference), b"\0"), difference)


def _either(one: bytes, other: bytes) -> bytes:
    return (int.from_bytes(one) ^ int.from_bytes(other)).to_bytes(max(len(one), len(other)))


def _opened(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    yield name, content
    if content.startswith(b"\x1f\x8b"):
        yield from _opened(f"{name}/gz", gzip.decompress(content))
    elif zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for inner in archive.namelist():
                yield from _opened(f"{name}/{inner}", archive.read(inner))
    if name.endswith(_TEXTS):
        for number, packed in enumerate(_LONG.findall(content)):
            if text := _inflated(packed):
                yield f"{name}/{number}", text


def _inflated(packed: bytes) -> bytes:
    """Unpack base64, deflated or plain; empty where it is none."""
    try:
        raw = base64.b64decode(packed)
    except binascii.Error:
        return b""
    try:
        return zlib.decompress(raw)
    except zlib.error:
        return raw


def holding(files: dict[str, bytes], words: str) -> list[str]:
    """Name the files that hold these words, as text or as Python keeps them in its memory."""
    forms = [words.encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-32-le")]
    return [name for name, content in files.items() if any(form in content for form in forms)]
