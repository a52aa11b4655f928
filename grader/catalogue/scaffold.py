"""Lays out a new assignment in which everything works at once.

DIR/
├── cases/NAME/assignment.yaml, basics.yaml     the questions
├── kits/NAME.py                                the kit: parse, solve, check, …
└── solutions/NAME/AC/right, WA/…            solutions that prove the cases
"""

from __future__ import annotations

import re
from pathlib import Path

from grader.errors import UsageError

_PACKAGE = Path(__file__).resolve().parent.parent
_NAME = re.compile("[a-z][a-z0-9_]{0,39}")
_FILES = {
    "assignment.yaml": "cases/NAME/assignment.yaml",
    "cases.yaml": "cases/NAME/basics.yaml",
    "kit.py.txt": "kits/NAME.py",
    "right.py.txt": "solutions/NAME/AC/right/NAME.py",
    "wrong.py.txt": "solutions/NAME/WA/unsorted/NAME.py",
    "lonely.py.txt": "solutions/NAME/WA/lonely/NAME.py",
}


def scaffold(folder: Path, name: str) -> tuple[Path, ...]:
    """Write the files of a new assignment; none of them may exist yet."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} can't be an assignment's name", hint="use lower-case letters, digits and _")
    targets = {source: folder / target.replace("NAME", name) for source, target in _FILES.items()}
    taken = [path for path in targets.values() if path.exists()]
    if taken:
        raise UsageError(f"{taken[0]} exists already", hint="take another name or another --dir")
    texts = {source: (_templates() / source).read_text("utf-8").replace("NAME", name) for source in targets}
    for source, path in targets.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts[source])
    for schema in ("assignment.schema.json", "case.schema.json"):
        place = folder / "cases" / schema
        if not place.exists():
            place.write_text((_catalogue() / schema).read_text("utf-8"))
    return tuple(targets.values())


def _templates() -> Path:
    bundled = _PACKAGE / "bundled" / "templates" / "new"
    return bundled if bundled.is_dir() else _PACKAGE.parent / "templates" / "new"


def _catalogue() -> Path:
    bundled = _PACKAGE / "bundled" / "cases"
    return bundled if bundled.is_dir() else _PACKAGE.parent / "cases"
