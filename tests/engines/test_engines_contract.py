"""What every engine promises, whatever runs behind it: one suite for all."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from clusters import opened, ran_by, request

from grader.model.verdict import Ending

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from grader.model.run import RunRequest
    from grader.model.seams import Engine

pytest_plugins = ["engine_fixtures"]


@pytest.fixture(params=["local:1", "local:3", "dask"])
def engine(request: pytest.FixtureRequest, runs: Path) -> Iterator[Engine]:
    """Open each engine; `dask` is a scheduler with two workers, started as a site would."""
    url = request.getfixturevalue("cluster").url if request.param == "dask" else request.param
    with opened(url, runs) as engine:
        yield engine


def test_every_request_comes_back_once_with_its_key(engine: Engine) -> None:
    """No record is lost, doubled or given to another's key."""
    found = list(engine.map((f"key {number}", request(f"ok-{number}")) for number in range(50)))
    said = {key: record.stdout.content().decode() for key, record in found}
    assert said == {f"key {number}": str(number) for number in range(50)}
    assert len(found) == 50


def test_an_empty_class_is_no_work(engine: Engine, runs: Path) -> None:
    """Nothing asked, nothing run."""
    assert list(engine.map(())) == []
    assert not ran_by(runs)


def test_requests_are_drawn_only_a_few_ahead(engine: Engine) -> None:
    """Memory stays flat however long the list of requests is; closing the map stops the drawing."""
    drawn = 0

    def endless() -> Iterator[tuple[int, RunRequest]]:
        nonlocal drawn
        for drawn in itertools.count(1):
            yield drawn, request("ok-1")

    results = engine.map(endless())
    for given in range(1, 41):
        next(results)
        assert drawn <= given + 3 * 32
    results.close()  # type: ignore[attr-defined] # it is a generator, and closing it is what is tested
    stopped_at = drawn
    assert next(iter(engine.map([(0, request("ok-2"))])))[1].stdout.content() == b"2"
    assert drawn == stopped_at


def test_requests_can_pause_until_a_record_is_back(engine: Engine) -> None:
    """None among the requests says: nothing before another record; so one request can run alone."""
    back: list[int] = []

    def paced() -> Iterator[tuple[int, RunRequest] | None]:
        for number in range(6):
            yield number, request(f"nap-{number}")
            while len(back) <= number:
                yield None

    for key, _ in engine.map(paced()):
        back.append(key)
    assert back == list(range(6))


def test_an_ending_is_a_fact_and_no_exception(engine: Engine) -> None:
    """Time-outs, broken sandboxes and huge answers are records like others."""
    words = ["ok-1", "loop", "fail", "big"]
    found = dict(engine.map(zip(words, map(request, words), strict=True)))
    assert found["ok-1"].ending is Ending.EXITED
    assert found["loop"].ending is Ending.CPU_LIMIT
    assert found["fail"].raised is not None
    assert found["fail"].raised.type == "BrokenSandbox"
    assert found["big"].replies[0].value == 10**40


def test_an_engine_tells_its_wall_and_serves_several_maps(engine: Engine) -> None:
    """The isolation is known before anything runs, and stays what it was."""
    before = engine.isolation
    for number in range(3):
        [(key, record)] = engine.map([(number, request(f"ok-{number}"))])
        assert (key, record.stdout.content()) == (number, str(number).encode())
    assert engine.isolation == before


def test_a_fault_in_the_drawing_is_raised_to_the_caller(engine: Engine) -> None:
    """An engine never swallows the pipeline's own error."""

    def failing() -> Iterator[tuple[int, RunRequest]]:
        yield 0, request("ok-1")
        raise ValueError("intake broke")

    with pytest.raises(ValueError, match="intake broke"):
        list(engine.map(failing()))
