"""`attempts` and `extra_percent`: how many in all, and what further ones cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from grader.gradebook.regulations.rule import Rule, Situation
from grader.model.words import number_text, plural

if TYPE_CHECKING:
    from grader.model.regulations import Regulations


@dataclass(frozen=True, kw_only=True)
class Quota(Rule):
    reason = "attempts"
    attempts: int
    extra_percent: float | None

    @classmethod
    def of(cls, regulations: Regulations) -> Self | None:
        if regulations.attempts is None:
            return None
        return cls(attempts=regulations.attempts, extra_percent=regulations.extra_percent)

    def own_attempts(self, push: Situation) -> int:
        return self.attempts + max(0, push.more_attempts)

    def refusal(self, push: Situation) -> str:
        most = self.own_attempts(push)
        if self.extra_percent is not None or push.number <= most:
            return ""
        return "your one attempt is used" if most == 1 else f"all {most} attempts are used"

    def room(self, push: Situation) -> int | None:
        return self.own_attempts(push) - push.number + 1 if self.extra_percent is None else None

    def percent(self, push: Situation) -> float:
        return min(100.0, (self.extra_percent or 0.0) * max(0, push.number - self.own_attempts(push)))

    def remark(self, push: Situation, *, room: int | None) -> str:
        del room
        most, extra = self.own_attempts(push), self.percent(push)
        cost = f"It comes after your {plural(most, 'attempt')}: {number_text(extra)}% is taken off its points. "
        return f"{cost if extra else ''}{plural(max(0, most - push.number), 'attempt')} left."

    def lines(self) -> tuple[str, ...]:
        more = f"; each further one costs {number_text(self.extra_percent or 0)}% more than the one before"
        return (f"You have {plural(self.attempts, 'attempt')}{'' if self.extra_percent is None else more}",)
