"""Tell whether a repository on a plain git server is private."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.forge.git import Repository

_EXPORTED = "git-daemon-export-ok"
_SHARED_WITH_ALL = {"all", "world", "everybody", "2"}


def is_private(repository: Repository) -> bool:
    """Hold a repository for private unless git itself was told to show it to everybody."""
    shared = repository.ask("config", "--local", "--get", "core.sharedRepository") or ""
    return not (repository.folder / _EXPORTED).exists() and shared.lower() not in _SHARED_WITH_ALL
