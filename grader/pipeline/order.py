"""Puts cases into the order in which they run: what students may see first, and no case before what it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grader.model.verdict import FIRST_SEEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.model.assignment import Case, Group


class Order(NamedTuple):
    """The numbers of the cases in the order in which they run, and for each case those that must be right before."""

    cases: list[int]
    needs: list[tuple[int, ...]]


def in_turn(cases: Sequence[Case], groups: dict[str, Group]) -> Order:
    """Order the cases.

    A group that stops at its first failure makes each of its cases wait for the one before. Cases that aren't among
    these (`--only`) are waited for by nobody.
    """
    ranked = sorted(range(len(cases)), key=lambda case: (FIRST_SEEN.index(cases[case].facts.visibility), case))
    numbers = {case.id: number for number, case in enumerate(cases)}
    needs = [tuple(numbers[name] for name in case.after if name in numbers) for case in cases]
    last: dict[str, int] = {}
    for number in ranked:
        group = cases[number].facts.group
        if group in groups and groups[group].stop:
            needs[number] += (last[group],) if group in last else ()
            last[group] = number
    order: dict[int, None] = {}
    for number in ranked:
        _place(number, needs, order)
    return Order(list(order), needs)


def _place(number: int, needs: list[tuple[int, ...]], order: dict[int, None]) -> None:
    """Put a case behind what it needs; the catalogue's loader has refused circles."""
    for need in needs[number]:
        if need not in order:
            _place(need, needs, order)
    order[number] = None
