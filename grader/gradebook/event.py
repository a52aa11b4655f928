"""What the ledger keeps: facts about attempts, each with its moment.

received ─▶ refused
         └▶ started ─▶ settled ─▶ regraded*
               ▲          │
               └──────────┘  only after a fault of ours
voided and extended come from staff, at any time.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

TAG_MOVED, TOO_MANY_TAGS = "tag-moved", "too-many-tags"
"""Reasons for a refusal beside those of the regulations."""


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


class Refused(msgspec.Struct, frozen=True, kw_only=True, tag="refused"):
    reason: str
    text: str


class Started(msgspec.Struct, frozen=True, kw_only=True, tag="started"):
    """A worker began to grade; what the attempt was said to cost then."""

    worker: str
    number: int
    cost_percent: float
    late_days: int = 0


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What the ledger keeps of a grade sheet."""

    points: float
    max_points: float
    verdicts: dict[str, int] = {}
    problem: str = ""


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


class Posted(msgspec.Struct, frozen=True, kw_only=True, tag="posted"):
    """The host has the attempt's issue, with so many of the staff's changes told."""

    changes: int = 0


Fact = Received | Refused | Started | Settled | Voided | Regraded | Extended | Posted


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
