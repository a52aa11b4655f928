"""A file of the submission takes the place of a banned module."""

from __future__ import annotations

from grader.policy.library import bindings
from grader.policy.rule import Findings, Page, PolicySpec, Program

PAGE = Page(
    name="own-module",
    what="A file of the submission has the name of a banned module, and an import finds it before the library's. "
    "A note for staff: it costs nothing.",
    why="Your own code is allowed. Staff look at it once, since the name promises the banned library.",
    example="import copy  # finds the copy.py beside it",
    instead="Give your file a name of its own, such as `grid_copy.py`.",
    written="ban: [itertools, copy]",
)


def check(program: Program, _: PolicySpec) -> Findings:
    for source in program.python() if program.bans else ():
        scopes = program.scopes(source)
        for node in scopes.imports:
            for __, path in bindings(node, scopes.package):
                own = program.own(path, source.path) if program.ban_of(path) else ""
                if own:
                    yield PAGE.note(source, node, f"`{path}` is here the submission's own file `{own}`.")
                    break
