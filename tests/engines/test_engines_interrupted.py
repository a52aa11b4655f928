"""Promises of a grade that was interrupted: it goes on where it was."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

_ROOT = Path(__file__).parents[2]
_CLASS = _ROOT / "reference" / "solutions" / "lefthand" / "AC"
_PATIENCE_S = 120


def command(folder: Path) -> subprocess.Popen[bytes]:
    words = ["grade", str(_CLASS), "-a", "lefthand", "--cases", str(_ROOT / "cases"), "-j", "1", "--format", "json"]
    return subprocess.Popen(
        [sys.executable, "-m", "grader", *words, "-o", str(folder / "out")],
        env=os.environ | {"XDG_CACHE_HOME": str(folder)},
        stdout=subprocess.DEVNULL,
    )


def kept(folder: Path) -> set[int]:
    """Give the numbers of the stored records; a record that is run again gets a new one."""
    path = folder / "maze-grader" / "runs.sqlite"
    if not path.exists():
        return set()
    database = sqlite3.connect(path, timeout=_PATIENCE_S)
    try:
        return {number for (number,) in database.execute("select id from record")}
    except sqlite3.OperationalError:
        return set()
    finally:
        database.close()


@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_grade_goes_on_where_it_was(tmp_path: Path, blow: signal.Signals) -> None:
    """What was run before the blow isn't run again, and the results are whole."""
    process = command(tmp_path)
    until = time.monotonic() + _PATIENCE_S
    while len(kept(tmp_path)) < 10:
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.02)
    process.send_signal(blow)
    assert process.wait(_PATIENCE_S) != 0
    before = kept(tmp_path)
    assert command(tmp_path).wait(_PATIENCE_S) == 0
    results = msgspec.json.decode((tmp_path / "out" / "results.json").read_bytes())
    verdicts = {case["verdict"] for submission in results["submissions"] for case in submission["cases"]}
    assert len(results["submissions"]) == len(list(_CLASS.iterdir()))
    assert verdicts == {"AC"}
    assert before <= kept(tmp_path)
