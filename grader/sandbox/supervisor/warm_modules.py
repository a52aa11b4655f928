"""Names the modules that students' programs import most, and tells which of them one needs.

Kept warm in a zygote. Each megabyte more costs every case about a fifth of a millisecond at its fork and its end, so
the heavier half is loaded only for programs that import some of it, and what is heavy and seldom, such as pathlib and
tempfile, is left to be imported.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.model.run import File

LIGHT = tuple(
    """
collections itertools functools operator heapq bisect math random copy re string typing types enum contextlib
traceback
""".split()  # noqa: SIM905 -- as in the filter: quoted words read worse
)
HEAVY = tuple("argparse dataclasses datetime decimal fractions json queue statistics textwrap threading".split())  # noqa: SIM905

_IMPORTS_HEAVY = re.compile(rf"^[ \t]*(?:from|import)\b[^\n#]*\b(?:{'|'.join(HEAVY)})\b".encode(), re.MULTILINE)


def wanted(files: Iterable[File]) -> tuple[str, ...]:
    """Name the modules to keep warm for a program of these files; a wrong guess costs time and nothing else."""
    is_heavy = any(file.path.endswith(".py") and _imports_heavy(file.content) for file in files)
    return LIGHT + HEAVY if is_heavy else LIGHT


@lru_cache(maxsize=64)  # twice a window of submissions: it holds their sources
def _imports_heavy(source: bytes) -> bool:
    return _IMPORTS_HEAVY.search(source) is not None
