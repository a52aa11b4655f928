"""`accrual`: attempts are gained with time, and saved up to a limit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self

from grader.gradebook.regulations.rule import Rule, Situation, number_text, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.model.regulations import Accrual, Regulations


@dataclass(frozen=True, kw_only=True)
class TokenBucket(Rule):
    reason = "accrual"
    accrual: Accrual

    @classmethod
    def of(cls, regulations: Regulations) -> Self | None:
        return cls(accrual=regulations.accrual) if regulations.accrual else None

    @property
    def _token(self) -> timedelta:
        return timedelta(hours=self.accrual.hours)

    def room(self, push: Situation) -> int:
        """Return the whole tokens in the bucket; before a later attempt, whether that one would keep its own."""
        if not push.times:
            return self.accrual.most
        level, missing = self._drain(push.times)
        if push.at < push.times[-1]:
            return int(self._drain(sorted((*push.times, push.at)))[1] <= missing)
        return min(self._token * self.accrual.most, level + (push.at - push.times[-1])) // self._token

    def refusal(self, push: Situation) -> str:
        hours = number_text(self.accrual.hours)
        return "" if self.room(push) else f"you gain one attempt every {hours} hours, and have none left"

    def opens(self, push: Situation) -> tuple[datetime, ...]:
        """Return the moment at which the next token is there, as if no attempt followed."""
        if not push.times:
            return ()
        level, _ = self._drain(push.times)
        return (push.times[-1] + max(timedelta(0), self._token - level),)

    def lines(self) -> tuple[str, ...]:
        hours, most = number_text(self.accrual.hours), plural(self.accrual.most, "attempt")
        return (f"You start with {most}, gain one every {hours} hours, and can save up {most}",)

    def _drain(self, times: Sequence[datetime]) -> tuple[timedelta, int]:
        """Play the attempts in order; the level is kept as time, so that nothing is lost to rounding."""
        token = self._token
        full = level = token * self.accrual.most
        missing, before = 0, None
        for each in times:
            level = min(full, level + (each - before)) if before else level
            missing += level < token
            level = max(timedelta(0), level - token)
            before = each
        return level, missing
