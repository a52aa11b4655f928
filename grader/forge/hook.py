"""Write the hook that grades pushed tags into a bare repository."""

from __future__ import annotations

import shlex
import subprocess
import sys
from itertools import pairwise
from typing import TYPE_CHECKING

from grader.errors import UsageError
from grader.forge.git import environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from grader.forge.git import Repository

_MARK = "# Put here by `grader hook install`; the same command changes it."


def install(
    repository: Repository, arguments: Sequence[str], *, secrets: Mapping[str, str], is_replacing: bool = False
) -> Path:
    """Write `hooks/post-receive`, and let the server note the time of every push.

    A foreign hook is left alone, and so is ours for another assignment unless it is to be replaced.
    """
    path = repository.folder / "hooks" / "post-receive"
    if path.exists():
        _check_old(path, arguments, is_replacing=is_replacing)
    path.parent.mkdir(exist_ok=True)
    command = shlex.join([sys.executable, "-I", "-m", "grader", "hook", "receive", *arguments])
    exports = "".join(f"{name}={shlex.quote(value)}\nexport {name}\n" for name, value in secrets.items())
    draft = path.with_name(".post-receive")
    draft.touch(mode=0o700)
    # The time is taken before anything is loaded: a busy server makes nobody late.
    draft.write_text(f'#!/bin/sh\n{_MARK}\n{exports}exec {command} --received "$(date -u +%Y-%m-%dT%H:%M:%SZ)"\n')
    draft.chmod(0o700 if secrets else 0o755)
    draft.replace(path)
    repository.ask("config", "--local", "core.logAllRefUpdates", "always")
    return path


def _check_old(path: Path, arguments: Sequence[str], *, is_replacing: bool) -> None:
    text = path.read_text(errors="replace")
    if _MARK not in text:
        raise UsageError(
            f"{path} is another program's hook; it was left alone.",
            hint="Move it away first, and call it from the new one if you need both.",
        )
    before, now = _assignment_of(shlex.split(text.splitlines()[-1])), _assignment_of(arguments)
    if before != now and not is_replacing:
        raise UsageError(
            f"{path} grades tags as {before}; one repository has one assignment.",
            hint=f"--replace lets it grade them as {now} from now on; what {before} has in the book stays.",
        )


def _assignment_of(words: Sequence[str]) -> str:
    return next((value for name, value in pairwise(words) if name == "--assignment"), "")


def bare_repositories(folder: Path) -> list[Path]:
    """Find the bare repositories directly in a folder."""
    return sorted(path for path in folder.iterdir() if (path / "HEAD").is_file() and (path / "objects").is_dir())


def create_bare(path: Path) -> None:
    """Make an empty bare repository that only its owner may read."""
    command = ["git", "init", "--quiet", "--bare", "--template=", "--initial-branch=main", str(path)]
    subprocess.run(command, check=True, env=environment(), capture_output=True)  # noqa: S603 -- fixed program
    path.chmod(0o700)
