"""Digests source by its content: our own, and a package's."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PACKAGE = Path(__file__).resolve().parent
_TEMPLATES = (_PACKAGE / "bundled" / "templates", _PACKAGE.parent / "templates")
_LITTER = frozenset({".git", "__pycache__", "bundled"})
"""What isn't source; the data of an installed grader is digested where it is used."""
_MOST_FILES = 20_000


def digest(roots: Iterable[str | Path]) -> bytes:
    """Return the digest of all files of these folders and of these files, wherever they lie."""
    from hashlib import blake2b  # noqa: PLC0415 - it loads OpenSSL, and a `check` digests nothing

    state = blake2b(digest_size=20)
    for root in map(Path, roots):
        for path in _files(root):
            content = path.read_bytes()
            state.update(b"%s %d " % (os.fsencode(path.relative_to(root.parent)), len(content)) + content)
    return state.digest()


@cache
def own() -> bytes:
    """Return the digest of the harness and its templates, as they are when first asked for."""
    return own_now()


def own_now() -> bytes:
    return digest((_PACKAGE, *filter(Path.is_dir, _TEMPLATES)))


def package_of(name: str) -> tuple[str, ...]:
    """Return the folders of the topmost package that a module is in; of a module in none, the modules beside it."""
    spec = find_spec(name.partition(".")[0])
    if spec is None or not (spec.submodule_search_locations or spec.has_location):
        raise LookupError(f"there is no source of {name}")
    if spec.submodule_search_locations:
        return tuple(map(os.path.realpath, spec.submodule_search_locations))
    return tuple(sorted(map(str, Path(spec.origin or "").resolve().parent.glob("*.py"))))


def _files(root: Path) -> Iterator[Path]:
    """List the files of a folder in a fixed order; of a file itself."""
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted({*folders} - _LITTER)
        count += len(names)
        if count > _MOST_FILES:
            raise LookupError(f"{root} has too many files to read them all")
        yield from (Path(folder, name) for name in sorted(names) if not name.endswith(".pyc"))
    if root.is_file():
        yield root
