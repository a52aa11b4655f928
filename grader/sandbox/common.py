"""Names the modules that students' programs import most."""

from __future__ import annotations

COMMON = (
    "collections",
    "itertools",
    "functools",
    "operator",
    "heapq",
    "bisect",
    "queue",
    "math",
    "random",
    "statistics",
    "fractions",
    "decimal",
    "copy",
    "re",
    "string",
    "textwrap",
    "json",
    "typing",
    "types",
    "dataclasses",
    "enum",
    "contextlib",
    "datetime",
    "argparse",
    "threading",
    "traceback",
)
"""Kept warm in every zygote. Each megabyte more costs a case about a tenth of a millisecond at its fork and its end,
so heavy and seldom ones, such as pathlib and tempfile, are left to be imported."""
