"""Installs the wheel where the repository can't be seen, and runs commands there."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
_CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST", "GRADER_"))}


def run(*command: str | Path, cwd: Path, status: int = 0) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=_CLEAN | {"SOURCE_DATE_EPOCH": "1700000000", "NO_COLOR": "1", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def wheel_in(dist: Path) -> Path:
    (wheel,) = dist.glob("*.whl")
    return wheel


def install(wheel: Path, home: Path) -> None:
    """Install the wheel into an empty environment that sees our dependencies, but not the repository."""
    run(sys.executable, "-m", "venv", "--without-pip", home, cwd=wheel.parent)
    packages = next((home / "lib").glob("python*/site-packages"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    # A folder named in a .pth file is searched, but its own .pth files, such as our editable install's, are not read.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
