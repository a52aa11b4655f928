"""Row 9: the policy scan on the standard library's files and on students', beside the parse alone."""

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
    from collections.abc import Callable, Iterable, Iterator

_BAN = PolicySpec(ban=("itertools", "copy"))
_HOME = Path(__file__).parents[1]


def measure(*, quick: bool) -> Iterator[Row]:
    yield _row("9", "the standard library's files", _library()[:: 20 if quick else 2], _BAN)
    yield _row("9s", "students' files", _students(), _BAN)
    yield _row("9e", "students' files, nothing banned", _students(), PolicySpec())


def _row(number: str, what: str, files: tuple[File, ...], policy: PolicySpec) -> Row:
    _total(lambda file: scan((file,), policy), files)  # reads the library's tables, once in a process
    parse_s, scan_s = _total(_parse, files), _total(lambda file: scan((file,), policy), files)
    return Row(
        number=number,
        what=f"policy scan of {what}: times the bare parse",
        instead="ast.parse(file)",
        score=at_most(scan_s / parse_s, 6 if policy.ban else 1.5),
        detail=f"{len(files)} files: {len(files) / scan_s:.0f}/s, parse alone {len(files) / parse_s:.0f}/s",
    )


def _library() -> tuple[File, ...]:
    root = Path(sysconfig.get_paths()["stdlib"])
    return _read(path for path in sorted(root.rglob("*.py")) if "site-packages" not in path.parts)


def _students() -> tuple[File, ...]:
    folders = (_HOME / "reference" / "solutions", _HOME / "tests" / "policy" / "corpus" / "innocent")
    return _read(path for folder in folders for path in sorted(folder.rglob("*.py")))


def _read(paths: Iterable[Path]) -> tuple[File, ...]:
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
