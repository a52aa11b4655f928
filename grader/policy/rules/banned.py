"""Rules on what is banned: reached by reading, used at run time, or not to be decided."""

from __future__ import annotations

import ast
import re
import sys
from typing import TYPE_CHECKING

import msgspec

from grader.model.assignment import RuleName
from grader.policy.library import BUILTINS
from grader.policy.rule import Finding, Findings, PolicySpec, Program, Rule, Source, advice, clauses, rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.model.run import BanUse, File
    from grader.policy.look import Reach

_MOST = 20
"""Notes on one file; who reads twenty looks at the whole."""


@rule(
    name=RuleName.BANNED_IMPORT,
    what="The program reaches a module, or a name in a module, that this homework bans: by an import, by an importer "
    "such as `__import__`, in a text that it executes, or through another module that holds it.",
    why="The homework is about writing these steps yourself; the banned library would do them for you.",
    example="import copy\n\ngrid = copy.deepcopy(maze)",
    instead="Write the steps with plain Python: loops, lists, dicts and functions of your own.",
    written="ban: [itertools, copy, functools.reduce]",
)
def banned_import(page: Rule, program: Program, policy: PolicySpec) -> Findings:
    return _reached(page, program, policy, builtin=False)


def _reached(page: Rule, program: Program, policy: PolicySpec, *, builtin: bool) -> Findings:
    """Find the steps into what is banned, each place once."""
    own = {clause.name: clause.message for clause in clauses(policy.ban, policy)}
    for source in program.python() if any((ban in BUILTINS) is builtin for ban in own) else ():
        look = program.look(source)
        reaches = [reach for reach in look.reaches if reach.ban and (reach.ban in BUILTINS) is builtin]
        places = {(getattr(r.node, "lineno", 1), getattr(r.node, "col_offset", 0)): r for r in reversed(reaches)}
        for reach in places.values():
            message = f"{reach.how[0].upper()}{reach.how[1:]}.{_more(program, look.used, reach)}"
            why = own.get(reach.ban) or page.reason(policy)
            yield page.find(source, reach.node, message, why=why, instead=advice(reach.ban))


def _more(program: Program, used: set[str], reach: Reach) -> str:
    """Say what else the writer of an import may not know."""
    top, node = reach.ban.partition(".")[0], reach.node
    if not isinstance(node, ast.alias):
        return ""
    if top in sys.builtin_module_names and any(path.split("/")[-1] == f"{top}.py" for path in program.sources):
        return f" Your own `{top}.py` isn't found: a module built into Python comes before a file of that name."
    name = node.asname or node.name.partition(".")[0]
    return "" if name in used or name == "*" else " It isn't even used: delete the line."


@rule(
    name=RuleName.BANNED_BUILTIN,
    what="The program uses a builtin function that this homework bans, by its name or under another one.",
    why="The function would do what the homework asks you to write, or it hides what the program does.",
    example='answer = eval(input("Your move: "))',
    instead="Do the step in your own code.",
    written="ban: [eval, sorted]",
)
def banned_builtin(page: Rule, program: Program, policy: PolicySpec) -> Findings:
    return _reached(page, program, policy, builtin=True)


@rule(
    name="hidden-way",
    what="The program does something by which a banned module could be reached, and reading it can't tell whether it "
    "is. A note for staff: it costs nothing.",
    why="Such code is seldom needed in homework and hides what the program does.",
    example='module = __import__(input("Which one? "))',
    instead="Import modules by their name at the top of the file, and write the steps out.",
    written="ban: [itertools, copy]",
)
def hidden_way(page: Rule, program: Program, _: PolicySpec) -> Findings:
    tops = "|".join(re.escape(ban.partition(".")[0]) for ban in program.bans if ban not in BUILTINS)
    for source in program.python() if tops else ():
        for reach in [reach for reach in program.look(source).reaches if not reach.ban][:_MOST]:
            message = f"This {reach.how}; whether it reaches a banned module can't be told by reading."
            yield page.note(source, reach.node, message)
        for number, line in enumerate(source.lines, 1):
            if ">>>" in line and re.match(rf"\s*>>>\s*(?:from|import)\s+(?:{tops})\b", line):
                yield page.note(source, (number, line.index(">") + 1), "This doctest imports what is banned.")
                break


@rule(
    name=RuleName.BANNED_USE,
    what="While the program ran, its code used a module that this homework bans, whichever way it got there.",
    why="The homework is about writing these steps yourself; the banned library would do them for you.",
    example='tools = __import__(input())  # and somebody types "itertools"\ntools.permutations(cells)',
    instead="Write the steps with plain Python: loops, lists, dicts and functions of your own.",
    written="ban: [itertools, copy]\n  run_time: true",
)
def banned_use(_: Rule, __: Program, ___: PolicySpec) -> Findings:
    return iter(())  # the watch sees it, not the scan: see `used`


def used(uses: Iterable[tuple[str, BanUse]], files: tuple[File, ...], policy: PolicySpec) -> tuple[Finding, ...]:
    """Return what was seen at run time, each place once, with the ids of the cases that showed it."""
    own = {clause.name: clause.message for clause in clauses(policy.ban, policy)}
    sources = {file.path: Source(file.path, file.content) for file in files}
    seen: dict[tuple[str, int, str], dict[str, None]] = {}
    for case, use in uses:
        seen.setdefault((use.path, use.line, use.module), {})[case] = None
    found = []
    for (path, line, module), cases in sorted(seen.items()):
        source = sources.get(path, Source(path, b""))
        column = len(source.line(line)) - len(source.line(line).lstrip()) + 1
        message = f"While it ran, the program used `{module}`, which is banned."
        made = banned_use.find(source, (line, column), message, why=own.get(module, ""), instead=advice(module))
        found.append(msgspec.structs.replace(made, cases=tuple(cases)))
    return tuple(found)
