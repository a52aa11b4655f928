"""`late.consent`: nothing that lateness costs is spent unless the student agrees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from grader.gradebook.regulations.due_date import DueDate
from grader.gradebook.regulations.rule import Rule, Situation, number_text, plural

if TYPE_CHECKING:
    from grader.model.regulations import Regulations

HOW = "push a new tag whose name ends in -late, or push a new tag with: git push -o late origin TAG"


@dataclass(frozen=True, kw_only=True)
class LateConsent(Rule):
    reason = "consent"
    due: DueDate

    @classmethod
    def of(cls, regulations: Regulations) -> Self | None:
        due = DueDate.of(regulations)
        return cls(due=due) if due and regulations.late and regulations.late.consent else None

    def refusal(self, push: Situation) -> str:
        cost = self.due.lateness(push)
        if push.consents or cost is None or not (cost.days or cost.percent):
            return ""
        parts = [plural(cost.days, "late day")] if cost.days else []
        parts += [f"{number_text(cost.percent)}% of its points"] if cost.percent else []
        return f"it is late and would cost {' and '.join(parts)}. If you want that, {HOW}"

    def lines(self) -> tuple[str, ...]:
        return (f"A late attempt is graded only if you agree: {HOW}",)
