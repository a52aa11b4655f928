"""Small parts of a plain git server: privacy, the lines git gives a hook."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gitrepo
import pytest

from grader.forge.git import Repository
from grader.forge.tag import read_pushed

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("how", ["nothing", "exported", "shared"])
def test_only_what_git_shows_to_everybody_is_public(tmp_path: Path, how: str) -> None:
    """A repository is private unless exported or shared with the world."""
    folder = gitrepo.new_repository(tmp_path / "student")
    if how == "exported":
        (folder / ".git" / "git-daemon-export-ok").touch()
    if how == "shared":
        gitrepo.git(folder, "config", "core.sharedRepository", "world")
    assert Repository(folder).is_private() is (how == "nothing")


def test_a_hooks_lines_are_read_whatever_the_name(tmp_path: Path) -> None:
    """Branches have no tag, deletions are known, names that are no UTF-8 break nothing."""
    none, some = b"0" * 40, b"a" * 40
    lines = [
        none + b" " + some + b" refs/tags/v1\n",
        some + b" " + none + b" refs/tags/v\xff\n",
        some + b" " + some + b" refs/heads/main\n",
    ]
    found = list(read_pushed(lines))
    assert [(tag.name, tag.is_deletion) for tag in found] == [("v1", False), ("v\udcff", True)]
