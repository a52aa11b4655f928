"""Every page in Debian's Firefox: what readers with another browser see."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from report_pages import PAGES

if TYPE_CHECKING:
    from pathlib import Path

pytest_plugins = ["report_fixtures"]


@pytest.fixture(scope="module")
def seen(npm: Path, firefox: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Open every page at 1280 and 390 pixels in the dark; return what a reader finds there."""
    assert npm.is_dir()
    folder = tmp_path_factory.mktemp("firefox")
    for name, page in PAGES.items():
        (folder / f"{name}.html").write_text(page(), encoding="utf-8")
    pages = [(folder / f"{name}.html").as_uri() for name in PAGES]
    done = subprocess.run(["node", str(firefox), *pages], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return dict(zip(PAGES, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("name", PAGES)
def test_firefox_shows_it_whole(name: str, seen: dict[str, dict[str, Any]]) -> None:
    """No request, nothing that the content policy refuses, nothing that sticks out; drawings are there."""
    page = seen[name]
    assert page["complaints"] == []
    for width in ("wide", "narrow"):
        assert page[width]["isDark"]
        assert not page[width]["sticksOut"], width
    assert page["narrow"]["drawn"] >= page["narrow"]["players"], "each unfolded player has a board at least"
    assert (page["wide"]["drawn"] > 0) == (name == "submission")
    assert (page["wide"]["rows"] > 0) == (name == "class")


def test_firefox_plays_by_keys(seen: dict[str, dict[str, Any]]) -> None:
    """The player, which is unpacked in the browser, is moved by keys alone."""
    first, second, last, fork = seen["submission"]["steps"]
    assert first.startswith("0 / ")
    assert second.startswith("1 / ")
    assert last.split(" / ")[0] == last.split(" / ")[1]
    assert fork not in (first, last)
