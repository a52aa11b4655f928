"""What every host of repositories is asked, and what an issue says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

from grader.errors import GraderError

if TYPE_CHECKING:
    from datetime import datetime

LABEL = "grader"
"""Every issue of ours has it, so that a search stays small."""
_LONGEST_TITLE = 200


class HostError(GraderError):
    """The host didn't do what was asked; the grading itself is not touched by it."""

    exit_status = 70


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """One issue's content; the title finds it again."""

    title: str
    body: str
    labels: tuple[str, ...] = ()


class Host(Protocol):
    """A host that knows whether a repository is private, when a push came, and keeps issues."""

    def is_private(self) -> bool: ...

    def received_at(self) -> datetime | None:
        """Give the host's own time of the push, or None when this run wasn't started by one."""
        ...

    def post(self, notice: Notice) -> str:
        """Open the issue of this title, or bring it up to date; give its address."""
        ...


def title_for(assignment: str, tag: str) -> str:
    """Give the one title of a tag's issue."""
    title = f"{assignment}: {tag}"
    return title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1]}…"


def fitted(body: str, limit: int) -> str:
    """Cut a body that the host would refuse, before a detail rather than within it."""
    if len(body) <= limit:
        return body
    note = "\n\n*The rest was left out: this host takes no longer text. The full report has it.*\n"
    head = body[: limit - len(note)]
    cut = max(head.rfind("\n<details>"), head.rfind("\n| "))
    return head[: cut if cut > 0 else None] + note
