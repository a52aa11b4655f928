"""Puts the toy kits on the import path, and a catalogue to spoil into a folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

DATA = Path(__file__).parent.parent / "data" / "catalogue"


@pytest.fixture(autouse=True)
def _toy_kits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DATA / "kits"))


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy a catalogue of one good assignment, `sums`; its paths are shown from the folder above it."""
    shutil.copytree(DATA / "good", tmp_path / "cases")
    monkeypatch.chdir(tmp_path)
    return Path("cases")
