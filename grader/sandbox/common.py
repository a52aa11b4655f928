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
    "csv",
    "typing",
    "types",
    "dataclasses",
    "enum",
    "contextlib",
    "datetime",
    "argparse",
    "pathlib",
    "tempfile",
    "threading",
    "traceback",
    "pprint",
)
"""Kept warm in every zygote: together they take it to about 16 MB, which each case's fork has to map."""
