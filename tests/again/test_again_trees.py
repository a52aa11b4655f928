"""Promises of the digest of files: every byte and name counts, and what can't be told for sure is refused."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from grader.again.trees import LITTER, Inventory, OddError
from grader.intake import folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def digest(path: Path, *, follow: bool = False) -> bytes:
    return Inventory((str(path),), follow=follow).digest


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "tree" / "below").mkdir(parents=True)
    (tmp_path / "tree" / "a.py").write_text("ab")
    (tmp_path / "tree" / "below" / "b.py").write_text("cd")
    (tmp_path / "outside").write_text("ef")
    return tmp_path / "tree"


CHANGES: dict[str, Callable[[Path], object]] = {
    "byte": lambda tree: (tree / "a.py").write_text("aB"),
    "name": lambda tree: (tree / "a.py").rename(tree / "c.py"),
    "place": lambda tree: (tree / "a.py").rename(tree / "below" / "a.py"),
    "new file": lambda tree: (tree / "below" / "c.py").touch(),
    "new folder": lambda tree: (tree / "c").mkdir(),
    "gone": lambda tree: (tree / "a.py").unlink(),
    "link": lambda tree: (tree / "link").symlink_to("a.py"),
    "shifted bytes": lambda tree: ((tree / "a.py").write_text("a"), (tree / "below" / "b.py").write_text("bcd")),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_counts(tree: Path, change: Callable[[Path], object]) -> None:
    """Two trees have the same digest only if a reader finds the same in them."""
    before = digest(tree)
    change(tree)
    assert digest(tree) != before


def test_a_link_counts_as_what_it_leads_to_only_where_links_are_followed(tree: Path) -> None:
    """A student's link is only a link; a catalogue's is the file behind it."""
    (tree / "link").symlink_to("../outside")
    plain, followed = digest(tree), digest(tree, follow=True)
    (tree.parent / "outside").write_text("gh")
    assert digest(tree) == plain
    assert digest(tree, follow=True) != followed


@pytest.mark.parametrize("kind", ["pipe", "broken link", "loop"])
def test_what_cant_be_told_is_odd(tree: Path, kind: str) -> None:
    """A pipe, a link into nowhere, a folder that holds itself: nobody vouches for those."""
    if kind == "pipe":
        os.mkfifo(tree / "odd")
    else:
        (tree / "odd").symlink_to("nowhere" if kind == "broken link" else ".")
    with pytest.raises(OddError):
        digest(tree, follow=True)


def test_a_missing_root_is_a_fact(tree: Path) -> None:
    """A folder that comes to be changes the digest."""
    before = digest(tree / "later")
    (tree / "later").mkdir()
    assert digest(tree / "later") != before


def test_litter_is_what_intake_never_enters() -> None:
    """No folder is left out of the digest whose files could be graded."""
    assert LITTER <= folder._SKIPPED
