"""What the ledger keeps: facts about attempts, each with its moment.

received ─▶ refused
         └▶ started ─▶ settled ─▶ regraded*
               ▲          │
               └──────────┘  only after a fault of ours
voided, adjusted, extended, withdrawn come from staff, at any time; posted and handed-back say what students
have heard; forgotten is about the book itself.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import msgspec

TAG_MOVED, TOO_MANY_TAGS = "tag-moved", "too-many-tags"
SAME_CONTENT, UNREADABLE = "same-content", "unreadable"
"""Reasons for a refusal beside those of the regulations."""
EVERYBODY = ""
"""The party of an event that is about a whole assignment or the whole book."""


class Via(StrEnum):
    """How an attempt came."""

    PUSH = "push"
    UPLOAD = "upload"
    """Collected from a learning platform's download, or from folders."""
    STAFF = "staff"
    """Handed in by staff for the student."""
    SNAPSHOT = "snapshot"
    """The state of a repository at the due second, taken by staff."""


class Received(msgspec.Struct, frozen=True, kw_only=True, tag="received"):
    """A push reached the server; the event's moment is the time of receipt."""

    tag: str
    commit: str
    origin: str = ""
    private: bool | None = None
    members: tuple[str, ...] = ()
    """Who was in the group then; the class list may change, whose mark it is doesn't."""
    host: str = ""
    """Where its issue is: `github:OWNER/NAME` or `gitlab:PROJECT`."""
    reports: str = ""
    """The folder of its report files, on the machine that graded."""
    via: Via = Via.PUSH
    upload: str = ""
    """The name that a learning platform gave it: feedback goes back under it."""
    by: str = ""
    why: str = ""
    """Who of the staff handed it in, and why."""


class Refused(msgspec.Struct, frozen=True, kw_only=True, tag="refused"):
    reason: str
    text: str


class Started(msgspec.Struct, frozen=True, kw_only=True, tag="started"):
    """A worker began to grade; what the attempt was said to cost then."""

    worker: str
    number: int
    cost_percent: float
    late_days: int = 0
    content: str = ""
    """Digest of the files that were handed in, by which equal ones are known."""


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What the ledger keeps of a grade sheet."""

    points: float
    max_points: float
    verdicts: dict[str, int] = {}
    problem: str = ""
    kept: tuple[str, ...] = ()
    """Digests of what lies packed beside the events: the sheet, and what was handed in."""


class Settled(Judged, frozen=True, kw_only=True, tag="settled"):
    """Grading ended; with `our_fault` the attempt is given back."""

    our_fault: bool = False


class Voided(msgspec.Struct, frozen=True, kw_only=True, tag="voided"):
    """Staff struck the attempt out: it neither costs nor counts."""

    by: str
    why: str


class Regraded(Judged, frozen=True, kw_only=True, tag="regraded"):
    """The same attempt was judged again; its time and cost stay."""

    by: str = ""
    why: str = ""


class Extended(msgspec.Struct, frozen=True, kw_only=True, tag="extended"):
    """Staff gave more time, more attempts, or both."""

    due: datetime | None = None
    attempts: int = 0
    by: str
    why: str


class Adjusted(msgspec.Struct, frozen=True, kw_only=True, tag="adjusted"):
    """A person's judgement on an attempt: points, words, or both; it stays beside the machine's.

    There is one for each place (rubric item, case, line of source, or the whole attempt): a later one replaces it.
    """

    points: float = 0.0
    item: str = ""
    """Of the assignment's rubric."""
    case: str = ""
    path: str = ""
    line: int = 0
    about: str
    """The place in words that its student may read."""
    by: str
    why: str = ""

    @property
    def place(self) -> tuple[str, str, str, int]:
        return self.item, self.case, self.path, self.line


class Withdrawn(msgspec.Struct, frozen=True, kw_only=True, tag="withdrawn"):
    """Staff took back an adjustment or an extension, which is named by its number in the ledger."""

    event: int
    by: str
    why: str


class Forgotten(msgspec.Struct, frozen=True, kw_only=True, tag="forgotten"):
    """A student was erased: the book was rewritten without the name."""

    by: str
    why: str


class Posted(msgspec.Struct, frozen=True, kw_only=True, tag="posted"):
    """The host has the attempt's issue, with so many of the staff's changes told."""

    changes: int = 0


class HandedBack(msgspec.Struct, frozen=True, kw_only=True, tag="handed-back"):
    """A feedback zip has the attempt's page, with so many of the staff's changes told."""

    changes: int = 0


Fact = (
    Received
    | Refused
    | Started
    | Settled
    | Voided
    | Regraded
    | Extended
    | Adjusted
    | Withdrawn
    | Posted
    | HandedBack
    | Forgotten
)


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """Whose quota in which assignment: a party is a student alone or a group."""

    assignment: str
    party: str


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the ledger; it is never changed."""

    number: int = 0
    """Its place in the ledger, which gives it."""
    at: datetime
    key: Key
    student: str
    """Whose repository it was; for an extension the party."""
    attempt: str = ""
    fact: Fact

    @property
    def kind(self) -> str:
        return str(self.fact.__struct_config__.tag)
