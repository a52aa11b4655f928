"""Replaces a file in one step, so that no half file is ever seen."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def replacing(path: Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """Open a new file that takes the path's place when all went well, with the old one's rights or private."""
    target = path.resolve()
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    fresh = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
        if private:
            fresh.chmod(0o600)
        elif target.exists():
            shutil.copymode(target, fresh)
        else:
            fresh.chmod(0o644)
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)
