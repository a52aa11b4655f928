"""Small parts of a plain git server: slots, privacy, the lines git gives a hook."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import gitrepo
import pytest

from grader.forge.git import Repository
from grader.forge.tag import read_pushed
from grader.submit.course import slot

if TYPE_CHECKING:
    from pathlib import Path

_HOLD = """
import sys, time
from pathlib import Path
from grader.submit.course import slot
with slot(Path(sys.argv[1]), 1):
    print("held", flush=True)
    time.sleep(600)
"""


def test_a_full_machine_lets_the_next_wait(tmp_path: Path) -> None:
    """With both slots held a third worker is told to wait, and goes on when one is free."""
    waiting, entered = threading.Event(), threading.Event()

    def third() -> None:
        with slot(tmp_path, 2, waiting=waiting.set):
            entered.set()

    with slot(tmp_path, 2):
        with slot(tmp_path, 2):
            worker = threading.Thread(target=third)
            worker.start()
            assert waiting.wait(60)
            assert not entered.is_set()
        assert entered.wait(60)
        worker.join()


def test_a_killed_holder_frees_its_slot(tmp_path: Path) -> None:
    """Kill -9 leaves no slot taken for ever."""
    with subprocess.Popen([sys.executable, "-c", _HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        holder.kill()
    with slot(tmp_path, 1):
        pass


@pytest.mark.parametrize("how", ["nothing", "exported", "shared"])
def test_only_what_git_shows_to_everybody_is_public(tmp_path: Path, how: str) -> None:
    """A repository is private unless exported or shared with the world."""
    folder = gitrepo.new_repository(tmp_path / "student")
    if how == "exported":
        (folder / ".git" / "git-daemon-export-ok").touch()
    if how == "shared":
        gitrepo.git(folder, "config", "core.sharedRepository", "world")
    assert Repository(folder).is_private() is (how == "nothing")


def test_a_hooks_lines_are_read_whatever_the_name(tmp_path: Path) -> None:
    """Branches have no tag, deletions are known, names that are no UTF-8 break nothing."""
    none, some = b"0" * 40, b"a" * 40
    lines = [
        none + b" " + some + b" refs/tags/v1\n",
        some + b" " + none + b" refs/tags/v\xff\n",
        some + b" " + some + b" refs/heads/main\n",
    ]
    found = list(read_pushed(lines))
    assert [(tag.name, tag.is_deletion) for tag in found] == [("v1", False), ("v\udcff", True)]
