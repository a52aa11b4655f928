"""What changed between a submission's attempts, as one reader may see it."""

from __future__ import annotations

import msgspec

from grader.model.verdict import Verdict


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a case, as far as the reader may know."""

    outcome: str
    verdict: Verdict | None
    points: float | None


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One case that isn't what it was."""

    number: int
    title: str
    before: Mark
    after: Mark

    @property
    def gain(self) -> float:
        return (self.after.points or 0.0) - (self.before.points or 0.0)


class SourceChange(msgspec.Struct, frozen=True, kw_only=True):
    """The changed lines of one file: each with its kind, `new`, `gone`, `same` or `place`."""

    path: str
    lines: tuple[tuple[str, str], ...]
    note: str = ""


class Since(msgspec.Struct, frozen=True, kw_only=True):
    """What is not as it was in the attempt before."""

    before: float
    after: float
    steps: tuple[Step, ...]
    sources: tuple[SourceChange, ...]

    @property
    def groups(self) -> list[tuple[str, list[Step]]]:
        """Return the changed cases, those that need looking at first."""
        groups = [
            ("Worse", [step for step in self.steps if step.gain < 0]),
            ("Better", [step for step in self.steps if step.gain > 0]),
            ("Otherwise", [step for step in self.steps if not step.gain]),
        ]
        return [(title, steps) for title, steps in groups if steps]
