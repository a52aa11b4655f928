"""Makes a Python module of a Jupyter notebook: its code cells, one after the other, without magics.

Each cell begins with a comment that has its number, so that whoever reads a line can say in which cell it is.
"""

from __future__ import annotations

import ast
import json
import re
from typing import Any, NamedTuple

from grader.intake.offered import UnreadableError
from grader.model.submission import heading

ENDING = ".ipynb"
_MAGIC = re.compile(r"^(\s*)([%!].*|[\w.]+\?{1,2}\s*)$")
"""A line for the notebook's own machinery: `%matplotlib inline`, `!pip install x`, `len?`."""
_BROKEN = (SyntaxError, ValueError, RecursionError, MemoryError)


class Module(NamedTuple):
    """The code of a notebook, and what of it is no Python."""

    source: bytes
    dropped: list[str]
    """Magics, each with the cell in which it stood."""


def module_of(content: bytes) -> Module:
    """Return the code cells as one module; UnreadableError when there is no notebook."""
    try:
        notebook = json.loads(content)
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        texts = [_text(cell["source"]) for cell in cells]
    except (*_BROKEN, KeyError, TypeError) as error:
        raise UnreadableError("is no notebook that can be read; save it again as a Python file") from error
    lines: list[str] = []
    dropped: list[str] = []
    for number, text in enumerate(texts, 1):
        kept, magics = _without_magics(text)
        lines += [heading(number), *kept]
        dropped += [f"{magic} (cell {number})" for magic in magics]
    return Module("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"), dropped)


def _text(source: Any) -> str:
    if isinstance(source, str):
        return source
    return "".join(line for line in source if isinstance(line, str))


def _without_magics(text: str) -> tuple[list[str], list[str]]:
    """Return a cell's lines, and the magics in it; Python that happens to begin a line like one is left alone."""
    lines = text.splitlines()
    if text.lstrip().startswith("%%"):
        return [f"# {line}" for line in lines], [text.lstrip().splitlines()[0]]
    if _is_python(text):
        return lines, []
    found = [_MAGIC.match(line) for line in lines]
    kept = [f"{match[1]}pass  # {match[2]}" if match else line for match, line in zip(found, lines, strict=True)]
    return kept, [match[2].strip() for match in found if match]


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except _BROKEN:
        return False
    return True
