"""Promises of what is known: one key for all that a result hangs on, and no word on what may come out otherwise."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from doubling import case, plan, student
from msgspec.structs import replace

from grader.cache.known import Judged, Known
from grader.cache.store import Store
from grader.engines.worker import SandboxFactory
from grader.judge.transcript import Expect
from grader.model.assignment import PolicyCost, PolicySpec
from grader.model.file_names import cache_folder
from grader.model.result import CaseResult, Evidence, Isolation
from grader.model.run import BanUse, Limits
from grader.model.verdict import Level, Verdict
from grader.wiring import Settings, open_engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from grader.pipeline.prepare import Plan, Prepared

PLAN = plan(case(1))
WALL = Isolation(level="isolated", mechanisms=("seccomp",))
ANN = student("ann")


def judged(verdict: Verdict = Verdict.WA, **more: Any) -> Judged:
    result = CaseResult(facts=PLAN.cases[0].case.facts, verdict=verdict, points=0.5, message="so", **more)
    return Judged(result=result, uses=(BanUse(module="copy", path="double.py", line=1),), timed_out=True)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "cache")) as opened:
        yield opened


def known(store: Store, asked: Plan = PLAN, **more: Any) -> Known:
    facts: dict[str, Any] = {"code": b"w", "isolation": WALL} | more
    return Known(store, assignment=asked.assignment, **facts)


def keep(store: Store, put: Prepared, judged: Judged, **more: Any) -> None:
    with closing(known(store, **more)) as open_:
        open_.keep(ANN, put, judged)


def test_a_result_comes_back_whole(store: Store) -> None:
    """With the banned uses, and whether it counts as a time-out; for the same files under any name."""
    keep(store, PLAN.cases[0], judged())
    assert known(store).recall(ANN, PLAN.cases[0]) == judged()
    assert known(store).recall(replace(ANN, id="another", origin="elsewhere"), PLAN.cases[0]) == judged()
    assert known(store, fresh=True).recall(ANN, PLAN.cases[0]) is None


@pytest.mark.parametrize(
    "other",
    [
        {"code": b"x"},
        {"isolation": Isolation(level="confined", mechanisms=("seccomp",))},
        {"isolation": Isolation(level="isolated", mechanisms=())},
        {"asked": plan(case(1, title="T"))},
        {"asked": plan(case(1, points=2.0))},
        {"asked": plan(case(1, hint="h"))},
        {"asked": plan(case(1, limits=Limits(cpu_s=2)))},
        {"asked": plan(case(1, options={"x": 1}))},
        {"asked": plan(case(1, partial={"sign": 0.5}))},
        {"asked": plan(case(1), policy=PolicySpec(ban=("itertools",), run_time=True))},
        {"asked": plan(case(1), policy=PolicySpec(ban=("itertools",), cost=PolicyCost.WARNING))},
        {"submission": student("ann", "print(3)\n")},
        {"submission": replace(ANN, files=(*ANN.files, *student("x").files))},
    ],
)
def test_whatever_differs_is_another_question(store: Store, other: dict[str, Any]) -> None:
    """No answer is given to a question that was not asked before."""
    keep(store, PLAN.cases[0], judged())
    submission = other.pop("submission", ANN)
    asked = other.get("asked", PLAN)
    assert known(store, **other).recall(submission, asked.cases[0]) is None


@pytest.mark.parametrize(
    "unsettled",
    [
        judged(Verdict.JE),
        judged(Verdict.SK),
        judged(Verdict.WA, outage=True),
        judged(Verdict.WA, evidence=Evidence(is_undrawn=True)),
    ],
    ids=["JE", "SK", "outage", "undrawn"],
)
def test_what_may_come_out_otherwise_is_not_kept(store: Store, unsettled: Judged) -> None:
    """Our own faults are tried again; what was skipped was never judged."""
    keep(store, PLAN.cases[0], unsettled)
    assert known(store).recall(ANN, PLAN.cases[0]) is None


def test_below_confined_nothing_is_kept(store: Store) -> None:
    """There a program could write into the store whatever it likes."""
    keep(store, PLAN.cases[0], judged(), isolation=Isolation(level="none"))
    assert known(store, isolation=Isolation(level="none")).recall(ANN, PLAN.cases[0]) is None


def test_a_transcript_is_part_of_the_key(store: Store, tmp_path: Path) -> None:
    """What its file holds, and not its name, is what a judge reads."""
    path = tmp_path / "case.out"
    path.write_text("2\n")
    asked = PLAN.cases[0].case
    kind = replace(asked.kind, judge="transcript")
    put = replace(PLAN.cases[0], case=replace(asked, kind=kind, expect=Expect(transcript=str(path))))
    keep(store, put, judged())
    assert known(store).recall(ANN, put) == judged()
    path.write_text("3\n")
    assert known(store).recall(ANN, put) is None


def test_an_entry_that_cannot_be_read_is_none(store: Store) -> None:
    """What another program wrote there under the right key is no result."""
    asked = known(store)
    store.put(asked._key(ANN, PLAN.cases[0]), b"\xc1 nothing of ours")
    assert asked.recall(ANN, PLAN.cases[0]) is None


class WeakSandbox:
    """A sandbox whose programs can reach the user's files."""

    isolation = Isolation(level="none")

    def __init__(self, *, packages: tuple[str, ...] = ()) -> None: ...

    def close(self) -> None: ...


def test_a_store_within_reach_of_programs_is_emptied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After anything ran at `none`, nothing in the store is believed by a later grade."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(
        "grader.wiring.sandbox_factory", lambda _plan: SandboxFactory(factory="test_cache_known:WeakSandbox")
    )
    with closing(Store(cache_folder())) as store:
        store.put(b"key", b"AC")
    with open_engine(Settings(workers=1, require=Level.NONE)):
        pass
    with closing(Store(cache_folder())) as store:
        assert store.get(b"key") is None
