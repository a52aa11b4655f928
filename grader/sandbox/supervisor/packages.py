"""Finds the files of the third-party packages that an assignment allows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import SandboxError

if TYPE_CHECKING:
    from importlib.metadata import Distribution

_NAME = re.compile(r"[A-Za-z0-9._-]+")


def find(names: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the folders and files that make up these packages and all they need."""
    found: dict[str, tuple[Path, ...]] = {}
    pending = list(names)
    while pending:
        name = _plain(pending.pop())
        if name not in found:
            distribution = _distribution(name, required=name in {_plain(asked) for asked in names})
            found[name] = _tops(distribution) if distribution else ()
            pending += _needs(distribution) if distribution else []
    return tuple(sorted({path for paths in found.values() for path in paths}))


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def _distribution(name: str, *, required: bool) -> Distribution | None:
    from importlib import metadata  # noqa: PLC0415 - slow to import, and most assignments allow no package

    try:
        return metadata.distribution(name)
    except metadata.PackageNotFoundError:
        if not required:  # needed on another system or Python only
            return None
        message = f"The package {name}, which the assignment allows, isn't installed beside the grader."
        raise SandboxError(message, hint=f"pip install {name}") from None


def _tops(distribution: Distribution) -> tuple[Path, ...]:
    """Return the uppermost folders and files, such as numpy and numpy.libs; scripts elsewhere are left out."""
    tops = {file.parts[0] for file in distribution.files or () if file.parts[0] not in {"..", "__pycache__"}}
    return tuple(Path(str(distribution.locate_file(top))).resolve() for top in tops if not top.endswith(".pth"))


def _needs(distribution: Distribution) -> list[str]:
    needed = [text for text in distribution.requires or () if "extra ==" not in text]
    return [match[0] for text in needed if (match := _NAME.match(text))]
