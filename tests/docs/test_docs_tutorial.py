"""The tutorial works, word for word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from followed_pages import DOCS, blocks, follow_page

if TYPE_CHECKING:
    from pathlib import Path

TUTORIAL = DOCS / "tutorial.md"


def test_following_the_tutorial_gives_what_it_shows(tmp_path: Path) -> None:
    """Every file is written as printed, every command typed as printed, every output seen as printed."""
    assert {block.language for block in blocks(TUTORIAL)} == {"console", "yaml", "python"}
    follow_page(TUTORIAL, tmp_path)
