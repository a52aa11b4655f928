"""The programs that the ban is tried on: 339 ways round it, and 159 programs that may do what they do."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

Files = dict[str, bytes]


@cache
def programs(kind: str) -> dict[str, Files]:
    """Return every program of `bypass` or `innocent` by its id: path → content."""
    text = Path(__file__).with_name(f"{kind}.yaml").read_text("utf-8")
    return {name: _files(entry) for name, entry in yaml.load(text, yaml.CSafeLoader).items()}


def _files(entry: str | dict[str, str | bytes]) -> Files:
    files = entry if isinstance(entry, dict) else {"main.py": entry}
    return {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}


def lay_out(kind: str, folder: Path) -> None:
    """Write every program into a folder of its own."""
    for name, files in programs(kind).items():
        for path, content in files.items():
            file = folder / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
