"""Reads folders that are packed, and proves that what was packed works by itself."""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import zipfile
from typing import TYPE_CHECKING

from grader.catalogue.kits import KitError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LEFT_OUT = frozenset({"__pycache__", "solutions", "tests"})
_PROOF_S = 120


def tree(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Read all files below a folder, but those that only its authors need."""
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if path.is_file() and not _LEFT_OUT.intersection(relative.parts):
            yield relative.as_posix(), path.read_bytes()


def run_alone(content: bytes, *words: str, what: str) -> None:
    """Unpack a zip and run a bare Python beside it; raise KitError for what would fail elsewhere."""
    with tempfile.TemporaryDirectory(prefix="grader-proof-") as folder:
        zipfile.ZipFile(io.BytesIO(content)).extractall(folder)
        command = [sys.executable, "-I", *words]
        done = subprocess.run(  # noqa: S603 - our own program
            command, cwd=folder, capture_output=True, text=True, errors="replace", check=False, timeout=_PROOF_S
        )
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        raise KitError(
            f"{what} by itself: {said[-1] if said else done.returncode}",
            hint="it has the modules that its kits and judges import, and the data files that their sources name",
        )
