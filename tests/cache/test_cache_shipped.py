"""Promises for kits that people have: a second grade of what they judge runs nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["lefthand", "runner"])
def test_a_shipped_assignment_is_known(name: str, tmp_path: Path) -> None:
    """Programs and agents: what was judged is known again, times and all."""
    solution = next((ROOT / "reference" / "solutions" / name / "AC").iterdir())
    command = [sys.executable, "-m", "grader", "grade", str(solution), "-a", name, "--cases", str(ROOT / "cases")]
    found = []
    for _ in range(2):
        environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
        subprocess.run([*command, "--format", "json", "-o", str(tmp_path / "out")], env=environment, check=True)
        found.append((tmp_path / "out" / "results.json").read_bytes())
    assert found[0] == found[1]
