"""Shows how far a batch has come, without getting in the way."""

from __future__ import annotations

import sys
import time
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import Progress

    from grader.model.result import CaseResult

    Meter = Callable[[CaseResult], None]

_EVERY_S = 0.5


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
    from rich import progress as rich_progress  # noqa: PLC0415 - slow to import, and only a bar needs it
    from rich.console import Console  # noqa: PLC0415 - the same

    columns = (
        rich_progress.TextColumn("{task.description}"),
        rich_progress.BarColumn(),
        rich_progress.MofNCompleteColumn(),
        rich_progress.TextColumn("{task.fields[rate]}"),
        rich_progress.TimeRemainingColumn(),
        rich_progress.TextColumn("{task.fields[failures]}"),
    )
    return rich_progress.Progress(*columns, console=Console(stderr=True), transient=True)


class _Count:
    """The cases seen so far; a meter shows them."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self._begun = time.monotonic()

    def __call__(self, result: CaseResult) -> None:
        self.verdicts[result.verdict] += 1
        self.show()

    def show(self) -> None:
        raise NotImplementedError

    def rate(self) -> float:
        return self.verdicts.total() / max(time.monotonic() - self._begun, 1e-6)


class _BarMeter(_Count):
    def __init__(self, bar: Progress, total: int) -> None:
        super().__init__()
        self._bar = bar
        self._task = bar.add_task("cases", total=total, failures="", rate="")

    def show(self) -> None:
        bad = sorted((verdict, count) for verdict, count in self.verdicts.items() if verdict != Verdict.AC)
        failures = " ".join(f"{verdict} {count}" for verdict, count in bad)
        self._bar.update(self._task, advance=1, failures=failures, rate=f"{self.rate():.0f}/s")


class _JsonMeter(_Count):
    """One JSON object per line on stderr, at most two a second, and one at the end."""

    def __init__(self, total: int) -> None:
        super().__init__()
        self._total = total
        self._last = 0.0

    def show(self) -> None:
        now, done, rate = time.monotonic(), self.verdicts.total(), self.rate()
        if now - self._last < _EVERY_S and done < self._total:
            return
        self._last = now
        line = {
            "done": done,
            "total": self._total,
            "rate": round(rate, 1),
            "left_s": round(max(0, self._total - done) / rate, 1) if rate else None,
            "verdicts": self.verdicts,
        }
        print(msgspec.json.encode(line).decode(), file=sys.stderr, flush=True)  # noqa: T201 - this is the machine's progress bar
