"""Shows how far a batch has come, without getting in the way."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import msgspec

from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress

    from grader.model.result import CaseResult

_EVERY_S = 0.5


class Meter(Protocol):
    def __call__(self, result: CaseResult) -> None: ...


@contextmanager
def progress(kind: str, *, total: int) -> Iterator[Meter]:
    """Give a meter that hears of every case: `bar` on a terminal, `json` lines, or nothing."""
    if kind == "json":
        yield _JsonMeter(total)
    elif kind == "bar" or (kind == "auto" and sys.stderr.isatty()):
        with _bar() as bar:
            yield _BarMeter(bar, total)
    else:
        yield lambda _: None


def _bar() -> Progress:
    from rich.console import Console  # noqa: PLC0415 - slow to import, and only a bar needs it
    from rich.progress import (  # noqa: PLC0415 - the same
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[failures]}"),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)


class _BarMeter:
    def __init__(self, bar: Progress, total: int) -> None:
        self._bar = bar
        self._task = bar.add_task("cases", total=total, failures="", rate="")
        self._count = _Count()

    def __call__(self, result: CaseResult) -> None:
        self._count.add(result)
        self._bar.update(self._task, advance=1, failures=self._count.failures(), rate=f"{self._count.rate():.0f}/s")


class _JsonMeter:
    """One JSON object per line on stderr, at most two a second, and one at the end."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._count = _Count()
        self._last = 0.0

    def __call__(self, result: CaseResult) -> None:
        self._count.add(result)
        now = time.monotonic()
        if now - self._last < _EVERY_S and self._count.done < self._total:
            return
        self._last = now
        rate = self._count.rate()
        left = max(0, self._total - self._count.done)
        line = {
            "done": self._count.done,
            "total": self._total,
            "rate": round(rate, 1),
            "left_s": round(left / rate, 1) if rate else None,
            "verdicts": self._count.verdicts,
        }
        print(msgspec.json.encode(line).decode(), file=sys.stderr, flush=True)  # noqa: T201 - this is the machine's progress bar


class _Count:
    def __init__(self) -> None:
        self.done = 0
        self.verdicts: dict[str, int] = {}
        self._begun = time.monotonic()

    def add(self, result: CaseResult) -> None:
        self.done += 1
        self.verdicts[result.verdict] = self.verdicts.get(result.verdict, 0) + 1

    def rate(self) -> float:
        return self.done / max(time.monotonic() - self._begun, 1e-6)

    def failures(self) -> str:
        bad = {verdict: count for verdict, count in self.verdicts.items() if verdict != Verdict.AC}
        return " ".join(f"{verdict} {count}" for verdict, count in sorted(bad.items()))
