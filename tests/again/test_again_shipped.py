"""Promises for the shipped assignments: none of their kits keeps a second grade from being answered at once."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from again_course import NOTE, ROOT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", ["lefthand", "alice-csv", "alice-grid", "alice-263", "runner"])
def test_a_second_grade_is_answered(name: str, tmp_path: Path) -> None:
    """The source of every kit is vouched for, whatever it loads while it judges; right and wrong are known again."""
    solutions = ROOT / "reference" / "solutions" / name
    some = [str(next((solutions / verdict).iterdir())) for verdict in ("AC", "WA")]
    words = ["grade", *some, "-a", name, "--cases", str(ROOT / "cases"), "-o", str(tmp_path / "out")]
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    first, second = (
        subprocess.run(
            [sys.executable, "-m", "grader", *words], env=environment, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    )
    assert second == f"{first}{NOTE}\n"
