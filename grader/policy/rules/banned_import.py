"""A banned module or name is reached."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

from grader.policy.rule import Findings, Page, PolicySpec, Program, advice, clauses

if TYPE_CHECKING:
    from grader.policy.trace import Reach

PAGE = Page(
    name="banned-import",
    what="The program reaches a module, or a name in a module, that this homework bans: by an import, by an importer "
    "such as `__import__`, in a text that it executes, or through another module that holds it.",
    why="The homework is about writing these steps yourself; the banned library would do them for you.",
    example="import copy\n\ngrid = copy.deepcopy(maze)",
    instead="Write the steps with plain Python: loops, lists, dicts and functions of your own.",
    written="ban: [itertools, copy, functools.reduce]",
)


def check(program: Program, policy: PolicySpec) -> Findings:
    own = {clause.name: clause.message for clause in clauses(policy.ban, policy)}
    for source in program.python() if program.bans else ():
        seen: set[tuple[int, int]] = set()
        used = {node.id for node, _ in program.scopes(source).used}
        for reach in program.trace(source).reaches:
            place = (getattr(reach.node, "lineno", 1), getattr(reach.node, "col_offset", 0))
            if reach.ban and place not in seen:
                seen.add(place)
                message = f"{reach.how[0].upper()}{reach.how[1:]}.{_more(program, used, reach)}"
                why = own.get(reach.ban) or policy.messages.get(PAGE.name, "")
                yield PAGE.find(source, reach.node, message, why=why, instead=advice(reach.ban))


def _more(program: Program, used: set[str], reach: Reach) -> str:
    """Say what else the writer of an import may not know."""
    top, node = reach.ban.partition(".")[0], reach.node
    if not isinstance(node, ast.alias):
        return ""
    if top in sys.builtin_module_names and any(path.split("/")[-1] == f"{top}.py" for path in program.sources):
        return f" Your own `{top}.py` isn't found: a module built into Python comes before a file of that name."
    name = node.asname or node.name.partition(".")[0]
    return "" if name in used or name == "*" else " It isn't even used: delete the line."
