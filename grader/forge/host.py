"""What every host of repositories is asked, and what an issue says."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Protocol

import msgspec

from grader.errors import GraderError

if TYPE_CHECKING:
    from collections.abc import Mapping

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


class Pushed(msgspec.Struct, frozen=True, kw_only=True):
    """What the host itself knows of the push that started this run."""

    at: datetime
    commit: str = ""


class Host(Protocol):
    """A host that knows whether a repository is private, when a push came, and keeps issues."""

    @property
    def place(self) -> str:
        """Where issues go, as `open_host` understands it."""
        ...

    def is_private(self) -> bool: ...

    def pushed(self) -> Pushed | None:
        """Return the push by the host's own clock, or None when this run wasn't started by one."""
        ...

    def post(self, notice: Notice) -> str:
        """Open the issue of this title, or bring it up to date; return its address."""
        ...

    def comment(self, title: str, text: str) -> None:
        """Add a comment to the issue of this title, so that the student is notified."""
        ...


def open_host(place: str, environment: Mapping[str, str]) -> Host:
    """Open the host of `github:OWNER/NAME` or `gitlab:PROJECT`; tokens and addresses are the environment's."""
    from grader.forge.github import GitHub  # noqa: PLC0415 -- they know this file
    from grader.forge.gitlab import GitLab  # noqa: PLC0415 -- as above

    kind, _, name = place.partition(":")
    if kind == "github":
        return GitHub.from_environment({**environment, "GITHUB_REPOSITORY": name, "GITHUB_RUN_ID": ""})
    return GitLab.from_environment({**environment, "CI_PROJECT_ID": name, "CI_PIPELINE_ID": ""})


def title_for(assignment: str, tag: str) -> str:
    """Return the one title of a tag's issue."""
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
