"""Row 9: the policy scan on the standard library's tree, beside the parse alone."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

from bench.row import Row, at_most
from grader.model.assignment import PolicySpec
from grader.model.run import File
from grader.policy.scan import scan
from grader.policy.source import LARGEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_POLICY = PolicySpec(ban=("itertools", "copy"))


def measure(*, quick: bool) -> Iterator[Row]:
    files = _library()[:: 20 if quick else 2]
    _total(lambda file: scan((file,), _POLICY), files)  # reads the table of re-exports, once per Python installation
    parse_s, scan_s = _total(_parse, files), _total(lambda file: scan((file,), _POLICY), files)
    yield Row(
        number="9",
        what="policy scan: times the bare parse of the same files",
        instead="ast.parse(file)",
        score=at_most(scan_s / parse_s, 6),
        detail=f"{len(files)} files: {len(files) / scan_s:.0f}/s, parse alone {len(files) / parse_s:.0f}/s",
    )


def _library() -> tuple[File, ...]:
    root = Path(sysconfig.get_paths()["stdlib"])
    paths = [path for path in sorted(root.rglob("*.py")) if "site-packages" not in path.parts]
    files = [File(path=path.name, content=path.read_bytes()) for path in paths]
    return tuple(file for file in files if len(file.content) <= LARGEST)


def _parse(file: File) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(file.content)
        except (SyntaxError, ValueError):
            return  # the library keeps some broken files for its tests


def _total(work: Callable[[File], object], files: tuple[File, ...]) -> float:
    begun = process_time()
    for file in files:
        work(file)
    return process_time() - begun
