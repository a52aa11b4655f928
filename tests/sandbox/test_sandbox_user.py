"""Promises that all of this holds for an ordinary user too, not only for root."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import offers
import pytest

from grader.sandbox.supervisor import interpreter

NOBODY = "65534"
SUITES = ("attacks", "endings", "ordinary", "shortage", "tidy")
ROOT = Path(__file__).parents[2]
STAGES = ("/mnt", "/media", "/srv", "/opt")


def closed_folder(path: Path) -> Path | None:
    """Return the first folder on the way that other users may not enter."""
    return next((folder for folder in reversed([path, *path.parents]) if not folder.stat().st_mode & 0o001), None)


def reachable(path: Path) -> list[Path]:
    """Return what to mount so that others reach what is below a folder: itself, or its entries where it is closed."""
    return [path] if path.stat().st_mode & 0o001 else sorted(path.iterdir())


def opening(folders: list[Path]) -> list[str]:
    """Return shell commands that let everybody enter folders, for a mount namespace; none where everybody may."""
    closed = {folder: top for folder in folders if (top := closed_folder(folder))}
    if not closed:
        return []
    stage = next(
        place for place in map(Path, STAGES) if place.is_dir() and not any(place in f.parents for f in folders)
    )
    paths = [path for folder in closed for path in reachable(folder)]
    places = [(shlex.quote(str(path)), f"{stage}/{number}", path.is_dir()) for number, path in enumerate(paths)]
    bind = "{} {to} && mount --rbind {at} {to}"
    return [
        f"mount -t tmpfs -o mode=755 tmpfs {stage}",
        *(bind.format("mkdir -p" if is_dir else "touch", at=path, to=kept) for path, kept, is_dir in places),
        *(f"mount -t tmpfs -o mode=755 tmpfs {shlex.quote(str(top))}" for top in sorted(set(closed.values()))),
        *(f"mkdir -p $(dirname {path}) && " + bind.format("mkdir -p" if is_dir else "touch", at=kept, to=path)
          for path, kept, is_dir in places),
    ]  # fmt: skip


def outermost(folders: set[Path]) -> list[Path]:
    return sorted(folder for folder in folders if not any(other in folder.parents for other in folders))


@pytest.mark.skipif(os.getuid() != 0, reason="runs as an ordinary user anyway")
@pytest.mark.parametrize("suite", SUITES)
def test_the_suites_hold_for_an_ordinary_user(suite: str) -> None:
    """The same tests pass without any right of root's, wherever the repository and Python lie."""
    needed = outermost({ROOT, Path(sys.prefix), Path(interpreter.find().executable).resolve().parent.parent})
    commands = opening(needed)
    if commands:
        offers.require("mounts")
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="grader-nobody-") as home:
        os.chown(home, int(NOBODY), int(NOBODY))
        tests = str(ROOT / "tests" / "sandbox" / f"test_sandbox_{suite}.py")
        drop = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]
        run = [*drop, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-x", tests]
        script = "\n".join(["set -e", *commands, f"cd {shlex.quote(str(ROOT))}", f"exec {shlex.join(run)}"])
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": home,
            "TMPDIR": home,
            "PYTHONDONTWRITEBYTECODE": "1",
            "LANG": "C.UTF-8",
            "GRADER_TEST_ALL": "isolated,confined" if offers.MUST else "",
        }
        namespace = ["unshare", "--mount"] if commands else []
        done = subprocess.run(
            [*namespace, "sh", "-c", script], env=environment, cwd="/", capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
