"""A cluster by certificate: who has the file belongs to it, nobody else gets a word in."""

from __future__ import annotations

import stat
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import dask
import pytest
import yaml
from click.testing import CliRunner
from clusters import Cluster, opened, request

from grader.cli.cluster import cluster as cluster_command
from grader.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytest_plugins = ["engine_fixtures"]


def settings(file: Path) -> dict[str, Any]:
    """Write new settings by the command, and return what a machine that has them reads."""
    done = CliRunner().invoke(cluster_command, ["certificates", str(file)])
    assert done.exit_code == 0, done.output
    assert f"export DASK_CONFIG={file}" in done.output
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    return dict(_flat("distributed", yaml.safe_load(file.read_text())["distributed"]))


def _flat(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield each setting by its full name: within a process dask replaces whole branches otherwise."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _flat(f"{name}.{key}", part)
    else:
        yield name, value


@pytest.fixture(scope="module")
def member(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, Any]]]:
    """Start a scheduler and workers with a certificate; return the address and a member's settings."""
    folder = tmp_path_factory.mktemp("tls")
    own = settings(folder / "cluster.yaml")
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch, dask.config.set(own):
        patch.setenv("DASK_CONFIG", str(folder / "cluster.yaml"))
        yield Cluster(folder, stack).url, own


def test_members_grade_over_an_encrypted_line(member: tuple[str, dict[str, Any]], runs: Path) -> None:
    """The command's file is all that scheduler, workers and client need."""
    address, own = member
    assert address.startswith("tls://")
    with dask.config.set(own), opened(address, runs) as engine:
        found = {key: record.stdout.content() for key, record in engine.map(enumerate([request("ok-1")]))}
    assert found == {0: b"1"}


def test_a_stranger_gets_no_word_in(
    member: tuple[str, dict[str, Any]], runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither without a certificate nor with another one."""
    monkeypatch.setattr("grader.engines.dask._CONNECT_S", 5)
    address, own = member
    nothing = dict.fromkeys(own)
    with dask.config.set(nothing), pytest.raises(UsageError, match="asks for a certificate"):
        opened(address, runs).__enter__()
    with dask.config.set(settings(tmp_path / "other.yaml")), pytest.raises(UsageError, match="no dask scheduler"):
        opened(address, runs).__enter__()


def test_a_certificate_in_use_is_not_replaced(tmp_path: Path) -> None:
    """Machines that have the file would be locked out."""
    settings(tmp_path / "cluster.yaml")
    done = CliRunner().invoke(cluster_command, ["certificates", str(tmp_path / "cluster.yaml")])
    assert isinstance(done.exception, UsageError)
