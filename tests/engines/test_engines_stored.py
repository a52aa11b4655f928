"""Promises of the wrapped engine: what didn't change isn't run twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_engines_local import Course, request

from grader.engines.digest import RequestDigests
from grader.engines.local import LocalEngine
from grader.engines.store import RunStore
from grader.engines.stored import StoredEngine
from grader.model.run import Agent, Calls, File, Limits, Program, RunRequest
from grader.model.verdict import Ending

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from grader.model.run import RunRecord


def grade(folder: Path, course: Course, words: list[str], *, fresh: bool = False) -> dict[int, RunRecord]:
    engine = StoredEngine(LocalEngine(course, workers=2), RunStore(folder), fresh=fresh)
    try:
        return dict(engine.map(enumerate(request(word) for word in words)))
    finally:
        engine.close()


def test_a_second_grade_runs_nothing(tmp_path: Path) -> None:
    """The stored records answer, and they are the same."""
    words = [f"ok-{number}" for number in range(30)]
    first = grade(tmp_path / "s", Course(), words)
    course = Course()
    assert grade(tmp_path / "s", course, words) == first
    assert course.runs == []


def test_only_what_is_new_is_run(tmp_path: Path) -> None:
    """One changed submission costs one run."""
    grade(tmp_path / "s", Course(), ["ok-1", "ok-2"])
    course = Course()
    assert len(grade(tmp_path / "s", course, ["ok-1", "ok-3", "ok-2"])) == 3
    assert [word for word, _ in course.runs] == ["ok-3"]


def test_fresh_runs_everything(tmp_path: Path) -> None:
    """`--fresh` asks no store."""
    grade(tmp_path / "s", Course(), ["ok-1", "ok-2"])
    course = Course()
    grade(tmp_path / "s", course, ["ok-1", "ok-2"], fresh=True)
    assert len(course.runs) == 2


def test_a_confirmed_time_out_is_kept(tmp_path: Path) -> None:
    """Loops are waited for once, not at every grade."""
    assert grade(tmp_path / "s", Course(), ["loop"])[0].ending is Ending.CPU_LIMIT
    course = Course()
    assert grade(tmp_path / "s", course, ["loop"])[0].ending is Ending.CPU_LIMIT
    assert course.runs == []


def test_a_failure_of_the_sandbox_is_never_kept(tmp_path: Path) -> None:
    """Our fault is tried again next time."""
    assert grade(tmp_path / "s", Course(), ["broken"])[0].ending is Ending.SANDBOX_FAILED
    course = Course()
    grade(tmp_path / "s", course, ["broken"])
    assert len(course.runs) == 2


def test_an_interrupted_grade_goes_on_where_it_was(tmp_path: Path) -> None:
    """Every record that was given out is kept, although the grade never ended."""
    words = [f"ok-{number}" for number in range(100)]
    engine = StoredEngine(LocalEngine(Course(), workers=1), RunStore(tmp_path / "s"))
    results = engine.map(enumerate(request(word) for word in words))
    for _ in range(40):
        next(results)
    course = Course()
    assert len(grade(tmp_path / "s", course, words)) == 100
    assert len(course.runs) <= 60
    engine.close()


def test_stored_records_stream_without_piling_up(tmp_path: Path) -> None:
    """A grade answered from the store alone holds no more than one record at a time."""
    words = [f"ok-{number}" for number in range(60)]
    grade(tmp_path / "s", Course(), words)
    drawn = 0

    def counted() -> Iterator[tuple[int, RunRequest]]:
        nonlocal drawn
        for drawn, word in enumerate(words, start=1):
            yield drawn, request(word)

    engine = StoredEngine(LocalEngine(Course(), workers=2), RunStore(tmp_path / "s"))
    for given_out, _ in enumerate(engine.map(counted()), start=1):
        assert drawn <= given_out + 1
    engine.close()
    assert (engine.hits, engine.runs) == (60, 0)


_BASE = RunRequest(
    how=Program(main="a.py", argv=("m",), stdin=b"x"),
    files=(File(path="a.py", content=b"print(1)"),),
    inputs=(File(path="maze.txt", content=b"#"),),
)


@pytest.mark.parametrize(
    "change",
    [
        {"how": Program(main="a.py", argv=("m",), stdin=b"y")},
        {"how": Calls(module="a.py", function="m", arguments=())},
        {"files": (File(path="a.py", content=b"print(2)"),)},
        {"files": (File(path="b.py", content=b"print(1)"),)},
        {"files": (*_BASE.files, File(path="b.py", content=b""))},
        {"inputs": (File(path="maze.txt", content=b"#" * 20_000),)},
        {"inputs": _BASE.files, "files": _BASE.inputs},
        {"limits": Limits(cpu_s=6.0)},
        {"packages": ("msgspec",)},
        {"watch": ("copy",)},
    ],
)
def test_every_part_of_a_request_tells_in_its_digest(change: dict[str, Any]) -> None:
    """Nothing that could change the run is forgotten."""
    digests = RequestDigests("limited")
    assert digests.of(msgspec.structs.replace(_BASE, **change)) != digests.of(_BASE)


def test_the_wall_tells_in_the_digest() -> None:
    """A record from behind a weaker wall is no record of a stronger one."""
    assert RequestDigests("limited").of(_BASE) != RequestDigests("isolated").of(_BASE)


def test_the_order_of_keys_does_not_tell() -> None:
    """Equal data has an equal digest however it was built."""
    first, second = (
        RunRequest(how=Agent(module="a", function="f", world="json:x", setup=setup), files=())
        for setup in ({"a": 1, "b": 2}, {"b": 2, "a": 1})
    )
    digests = RequestDigests("limited")
    assert digests.of(first) == digests.of(second) is not None


def test_the_source_of_a_world_tells_in_the_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent's record depends on the world that answered it."""
    monkeypatch.syspath_prepend(str(tmp_path))
    found = set()
    for name, source in (("world_one", "A = 1"), ("world_two", "A = 2")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(source)
        asked = RunRequest(how=Agent(module="a", function="f", world=f"{name}:W", setup=None), files=())
        found.add(RequestDigests("limited").of(asked))
    assert len(found) == 2
    assert None not in found


def test_a_request_without_plain_form_has_no_digest() -> None:
    """It runs every time; nothing is kept under a wrong name."""
    digests = RequestDigests("limited")
    assert digests.of(RunRequest(how=Calls(module="a", function="f", arguments=((10**40,),)), files=())) is None
    assert digests.of(RunRequest(how=Agent(module="a", function="f", world="nowhere:W", setup=1), files=())) is None


_DIGESTS = RequestDigests("limited")
_files = st.lists(
    st.builds(File, path=st.sampled_from(["a", "b", "ab"]), content=st.binary(max_size=3) | st.just(b"z" * 20_000)),
    max_size=3,
).map(tuple)
_requests = st.builds(
    RunRequest,
    how=st.builds(
        Program, main=st.sampled_from(["a", "b"]), argv=st.lists(st.text(max_size=2), max_size=2).map(tuple)
    ),
    files=_files,
    inputs=_files,
    limits=st.builds(Limits, cpu_s=st.sampled_from([1.0, 2.0])),
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # other work may keep the machine busy
@given(first=_requests, second=_requests)
def test_digests_agree_exactly_where_requests_do(first: RunRequest, second: RunRequest) -> None:
    """Equal requests share a record, different ones never."""
    assert (_DIGESTS.of(first) == _DIGESTS.of(second)) == (first == second)
