"""Fixtures of all engines' tests."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from clusters import Cluster

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(tmp_path_factory.mktemp("cluster"), stack)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Return the folder in which every run leaves its name and its worker's process id."""
    folder = tmp_path / "runs"
    folder.mkdir()
    return folder
