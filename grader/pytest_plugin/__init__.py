"""The pytest plugin: cases as test items, and fixtures for students' own tests.

    pytest --grader-submission PATH cases/lefthand        each YAML case is an item

    def test_mine(assert_solves):                         in a student's own file
        assert_solves("S##E")

This module is imported by every pytest run on the machine, so it imports nothing but pytest until it is used.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.pytest_plugin.bench import Bench, Solution

_BENCH = pytest.StashKey["Bench"]()
_ISOLATION = "isolation"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("grader", "maze-grader")
    group.addoption("--grader-submission", metavar="PATH", help="Put the catalogue's cases to this submission.")
    group.addoption("--grader-assignment", metavar="NAME", help="The assignment, where the files leave a doubt.")
    group.addoption(
        "--grader-require-isolation",
        metavar="LEVEL",
        help="Accept this sandbox, too (else what the assignment says, which is confined by default).",
    )
    parser.addini("grader_submission", "The solution that the fixtures of maze-grader run.", default="")
    parser.addini("grader_assignment", "The assignment that it belongs to.", default="")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take a case file of the catalogue, when a submission is given."""
    if file_path.suffix != ".yaml" or not parent.config.getoption("--grader-submission"):
        return None
    if file_path.name == "assignment.yaml" or not (file_path.parent / "assignment.yaml").exists():
        return None
    from grader.pytest_plugin.bench import CaseFile  # noqa: PLC0415 - only a run that uses the plugin pays for it

    return CaseFile.from_parent(parent, path=file_path)


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Note in which sandbox the item ran a submission, if it did."""
    bench = item.config.stash.get(_BENCH, None)
    if bench is not None and bench.level:
        item.user_properties.append((_ISOLATION, bench.level))
        bench.level = ""


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Name the sandbox in which submissions ran where it isn't the strongest, on whatever process they ran."""
    reports = (report for reports in terminalreporter.stats.values() for report in reports)
    said = {each for report in reports for each in getattr(report, "user_properties", ()) if each[0] == _ISOLATION}
    for _, level in sorted(said - {(_ISOLATION, "isolated")}):
        terminalreporter.write_line(f"maze-grader: isolation: {level}")


def pytest_unconfigure(config: pytest.Config) -> None:
    if _BENCH in config.stash:
        config.stash[_BENCH].close()


def bench_of(config: pytest.Config) -> Bench:
    """Give the run's one bench, opened when first asked for."""
    if _BENCH not in config.stash:
        from grader.pytest_plugin.bench import Bench  # noqa: PLC0415 - as above

        config.stash[_BENCH] = Bench(
            submission=_setting(config, "grader_submission") or str(config.invocation_params.dir),
            assignment=_setting(config, "grader_assignment") or None,
            isolation=str(config.getoption("--grader-require-isolation") or "") or None,
        )
    return config.stash[_BENCH]


def _setting(config: pytest.Config, name: str) -> str:
    option: Any = config.getoption("--" + name.replace("_", "-"))
    if option:
        return str(Path(config.invocation_params.dir) / option) if name == "grader_submission" else str(option)
    value = str(config.getini(name))
    return str(config.rootpath / value) if value and name == "grader_submission" else value


@pytest.fixture
def solution(request: pytest.FixtureRequest) -> Solution:
    """Call the solution's functions in the sandbox: `solution.solve("input.txt")`."""
    from grader.pytest_plugin.bench import Solution  # noqa: PLC0415 - as above

    return Solution(bench_of(request.config))


@pytest.fixture
def assert_solves(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Run the solution on an input and fail with the explanation: `assert_solves(text, kind="path")`."""
    return bench_of(request.config).assert_solves
