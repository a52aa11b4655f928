"""Play pushes against regulations, before students meet them."""

from __future__ import annotations

import csv
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from grader.errors import CatalogueError, Fault, UsageError
from grader.gradebook.decide import Decision, decide
from grader.gradebook.event import Extended, Received
from grader.gradebook.history import Attempt, History, State
from grader.gradebook.standing import Standing, standing
from grader.model.moments import checked

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from grader.model.regulations import Regulations


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """One push of an imagined or a real history."""

    at: datetime
    points: float = 0.0
    private: bool = True
    our_fault: bool = False
    party: str = ""

    def __post_init__(self) -> None:
        checked("at", self.at)


class Step(msgspec.Struct, frozen=True, kw_only=True):
    push: Planned
    decision: Decision


def simulate(
    regulations: Regulations, pushes: Sequence[Planned], *, extensions: tuple[Extended, ...] = ()
) -> tuple[tuple[Step, ...], Standing]:
    """Take one party's pushes in the order of time; return each decision, and what counts in the end."""
    start = History(extensions=extensions)
    steps: list[Step] = []
    attempts: list[Attempt] = []
    times: list[datetime] = []
    for number, push in enumerate(sorted(pushes, key=lambda each: each.at), 1):
        asked = start.before(push.at, private=push.private)
        decision = decide(regulations, structs.replace(asked, number=len(times) + 1, times=tuple(times)))
        steps.append(Step(push=push, decision=decision))
        attempts.append(_attempt(push, decision, name=f"push {number}"))
        if attempts[-1].takes_quota:
            times.append(push.at)
    return tuple(steps), standing(regulations, structs.replace(start, attempts=tuple(attempts)))


def read_pushes(path: Path) -> tuple[Planned, ...]:
    """Read a CSV with `at` and, if wanted, `points`, `private`, `our_fault` and `party`."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"The history {path} can't be read: {error}") from error
    pushes: list[Planned] = []
    faults: list[Fault] = []
    for line, row in enumerate(rows, 2):
        try:
            pushes.append(_planned(row))
        except (msgspec.ValidationError, ValueError) as error:
            faults.append(
                Fault(message=str(error), path=str(path), line=line, hint="at,points,private,our_fault,party")
            )
    if faults:
        raise CatalogueError(faults)
    return tuple(pushes)


def _planned(row: dict[str, str]) -> Planned:
    given = {name: value.strip() for name, value in row.items() if name and value and value.strip()}
    for name in ("private", "our_fault"):
        if name in given:
            given[name] = {"yes": "true", "no": "false"}.get(given[name].lower(), given[name].lower())
    return msgspec.convert(given, Planned, strict=False)


def _attempt(push: Planned, decision: Decision, *, name: str) -> Attempt:
    state = State.REFUSED
    if decision.accepted:
        state = State.REFUNDED if push.our_fault else State.SETTLED
    return Attempt(
        id=name,
        student=push.party,
        at=push.at,
        received=Received(tag=name, commit=""),
        state=state,
        quoted_percent=decision.cost_percent,
        late_days=decision.late_days,
        points=push.points if state is State.SETTLED else None,
        text=decision.text,
    )
