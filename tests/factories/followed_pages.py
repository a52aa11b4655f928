"""Pages of docs/ that are followed word for word: their files written, their commands typed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

DOCS = Path(__file__).parents[2] / "docs"
CASES = DOCS.parent / "cases"
_BLOCK = re.compile(
    r'^```(?P<language>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<body>.*?)^```$', re.MULTILINE | re.DOTALL
)


class Block(NamedTuple):
    language: str
    title: str | None
    body: str


def blocks(page: Path) -> list[Block]:
    return [Block(m["language"], m["title"], m["body"]) for m in _BLOCK.finditer(page.read_text())]


def follow(
    body: str, course: Path, *, seen: Callable[[str], str] = str.strip, python: str | Path = sys.executable
) -> None:
    """Type the command and compare what comes with the page; `…` stands for any lines."""
    first, *expected = body.splitlines()
    program, *arguments = first.removeprefix("$ ").replace("CASES", str(CASES)).split()
    environment = os.environ | {"COLUMNS": "80"}
    shown = subprocess.run(
        [str(python), "-m", program, *arguments],
        cwd=course,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=120,
    )
    output = (shown.stdout + shown.stderr).splitlines()
    at = 0
    skip = False
    for line in expected:
        if line == "…":
            skip = True
            continue
        found = next((i for i in range(at, len(output)) if seen(line) in seen(output[i])), None)
        assert found is not None, f"{first}\nmissing: {line}\nin:\n" + "\n".join(output)
        assert skip or found == at, f"{first}\nunexpected before {line!r}: {output[at]!r}"
        at, skip = found + 1, False


def follow_page(page: Path, course: Path, *, python: str | Path = sys.executable) -> None:
    """Write every file as printed, type every command as printed, see every output as printed."""
    for block in blocks(page):
        if block.title:
            path = course / block.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.body)
        else:
            follow(block.body, course, python=python)
