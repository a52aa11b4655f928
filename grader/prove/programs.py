"""Writes out the programs that a course knows: the right ones, and each known mistake.

<folder>/AC/<name>/…              right, copied from solutions/<assignment>/
<folder>/<verdict>/<name>/…       one known mistake each, made from mistakes.yaml
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from grader.catalogue.mistakes import load_mistakes, solutions_of
from grader.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.catalogue.mistakes import Mistake
    from grader.model.assignment import Assignment


@contextmanager
def known_programs(assignment: Assignment, solutions: Path | None = None) -> Iterator[Path]:
    """Yield a folder with all programs of an assignment; `solutions` names a tree that has them all instead."""
    if solutions is not None:
        yield solutions / assignment.name
        return
    with tempfile.TemporaryDirectory(prefix="grader-programs-") as scratch:
        folder = Path(scratch) / assignment.name
        write_programs(assignment, folder)
        yield folder


def write_programs(assignment: Assignment, folder: Path) -> None:
    """Write all programs of an assignment below a folder that doesn't exist yet."""
    tree, mistakes = solutions_of(assignment), load_mistakes(assignment)
    if tree and tree.is_dir():
        shutil.copytree(tree, folder, ignore=shutil.ignore_patterns("__pycache__"))
    elif not mistakes:
        raise UsageError(f"{assignment.name} has no known programs", hint="name their folder: --solutions DIR")
    for mistake in mistakes:
        write_mistake(mistake, folder / mistake.label)


def write_mistake(mistake: Mistake, folder: Path) -> None:
    """Write one program with its mistake."""
    for file in mistake.files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
