"""Write the hook that grades pushed tags into a bare repository."""

from __future__ import annotations

import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import msgspec

from grader.errors import UsageError
from grader.forge.git import environment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from grader.forge.git import Repository

_MARK = "# Put here by `grader hook install`; the same command changes it."
_TAGS = "refs/tags/"


class Update(msgspec.Struct, frozen=True, kw_only=True):
    """One line that git gives a post-receive hook."""

    old: str
    new: str
    ref: str

    @property
    def tag(self) -> str:
        """Give the tag's name; empty for a branch."""
        return self.ref.removeprefix(_TAGS) if self.ref.startswith(_TAGS) else ""

    @property
    def is_deletion(self) -> bool:
        return not self.new.strip("0")


def read_updates(lines: Iterable[bytes]) -> Iterator[Update]:
    for line in lines:
        old, new, ref = line.rstrip(b"\n").decode("utf-8", "backslashreplace").split(" ", 2)
        yield Update(old=old, new=new, ref=ref)


def install(repository: Repository, arguments: Sequence[str]) -> Path:
    """Write `hooks/post-receive`, and let the server note the time of every push; a foreign hook is left alone."""
    path = repository.folder / "hooks" / "post-receive"
    if path.exists() and _MARK not in path.read_text(errors="replace"):
        raise UsageError(
            f"{path} is another program's hook; it was left alone.",
            hint="Move it away first, and call it from the new one if you need both.",
        )
    path.parent.mkdir(exist_ok=True)
    command = shlex.join([sys.executable, "-I", "-m", "grader", "hook", "receive", *arguments])
    draft = path.with_name(".post-receive")
    # The time is taken before anything is loaded: a busy server makes nobody late.
    draft.write_text(f'#!/bin/sh\n{_MARK}\nexec {command} --received "$(date -u +%Y-%m-%dT%H:%M:%SZ)"\n')
    draft.chmod(0o755)
    draft.replace(path)
    _set(repository, "core.logAllRefUpdates", "always")
    return path


def bare_repositories(folder: Path) -> list[Path]:
    """Find the bare repositories directly in a folder."""
    return sorted(path for path in folder.iterdir() if (path / "HEAD").is_file() and (path / "objects").is_dir())


def create_bare(path: Path) -> None:
    """Make an empty bare repository that only its owner may read."""
    command = ["git", "init", "--quiet", "--bare", "--template=", "--initial-branch=main", str(path)]
    subprocess.run(command, check=True, env=environment(), capture_output=True)  # noqa: S603 -- fixed program
    path.chmod(0o700)


def _set(repository: Repository, name: str, value: str) -> None:
    repository.ask("config", "--local", name, value)
