"""What workers say of themselves, and whether they agree with the client."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

import msgspec

import grader
from grader.errors import UsageError
from grader.model.result import Isolation
from grader.model.verdict import Level

if TYPE_CHECKING:
    from collections.abc import Mapping


class Station(msgspec.Struct, frozen=True, kw_only=True):
    """One worker: its harness, its Python, its wall."""

    grader: str
    python: str
    isolation: Isolation


def describe(isolation: Isolation) -> Station:
    """Describe this process."""
    return Station(grader=grader.__version__, python=platform.python_version(), isolation=isolation)


def agree(stations: Mapping[str, Station]) -> Isolation:
    """Give the weakest wall among the workers; a worker that would judge by other means is refused."""
    for address, station in sorted(stations.items()):
        here = describe(station.isolation)
        if station != here:
            raise UsageError(
                f"the worker {address} has maze-grader {station.grader} on Python {station.python};"
                f" here it is {here.grader} on {here.python}",
                hint="Install the same versions on every worker: marks must not depend on where a case ran.",
            )
    order = list(Level)
    return min((station.isolation for station in stations.values()), key=lambda wall: order.index(Level(wall.level)))
