"""The wheel, built once for all tests, and the Python of the environment that it is installed in."""

from __future__ import annotations

import fcntl
import os
import sys
from typing import TYPE_CHECKING

import pytest
from released import ROOT, install, run, wheel_in

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build as `make dist` does: the sdist, and the wheel from it; once, however many workers test."""
    base = tmp_path_factory.getbasetemp()
    home = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "release"
    home.mkdir(exist_ok=True)
    out = home / "dist"
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (home / "environment" / "ready").exists():
            run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, ROOT, cwd=home)
            install(wheel_in(out), home / "environment")
            (home / "environment" / "ready").touch()
    return out


@pytest.fixture(scope="session")
def python(dist: Path) -> Path:
    return dist.parent / "environment" / "bin" / "python"
