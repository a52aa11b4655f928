"""Times two ways of doing the same, turn by turn, so that drift hits both alike."""

from __future__ import annotations

from math import log
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def seconds(work: Callable[[], object]) -> float:
    begun = perf_counter()
    work()
    return perf_counter() - begun


def medians(*works: Callable[[], object], rounds: int, warms_up: bool = True) -> tuple[float, ...]:
    """Give each work's median time, after one round that doesn't count unless they are warm already."""
    for work in works if warms_up else ():
        work()
    times = [[seconds(work) for work in works] for _ in range(rounds)]
    return tuple(median(column) for column in zip(*times, strict=True))


def exponent(sizes: Sequence[float], times: Sequence[float]) -> float:
    """Give the slope of time over size, both as logarithms, by least squares."""
    xs, ys = [log(size) for size in sizes], [log(time) for time in times]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    rise = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    return rise / sum((x - x_mean) ** 2 for x in xs)
