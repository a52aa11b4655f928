"""Run git's plumbing on a repository that may be hostile."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from grader.errors import GraderError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TIMEOUT_S = 60.0
_OID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
# Nothing of the user's or the system's settings, no replaced objects, no fetching of what is missing, no prompt.
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}
_SETTINGS = ("core.hooksPath=/dev/null", "core.fsmonitor=false", "protocol.allow=never", "core.quotePath=true")
_EXPORTED = "git-daemon-export-ok"
_SHARED_WITH_ALL = {"all", "world", "everybody", "2"}


class Repository:
    """A git folder, bare or not, that is only ever read through plumbing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.folder = _git_folder(path)

    def command(self, *arguments: str) -> list[str]:
        settings = (*_SETTINGS, f"safe.directory={self.folder}", f"safe.directory={self.folder.parent}")
        options = [part for setting in settings for part in ("-c", setting)]
        return [find_git(), *options, f"--git-dir={self.folder}", *arguments]

    def ask(self, *arguments: str) -> str | None:
        """Return the answer without its line end, or None when git says no."""
        try:
            done = subprocess.run(  # noqa: S603 -- a fixed program, arguments are never options
                self.command(*arguments),
                capture_output=True,
                env=environment(),
                timeout=TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise GraderError(f"git took longer than {TIMEOUT_S:g} s on {self.path}.") from error
        except ValueError:  # a NUL in a name
            return None
        return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n") if done.returncode == 0 else None

    def is_private(self) -> bool:
        """Hold a repository for private unless git itself was told to show it to everybody."""
        shared = self.ask("config", "--local", "--get", "core.sharedRepository") or ""
        return not (self.folder / _EXPORTED).exists() and shared.lower() not in _SHARED_WITH_ALL

    @property
    def owner(self) -> str:
        """Return the repository's name, which is its owner's on a server that has one per student."""
        folder = self.folder.parent if self.folder.name == ".git" else self.folder
        return folder.name.removesuffix(".git")

    @contextmanager
    def open(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        """Run a command whose output is read piece by piece; it outlives neither the block nor its time."""
        with subprocess.Popen(  # noqa: S603 -- as above
            self.command(*arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
        ) as process:
            watchdog = threading.Timer(TIMEOUT_S, process.kill)
            watchdog.start()
            try:
                yield process
            finally:
                watchdog.cancel()
                process.kill()


def environment() -> dict[str, str]:
    """Return git's surroundings; of ours only the search path goes along."""
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.devnull, **_ENVIRONMENT}


def is_oid(text: str) -> bool:
    return _OID.fullmatch(text) is not None


def find_git() -> str:
    """Return where git is; raise UsageError where there is none."""
    found = shutil.which("git")
    if found is None:
        raise UsageError("git is not installed on this machine.", hint="Debian: apt-get install git")
    return found


def _git_folder(path: Path) -> Path:
    inside = path / ".git"
    try:
        if inside.is_file():  # a worktree's or submodule's pointer could name any folder
            text = inside.read_text(errors="replace")[:4096].strip()
            return _checked((path / text.removeprefix("gitdir:").strip()).resolve(), path)
        return _checked(inside if inside.is_dir() else path, path)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} can't be read: {error}") from error


def _checked(folder: Path, path: Path) -> Path:
    if not (folder / "HEAD").is_file():
        raise UsageError(f"{path} is no git repository.", hint="Give the folder of a clone, or a bare repository.")
    return folder.resolve()
