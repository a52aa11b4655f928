"""Gives up root's rights for a user of the case's own."""

from __future__ import annotations

import os
import sys
from typing import Any

if sys.platform == "linux":
    from . import linux


def change(ids: dict[str, Any] | None) -> None:
    """Become the case's user. Where others may not read the interpreter, keep the right to read, and only that."""
    if ids is None:
        return
    keep = ids["keep_reading"] and sys.platform == "linux"
    if keep:
        linux.prctl(linux.PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(ids["id"], ids["id"], ids["id"])
    os.setresuid(ids["id"], ids["id"], ids["id"])
    if keep:
        linux.set_capabilities(linux.CAP_DAC_READ_SEARCH)
