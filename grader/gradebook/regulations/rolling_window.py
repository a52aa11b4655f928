"""`window`: at most so many attempts in any span of so many hours."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self

from grader.gradebook.regulations.rule import Rule, Situation
from grader.model.words import number_text, plural

if TYPE_CHECKING:
    from grader.model.regulations import Regulations, Window


@dataclass(frozen=True, kw_only=True)
class RollingWindow(Rule):
    reason = "window"
    window: Window

    @classmethod
    def of(cls, regulations: Regulations) -> Self | None:
        return cls(window=regulations.window) if regulations.window else None

    def room(self, push: Situation) -> int:
        """Return how many more fit, so that no span of the window's length ever holds too many."""
        length, at = timedelta(hours=self.window.hours), push.at
        near = push.times[bisect_right(push.times, at - length) : bisect_left(push.times, at + length)]
        starts = [*near[: bisect_left(near, at)], at]
        fullest = max(bisect_left(near, start + length) - bisect_left(near, start) for start in starts)
        return self.window.attempts - fullest

    def refusal(self, push: Situation) -> str:
        return self._text("at most") if self.room(push) < 1 else ""

    def opens(self, push: Situation) -> tuple[datetime, ...]:
        """Return the moments at which an old attempt leaves the window."""
        length = timedelta(hours=self.window.hours)
        return tuple(each + length for each in push.times[bisect_left(push.times, push.at - length) :])

    def remark(self, push: Situation, *, room: int | None) -> str:
        if room is None or room != self.room(push) - 1:  # another rule is tighter, and speaks of it
            return ""
        return f"You may submit {plural(room, 'more time')} within these {number_text(self.window.hours)} hours."

    def lines(self) -> tuple[str, ...]:
        return (self._text("At most"),)

    def _text(self, start: str) -> str:
        return f"{start} {plural(self.window.attempts, 'attempt')} in {number_text(self.window.hours)} hours"
