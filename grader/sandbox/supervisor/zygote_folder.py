"""Makes the private folder in which one sandbox lives.

grader-box-XXXXXXXX/      only as long as the sandbox is open
├── python/               a virtual environment without packages: it hides the grader's own; gone once started
│   ├── pyvenv.cfg
│   ├── boot.py           starts the zygote
│   └── bin/python3       link to the real interpreter
└── box/                  emptied after each case; in a container it is /home/student, a tmpfs per case
    ├── work/             the working directory
    └── tmp/              for tempfile
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from grader.sandbox.inside.wall import sweep
from grader.sandbox.protocol import payload

if TYPE_CHECKING:
    from grader.sandbox.supervisor.interpreter import Interpreter


PREFIX = "grader-box-"
BOOT = "import sys; sys.path[0] = sys.argv[1]; import inside.loop.zygote as zygote; zygote.main()\n"
"""A script, for newer Pythons keep the text of `python3 -c` for tracebacks; a file, for we may lie in a zip."""


class ZygoteFolder:
    """One sandbox's private folder."""

    def __init__(self, interpreter: Interpreter, *, owner: int | None, container: bool) -> None:
        self._scratch = Scratch()
        self.folder = self._scratch.path
        try:
            self._furnish(interpreter, owner=owner, container=container)
        except OSError:
            self.remove()
            raise

    def _furnish(self, interpreter: Interpreter, *, owner: int | None, container: bool) -> None:
        self.folder.chmod(0o711)
        self.container = container
        self.python = self.folder / "python"
        self.box = Path("/home/student") if container else self.folder / "box"
        self.work = str(self.box / "work")
        self.temporary = str(self.box / "tmp")
        if not container:
            self.box.mkdir(mode=0o700)
        if owner is not None and not container:
            os.chown(self.box, owner, owner)
        self.executable = str(self.python / "bin" / "python3")
        self.boot = str(self.python / "boot.py")
        (self.python / "bin").mkdir(parents=True)
        Path(self.executable).symlink_to(interpreter.executable)
        settings = f"home = {Path(interpreter.executable).parent}\ninclude-system-site-packages = false\n"
        (self.python / "pyvenv.cfg").write_text(settings, encoding="utf-8")
        Path(self.boot).write_text(BOOT, encoding="utf-8")

    def add_packages(self, paths: tuple[Path, ...]) -> list[str]:
        """Gather the allowed packages in one folder for the search path; in a container they are bound there."""
        if not paths:
            return []
        if self.container:
            return ["/packages"]
        folder = self.folder / "packages"
        folder.mkdir()
        for path in paths:
            (folder / path.name).symlink_to(path)
        return [str(folder)]

    def environment(self) -> dict[str, str]:
        """Return the whole environment of a student's program, the same on every machine."""
        own = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.box), "TMPDIR": self.temporary}
        return own | payload.ENVIRONMENT

    def remove(self) -> None:
        self._scratch.remove()


class Scratch:
    """A folder in the system's place for such, ours alone until `remove`.

    Whoever made a folder holds a lock on it. One of our own user's that nobody holds is a leftover of a killed run.
    """

    def __init__(self) -> None:
        _remove_leftovers(tempfile.gettempdir())
        self._lock: int | None = None
        while self._lock is None:  # another run may have taken it for a leftover before it was locked
            self.path = Path(os.path.realpath(tempfile.mkdtemp(prefix=PREFIX)))
            try:
                self._lock = _locked(self.path)
            except OSError:
                self.path.rmdir()
                raise

    def remove(self) -> None:
        """Remove it; what can't be removed is left to the next run."""
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)  # first, for where there are too few descriptors the removal needs this one
        with contextlib.suppress(OSError):
            sweep.remove(str(self.path))


def _locked(path: Path) -> int | None:
    """Return a descriptor that holds the lock on a folder of ours; None when another holds it, or it is gone."""
    try:
        folder = os.open(path, sweep.FOLDER)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None
    with contextlib.suppress(BlockingIOError, FileNotFoundError):
        if os.fstat(folder).st_uid == os.getuid():
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(folder), path.lstat()):
                return folder
    os.close(folder)
    return None


@cache
def _remove_leftovers(place: str) -> None:
    """Once per process: remove the folders that nobody holds."""
    for path in Path(place).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            lock = _locked(path)
            if lock is not None:
                os.close(lock)
                sweep.remove(str(path))
