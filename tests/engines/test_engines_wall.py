"""Promises of the remembered wall: it is believed as long as nothing runs, and proven before anything does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from test_engines_local import request

from grader.engines.store import RunStore
from grader.engines.stored import StoredEngine
from grader.engines.wall import WallMemory
from grader.errors import SandboxError
from grader.model.result import Isolation
from grader.model.run import RunRecord, RunRequest
from grader.model.verdict import Ending

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


class Walled:
    """An engine that counts how often its wall is tried."""

    def __init__(self, level: str) -> None:
        self._level = level
        self.tries = 0

    @property
    def isolation(self) -> Isolation:
        self.tries += 1
        return Isolation(level=self._level)

    def map(self, requests: Iterable[tuple[int, RunRequest | RunRecord]]) -> Iterator[tuple[int, RunRecord]]:
        for key, asked in requests:
            yield key, asked if isinstance(asked, RunRecord) else RunRecord(ending=Ending.EXITED)

    def close(self) -> None:
        pass


def grade(folder: Path, walled: Walled, *words: str, fresh: bool = False) -> str:
    store = RunStore(folder)
    engine = StoredEngine(walled, store, fresh=fresh, wall=WallMemory(store))  # type: ignore[arg-type]  # keys are numbers here
    try:
        list(engine.map(enumerate(request(word) for word in words)))
        return engine.isolation.level
    finally:
        engine.close()


def test_a_wall_is_tried_once_when_nothing_runs(tmp_path: Path) -> None:
    """The second grade, which runs nothing, builds no wall either."""
    assert grade(tmp_path / "s", Walled("isolated"), "ok-1") == "isolated"
    again = Walled("isolated")
    assert grade(tmp_path / "s", again, "ok-1") == "isolated"
    assert again.tries == 0


def test_a_wall_is_tried_before_anything_runs(tmp_path: Path) -> None:
    """A new submission runs behind a wall that holds now, not one that held once."""
    grade(tmp_path / "s", Walled("isolated"), "ok-1")
    again = Walled("isolated")
    grade(tmp_path / "s", again, "ok-1", "ok-2")
    assert again.tries == 1


def test_a_weaker_wall_never_runs_under_the_old_name(tmp_path: Path) -> None:
    """The grade stops before the first run, and the next one knows the wall as it is."""
    grade(tmp_path / "s", Walled("isolated"), "ok-1")
    with pytest.raises(SandboxError, match="'limited' now"):
        grade(tmp_path / "s", Walled("limited"), "ok-2")
    assert grade(tmp_path / "s", Walled("limited"), "ok-2") == "limited"


def test_fresh_believes_nothing(tmp_path: Path) -> None:
    """`--fresh` tries the wall, too."""
    grade(tmp_path / "s", Walled("isolated"), "ok-1")
    again = Walled("limited")
    assert grade(tmp_path / "s", again, "ok-1", fresh=True) == "limited"
    assert again.tries == 1
