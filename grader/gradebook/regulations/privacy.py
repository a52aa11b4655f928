"""`private_repository`: only a private repository is graded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from grader.gradebook.regulations.rule import Rule, Situation

if TYPE_CHECKING:
    from grader.model.regulations import Regulations


class Privacy(Rule):
    reason = "not-private"

    @classmethod
    def of(cls, regulations: Regulations) -> Self | None:
        return cls() if regulations.private_repository else None

    def is_open(self, push: Situation) -> bool:
        return push.private is None

    def refusal(self, push: Situation) -> str:
        return "" if push.private else "your repository is not private. Make it private, then push a new tag"

    def lines(self) -> tuple[str, ...]:
        return ("A repository that is not private is neither graded nor counted",)
