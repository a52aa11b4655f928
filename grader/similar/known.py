"""Gathers the code that everybody has: starter, reference, what the course showed."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from grader.bundled import bundled
from grader.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.assignment import Assignment

_PYTHON_BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def known_code(assignment: Assignment, shown: Iterable[Path] = ()) -> tuple[str, ...]:
    """Return the texts that make nobody alike: starter, kit, what `grader new` writes, and what the course showed."""
    return tuple(text for path in (*_own(assignment), *_files(shown)) for text in _code(path))


def _own(assignment: Assignment) -> Iterator[Path]:
    if assignment.folder is not None and assignment.starter:
        yield assignment.folder / assignment.starter
    for name in sorted({kind.kit for kind in assignment.kinds.values()}):
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            yield from sorted(Path(spec.origin).parent.glob("*.py"))
    yield from sorted(bundled("templates", "new").glob("*.py.txt"))


def _files(shown: Iterable[Path]) -> Iterator[Path]:
    for path in shown:
        if not path.exists():
            raise UsageError(f"there is no {path}", hint="--exclude names a file or folder that students were shown")
        yield from sorted([*path.rglob("*.py"), *path.rglob("*.md")]) if path.is_dir() else (path,)


def _code(path: Path) -> Iterator[str]:
    """Return a file's code; of a page in Markdown its Python blocks."""
    try:
        text = path.read_text("utf-8", errors="replace")
    except OSError:
        return
    if path.suffix == ".md":
        yield from (block[1] for block in _PYTHON_BLOCK.finditer(text))
    else:
        yield text
