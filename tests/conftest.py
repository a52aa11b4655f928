"""Skips what this machine can't run, and says last which protections weren't tested."""

from __future__ import annotations

import tempfile
from collections import Counter
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import offers
import pytest

from grader.model.verdict import Level

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator


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


@pytest.fixture(autouse=True)
def _no_store_but_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let no test be answered by what another one, or the user, has graded before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / f"store-{next(_STORES)}"))


_STORES = count()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Skip a test in which the grader refused to run for want of isolation that this machine lacks."""
    report = yield
    said = f"{report.longreprtext}\n{report.capstderr}" if report.failed else ""
    need = offers.refused_for(said)
    if need and not offers.must(need):
        path, line, _ = item.location
        report.outcome = "skipped"
        report.longrepr = (path, line or 0, f"Skipped: {offers.reason(*offers.NEEDS[need][:2])}")
    return report


@pytest.fixture
def open_path() -> Iterator[Path]:
    """Return a folder that every user may enter; pytest closes its own whenever a run begins."""
    with tempfile.TemporaryDirectory(prefix="grader-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None]:
    """Write what wasn't tested below everything else."""
    yield
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:  # a worker of xdist
        return
    skipped = reporter.stats.get("skipped", ())
    lacks = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, times in sorted(lacks.items()):
        if reason.startswith(offers.PREFIX):
            reporter.line(f"not tested, {times} times: {reason}")
