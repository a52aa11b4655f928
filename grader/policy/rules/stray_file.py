"""A file that Python would run or load without being asked."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from grader.model.result import Severity
from grader.policy.rule import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import PolicySpec
    from grader.model.result import Finding
    from grader.policy.desk import Desk

PAGE = Page(
    name="stray-file",
    what="The submission has a compiled file or one that Python runs at its start: `.pyc`, `.so`, `.pth`, "
    "`sitecustomize.py`. It is left out of the run. A note for staff: it costs nothing.",
    why="Such files can't be read, or change how every program starts. They mostly come from a folder packed whole.",
    example="# __pycache__/maze.cpython-311.pyc",
    instead="Hand in the `.py` files only; delete `__pycache__` before you pack the folder.",
    written="# always on",
)
_SUFFIXES = {
    ".pyc": "compiled Python",
    ".pyo": "compiled Python",
    ".so": "a compiled library",
    ".pyd": "a compiled library",
    ".dll": "a compiled library",
    ".dylib": "a compiled library",
    ".pth": "run when Python starts",
}
_NAMES = {"sitecustomize.py", "usercustomize.py"}


def check(desk: Desk, _: PolicySpec) -> Iterator[Finding]:
    """Give a note for each such file."""
    for source in desk.sources.values():
        path = PurePosixPath(source.path)
        what = "run when Python starts" if path.name in _NAMES else _SUFFIXES.get(path.suffix.lower(), "")
        if what:
            yield PAGE.find(source, (1, 1), f"`{path.name}` is {what}.", severity=Severity.REVIEW)
