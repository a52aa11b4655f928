"""Makes the private folder in which one sandbox lives.

grader-XXXXXXXX/          only as long as the sandbox is open
├── python/               a virtual environment without packages: it hides the grader's own; gone once started
│   ├── pyvenv.cfg
│   └── bin/python3       link to the real interpreter
└── box/                  emptied after each case
    ├── student/          the working directory
    └── tmp/              for tempfile
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.sandbox.interpreter import Interpreter


class Home:
    """One sandbox's private folder."""

    def __init__(self, interpreter: Interpreter, *, owner: int | None) -> None:
        self.folder = Path(os.path.realpath(tempfile.mkdtemp(prefix="grader-")))
        self.python = self.folder / "python"
        self.box = self.folder / "box"
        self.work = str(self.box / "student")
        self.temporary = str(self.box / "tmp")
        self.folder.chmod(0o711)
        self.box.mkdir(mode=0o700)
        if owner is not None:
            os.chown(self.box, owner, owner)
        self._make_python(interpreter)

    def _make_python(self, interpreter: Interpreter) -> None:
        (self.python / "bin").mkdir(parents=True)
        (self.python / "bin" / "python3").symlink_to(interpreter.executable)
        settings = f"home = {Path(interpreter.executable).parent}\ninclude-system-site-packages = false\n"
        (self.python / "pyvenv.cfg").write_text(settings, encoding="utf-8")

    @property
    def executable(self) -> str:
        return str(self.python / "bin" / "python3")

    def forget_python(self) -> None:
        """Remove what only the start needs."""
        shutil.rmtree(self.python, ignore_errors=True)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
