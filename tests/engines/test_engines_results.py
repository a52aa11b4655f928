"""Promise that results don't depend on the engine, from the command line's end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
from programs import program

from grader.pipeline.speed import SLOW

_ROOT = Path(__file__).parents[2]
_CLASS = [f"lefthand/{name}" for name in ("AC/functions", "WA/right_hand", "RTE/crashes")]
_TIMES = frozenset({"cpu_s", "wall_s", "peak_mib"})


def graded(folder: Path, engine: str) -> Any:
    words = [
        "grade",
        *map(str, map(program, _CLASS)),
        "-a",
        "lefthand",
        "--cases",
        str(_ROOT / "cases"),
        "--only",
        "[a-o]*",
    ]
    options = ["--format", "json", "-j", "2", "--engine", engine, "-o", str(folder / engine)]
    subprocess.run(
        [sys.executable, "-m", "grader", *words, *options],
        env=os.environ | {"XDG_CACHE_HOME": str(folder / f"{engine} cache")},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return msgspec.json.decode((folder / engine / "results.json").read_bytes())


def timeless(value: Any) -> Any:
    """Give the results without what differs from run to run: times, and how quick the machine was found."""
    if isinstance(value, dict):
        return {key: timeless(part) for key, part in value.items() if key not in _TIMES}
    return [timeless(part) for part in value if not _is_of_speed(part)] if isinstance(value, list) else value


def _is_of_speed(part: Any) -> bool:
    return isinstance(part, dict) and part.get("kind") == SLOW


def test_results_do_not_depend_on_the_engine(tmp_path: Path) -> None:
    """`results.json` of dask and of the local engine are the same, byte for byte, but for the times."""
    here, there = (msgspec.json.encode(timeless(graded(tmp_path, engine))) for engine in ("local", "dask"))
    assert here == there
    assert all(verdict in here for verdict in (b'"AC"', b'"WA"', b'"RTE"'))
