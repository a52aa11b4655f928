"""Find when the server itself saw a tag, from its own log."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.forge.git import Repository


def arrived_at(repository: Repository, tag: str) -> datetime | None:
    """Give the server's time of the tag's last update; None without a log, as before `hook install`."""
    path = repository.folder / "logs" / "refs" / "tags" / tag
    try:
        last = path.read_bytes().splitlines()[-1]
        seconds = int(last.split(b"\t", 1)[0].rsplit(b" ", 2)[1])
    except (OSError, IndexError, ValueError):
        return None
    return datetime.fromtimestamp(seconds, UTC)
