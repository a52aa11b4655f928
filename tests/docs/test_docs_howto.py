"""The how-to pages work, word for word."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from followed_pages import blocks, follow
from programs import program, programs

ROOT = Path(__file__).parents[2]
CLASS = ("AC/classes", "WA/always_faces_north", "PV/copies_the_grid")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Lay out what the pages begin with: a class of three, and one's own solution."""
    for name in CLASS:
        shutil.copytree(programs("lefthand") / name, tmp_path / "class" / Path(name).name)
    shutil.copytree(program("lefthand/WA/right_hand"), tmp_path / "mine")
    return tmp_path


def without_numbers(line: str) -> str:
    return re.sub(r"\d+", "0", " ".join(line.split()))


@pytest.mark.parametrize("page", ["instructor", "student", "ci"])
def test_following_a_page_gives_what_it_shows(page: str, course: Path) -> None:
    """Every command is typed as printed, every output seen as printed, but for numbers: the catalogue grows."""
    typed = [block for block in blocks(ROOT / "docs" / "howto" / f"{page}.md") if block.language == "console"]
    assert len(typed) >= 2
    for block in typed:
        follow(block.body, course, seen=without_numbers)
