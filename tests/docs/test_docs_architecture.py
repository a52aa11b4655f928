"""docs/architecture.md names what is there."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/architecture.md").read_text()
WALK = sorted(set(re.findall(r"`(grader\.[a-z_.]+\.[A-Za-z_]+)`", PAGE)))
ROOMS = sorted(path.name for path in (ROOT / "grader").iterdir() if (path / "__init__.py").exists())


@pytest.mark.parametrize("name", WALK)
def test_every_function_of_the_walk_exists(name: str) -> None:
    """A reader can follow the walk in the code."""
    module, _, attribute = name.rpartition(".")
    assert hasattr(importlib.import_module(module), attribute)


@pytest.mark.parametrize("room", [*ROOMS, "wiring"])
def test_every_room_has_its_row(room: str) -> None:
    """The table of rooms is whole, but for the vocabulary itself."""
    assert room == "model" or f"\n| `{room}` |" in PAGE


def test_the_drawn_layers_are_the_checked_ones() -> None:
    """What the page draws is what `lint-imports` keeps."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = [
        {part.strip(" ()").removeprefix("grader.") for part in layer.split("|")}
        for layer in next(contract["layers"] for contract in contracts if contract["name"] == "rooms")
    ]
    lines = PAGE.split("`lint-imports` in `make check`):")[1].split("## One submission")[0].strip().splitlines()
    assert [set(re.split(r" \| |, ", line.strip())) for line in lines] == layers
