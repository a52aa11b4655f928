"""Real git repositories for the tests, free of the machine's own settings."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Student",
    "GIT_AUTHOR_EMAIL": "student@example.invalid",
    "GIT_COMMITTER_NAME": "Student",
    "GIT_COMMITTER_EMAIL": "student@example.invalid",
    "GIT_COMMITTER_DATE": "2001-01-01T00:00:00Z",  # a commit's date must decide nothing
}


def git(folder: Path, *arguments: str, given: bytes = b"") -> str:
    """Run git and give what it printed."""
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        input=given,
        capture_output=True,
        env=ENVIRONMENT,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode().strip()


def new_repository(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    return folder


def commit(folder: Path, files: dict[str, bytes], *, tag: str = "") -> str:
    """Commit files by their names, and tag the commit."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "--allow-empty", "-m", "work")
    if tag:
        git(folder, "tag", tag)
    return git(folder, "rev-parse", "HEAD")


def commit_tree(folder: Path, lines: list[bytes], *, tag: str) -> str:
    """Commit a tree made by hand, which no work tree could hold; a line is `mode type oid TAB name`."""
    given = b"".join(line + b"\0" for line in lines)
    tree = git(folder, "mktree", "-z", "--missing", given=given)
    made = git(folder, "commit-tree", tree, "-m", "by hand")
    git(folder, "tag", tag, made)
    return made


def blob(folder: Path, content: bytes) -> str:
    return git(folder, "hash-object", "-w", "--stdin", given=content)
