"""Promises of the pages that tell what hunts find: no wrong solution is missing or gone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGES = sorted(Path("docs/hunts").glob("*.md"))
NOT_HUNTED = {"AC", "PV"}


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_each_wrong_solution_has_its_counterexample(page: Path) -> None:
    """The solutions told are those in `reference/solutions` whose answers are wrong, in their order."""
    told = re.findall(r"^## (\S+)$", page.read_text(), re.MULTILINE)
    folders = Path("reference/solutions", page.stem).glob("*/*")
    wrong = {f"{path.parent.name}/{path.name}" for path in folders if path.parent.name not in NOT_HUNTED}
    assert len(told) == len(set(told))
    assert set(told) == wrong


def test_the_pages_are_in_the_site() -> None:
    assert PAGES
    site = Path("mkdocs.yml").read_text()
    assert [page.stem for page in PAGES if f"hunts/{page.name}" not in site] == []
