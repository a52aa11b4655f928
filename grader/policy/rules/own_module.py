"""A file of the submission takes the place of a banned module."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from grader.model.result import Severity
from grader.policy.rule import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import PolicySpec
    from grader.model.result import Finding
    from grader.policy.desk import Desk

PAGE = Page(
    name="own-module",
    what="A file of the submission has the name of a banned module, and an import finds it before the library's. "
    "A note for staff: it costs nothing.",
    why="Your own code is allowed. Staff look at it once, since the name promises the banned library.",
    example="import copy  # finds the copy.py beside it",
    instead="Give your file a name of its own, such as `grid_copy.py`.",
    written="ban: [itertools, copy]",
)


def check(desk: Desk, _: PolicySpec) -> Iterator[Finding]:
    """Give a note for each import of a banned name that the submission's own file answers."""
    answered = any(desk.own(name, source.path)[0] for name in desk.banned for source in desk.python())
    for source in desk.python() if answered else ():
        for node in ast.walk(source.tree_or_empty):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            for name in names:
                own = desk.own(name, source.path)[0] if desk.is_banned(name) else None
                if own is not None:
                    message = f"`{name}` is here the submission's own file `{own}`."
                    yield PAGE.find(source, node, message, severity=Severity.REVIEW)
