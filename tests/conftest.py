"""Skips what this machine can't run, and says last which protections weren't tested."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import offers
import pytest

from grader.model.verdict import Level

if TYPE_CHECKING:
    from collections.abc import Iterator


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", f"needs(*names): skip where the machine lacks one of {', '.join(offers.NEEDS)}"
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Require what the test's marks name, and the isolation level that it is run at."""
    for mark in item.iter_markers("needs"):
        offers.require(*mark.args)
    parameters = (
        item.callspec.params.values() if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ()
    )
    offers.require(*(value.value for value in parameters if isinstance(value, Level) and value in offers.NEEDS))


@pytest.fixture
def open_path() -> Iterator[Path]:
    """Return a folder that every user may enter; pytest closes its own whenever a run begins."""
    with tempfile.TemporaryDirectory(prefix="grader-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write what wasn't tested below everything else."""
    skipped = (report.longrepr[2] for report in terminalreporter.stats.get("skipped", ()))
    lacks = Counter(reason.removeprefix("Skipped: ") for reason in skipped if offers.PREFIX in reason)
    if lacks:
        terminalreporter.section("not tested on this machine")
    for reason, count in sorted(lacks.items()):
        terminalreporter.line(f"{count} tests: {reason}")
