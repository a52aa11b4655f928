"""Writes zips whose bytes depend on their content alone."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""Every file gets the same date, so that the same course packs to the same bytes."""


def zip_files(files: Mapping[str, bytes], *, programs: Collection[str] = ()) -> bytes:
    """Zip files by name; `programs` may be executed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.external_attr = (0o755 if name in programs else 0o644) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
