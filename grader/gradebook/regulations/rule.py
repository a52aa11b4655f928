"""What a regulation is asked about a push, and what it may answer."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Self

import msgspec

if TYPE_CHECKING:
    from grader.model.regulations import Regulations


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """A push, what the server knows of it, and what its party did before."""

    at: datetime
    private: bool | None = None
    """Whether the repository is private; None when nobody could tell."""
    number: int = 1
    """Which attempt it is, or would be."""
    times: tuple[datetime, ...] = ()
    """When the attempts that take quota came, earliest first."""
    extended_due: datetime | None = None
    """The latest due date that staff gave this party."""
    more_attempts: int = 0
    late_days_elsewhere: int = 0
    """Free late days that the party used in other assignments."""


class Rule:
    """One regulation. A rule of your own overrides what it has to say; the rest says that it doesn't mind."""

    reason: ClassVar[str]
    """The word under which the ledger keeps its refusals."""

    @classmethod
    def of(cls, regulations: Regulations) -> Self | None:
        """Return the rule when the regulations have it."""
        raise NotImplementedError

    def is_open(self, push: Situation) -> bool:
        """Tell whether what the rule needs to know isn't known yet; the push then waits."""
        del push
        return False

    def refusal(self, push: Situation) -> str:
        """Return why the push isn't graded, as the end of a sentence; empty when it may be."""
        del push
        return ""

    def opens(self, push: Situation) -> tuple[datetime, ...]:
        """Return the moments at which waiting may have helped."""
        del push
        return ()

    def room(self, push: Situation) -> int | None:
        """Return how many attempts may come at this very moment, this one among them; None without a limit."""
        del push
        return None

    def percent(self, push: Situation) -> float:
        """Return what is taken off the attempt's points."""
        del push
        return 0.0

    def late_days(self, push: Situation) -> int:
        """Return how many free late days the attempt uses."""
        del push
        return 0

    def remark(self, push: Situation, *, room: int | None) -> str:
        """Return what the pusher of an accepted attempt is told; `room` is what all rules together leave."""
        del push, room
        return ""

    def lines(self) -> tuple[str, ...]:
        """Return the rule in words, a line each."""
        return ()
