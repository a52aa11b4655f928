"""Promises that all of this holds for an ordinary user too, not only for root."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.sandbox.supervisor import interpreter

NOBODY = "65534"
SUITES = ("attacks", "endings", "ordinary", "shortage", "tidy")
COVER = """
set -e
mount --bind "$1" /mnt
mount -t tmpfs -o mode=755 tmpfs "$2"
mkdir -p "$1"
mount --bind /mnt "$1"
umount /mnt
shift 2
exec setpriv --reuid $NOBODY --regid $NOBODY --clear-groups "$@"
"""
"""In a mount namespace of its own: covers the folder that others may not pass, and binds the prefix below it."""


def closed_folder(path: Path) -> Path | None:
    """Return the first folder on the way that other users may not pass."""
    return next((folder for folder in reversed(path.parents) if not folder.stat().st_mode & 0o001), None)


@pytest.mark.skipif(os.getuid() != 0, reason="runs as an ordinary user anyway")
@pytest.mark.skipif(not shutil.which("setpriv") or not shutil.which("unshare"), reason="needs setpriv and unshare")
@pytest.mark.parametrize("suite", SUITES)
def test_the_suites_hold_for_an_ordinary_user(suite: str, tmp_path: Path) -> None:
    """The same tests pass without any right of root's."""
    prefix = Path(interpreter.find().executable).parent.parent
    closed = closed_folder(prefix)
    tests = Path(__file__).parent / f"test_sandbox_{suite}.py"
    pytest_run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-x", str(tests)]
    drop = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", *pytest_run]
    command = ["unshare", "-m", "sh", "-c", COVER, "sh", str(prefix), str(closed), *pytest_run] if closed else drop
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/tmp",
        "PYTEST_DEBUG_TEMPROOT": "/tmp",  # where this user may make folders
        "NOBODY": NOBODY,
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
    }
    done = subprocess.run(
        command, cwd=Path(__file__).parent.parent.parent, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
