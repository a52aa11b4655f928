"""The goals on the two corpora, static and at run time."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from ban_corpus import Files, lay_out, programs

from grader.model.assignment import PolicySpec
from grader.model.run import File
from grader.policy import watch
from grader.policy.scan import scan

BAN = PolicySpec(ban=("itertools", "copy"))
RUNNER = Path(__file__).parent / "watched.py"


@cache
def scanned(kind: str) -> dict[str, tuple[bool, bool]]:
    """Give for each program whether it has a certain finding, and a note."""
    found = {}
    for name, content in programs(kind).items():
        findings = scan(tuple(File(path=path, content=content[path]) for path in sorted(content)), BAN)
        found[name] = (any(f.breach for f in findings), any(not f.breach for f in findings))
    return found


def watched(kind: str, start: str, folder: Path) -> dict[str, list[str]]:
    """Run every program of a corpus with the watch armed; give what was reported, or how it failed."""
    lay_out(kind, folder)
    command = [sys.executable, "-B", str(RUNNER), start, watch.__file__, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"program"')]
    return {row["program"]: row["reports"] for row in rows}


def test_every_plain_way_is_found_by_reading() -> None:
    """Imports, importers with a name in the source, executed texts, re-exports: more than a third of all."""
    found = scanned("bypass")
    assert len(found) == 339
    assert sum(certain for certain, _ in found.values()) >= 0.36 * len(found)


def test_no_innocent_is_flagged_by_reading() -> None:
    """A program that may do what it does has no certain finding, and hardly a note."""
    found = scanned("innocent")
    assert len(found) == 159
    assert [name for name, (certain, _) in found.items() if certain] == []
    assert sum(note for _, note in found.values()) <= 0.07 * len(found)


def test_reading_and_running_together_find_nearly_all(tmp_path: Path) -> None:
    """At least 96 % of the bypasses are found by a certain finding or at run time; some need an older Python."""
    found = scanned("bypass")
    reported = watched("bypass", "warm", tmp_path)
    missed = [name for name, (certain, _) in found.items() if not certain and not reported.get(name)]
    missed = [name for name in missed if not is_compiled_for_another(programs("bypass")[name])]
    assert len(missed) <= 0.04 * len(found), missed


def is_compiled_for_another(files: Files) -> bool:
    """Tell whether a program's way lies in compiled code that this Python doesn't even look at."""
    return any(path.endswith(".pyc") and f".{sys.implementation.cache_tag}." not in path for path in files)


@pytest.mark.parametrize("start", ["warm", "fresh"])
def test_no_innocent_is_reported_at_run_time(start: str, tmp_path: Path) -> None:
    """The watch reports nothing of an innocent program, and breaks none, whether modules are warm or not."""
    reported = watched("innocent", start, tmp_path)
    assert len(reported) == 159
    assert {name: reports for name, reports in reported.items() if reports} == {}
