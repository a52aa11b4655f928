"""The tutorial works, word for word."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.md"
CASES = TUTORIAL.parents[1] / "cases"
_BLOCK = re.compile(
    r'^```(?P<language>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<body>.*?)^```$', re.MULTILINE | re.DOTALL
)


class Block(NamedTuple):
    language: str
    title: str | None
    body: str


def blocks(page: Path = TUTORIAL) -> list[Block]:
    return [Block(m["language"], m["title"], m["body"]) for m in _BLOCK.finditer(page.read_text())]


def follow(body: str, course: Path, *, seen: Callable[[str], str] = str.strip) -> None:
    """Type the command and compare what comes with the page; `…` stands for any lines."""
    first, *expected = body.splitlines()
    program, *arguments = first.removeprefix("$ ").replace("CASES", str(CASES)).split()
    environment = os.environ | {"COLUMNS": "80"}
    shown = subprocess.run(
        [sys.executable, "-m", program, *arguments],
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


def test_following_the_tutorial_gives_what_it_shows(tmp_path: Path) -> None:
    """Every file is written as printed, every command typed as printed, every output seen as printed."""
    kinds = {block.language for block in blocks()}
    assert kinds == {"console", "yaml", "python"}
    for block in blocks():
        if block.title:
            path = tmp_path / block.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.body)
        else:
            follow(block.body, tmp_path)
