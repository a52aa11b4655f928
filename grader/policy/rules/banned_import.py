"""A banned module or name is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.policy.reach import reaches
from grader.policy.rule import Page, clauses
from grader.policy.words import may_reach

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import PolicySpec
    from grader.model.result import Finding
    from grader.policy.desk import Desk

PAGE = Page(
    name="banned-import",
    what="The program reaches a module, or a name in a module, that this homework bans: by an import, by an importer "
    "such as `__import__`, in a text that it executes, or through another module that holds it.",
    why="The homework is about writing these steps yourself; the banned library would do them for you.",
    example="import copy\n\ngrid = copy.deepcopy(maze)",
    instead="Write it with plain Python: `grid.copy()`, `[row[:] for row in grid]`, loops and list comprehensions "
    "are fine.",
    written="ban: [itertools, copy, functools.reduce]",
)


def check(desk: Desk, policy: PolicySpec) -> Iterator[Finding]:
    """Give one finding for each step into what is banned."""
    own = {clause.name: clause.message for clause in clauses(policy.ban, policy)}
    for source in desk.python():
        if not may_reach(source, desk.banned):
            continue
        seen: set[tuple[int, int]] = set()
        for reach in reaches(desk, source.path):
            place = (getattr(reach.node, "lineno", 1), getattr(reach.node, "col_offset", 0))
            if place not in seen:
                seen.add(place)
                message = f"{reach.how[0].upper()}{reach.how[1:]}."
                why = own.get(reach.ban) or policy.messages.get(PAGE.name, "")
                yield PAGE.find(source, reach.node, message, why=why)
