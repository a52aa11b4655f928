"""A file that Python would run or load without being asked."""

from __future__ import annotations

from pathlib import PurePosixPath

from grader.policy.rule import Findings, Page, PolicySpec, Program

PAGE = Page(
    name="stray-file",
    what="The submission has a compiled file or one that Python runs at its start: `.pyc`, `.so`, `.pth`, "
    "`sitecustomize.py`. It is left out of the run. A note for staff: it costs nothing.",
    why="Such files can't be read, or change how every program starts. They mostly come from a folder packed whole.",
    example="# __pycache__/maze.cpython-311.pyc",
    instead="Hand in the `.py` files only; delete `__pycache__` before you pack the folder.",
    written="# always on",
)
_KINDS = {
    "compiled Python": {".pyc", ".pyo"},
    "a compiled library": {".so", ".pyd", ".dll", ".dylib"},
    "run when Python starts": {".pth", "sitecustomize.py", "usercustomize.py"},
}


def check(program: Program, _: PolicySpec) -> Findings:
    for source in program.sources.values():
        path = PurePosixPath(source.path)
        for what, names in _KINDS.items():
            if path.name in names or path.suffix.lower() in names:
                yield PAGE.note(source, (1, 1), f"`{path.name}` is {what}.")
