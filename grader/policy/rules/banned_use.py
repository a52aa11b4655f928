"""The program used a banned module while it ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.policy.rule import Finding, Findings, Page, PolicySpec, Program, Source, advice, clauses

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.model.run import BanUse, File

PAGE = Page(
    name="banned-use",
    what="While the program ran, its code used a module that this homework bans, whichever way it got there.",
    why="The homework is about writing these steps yourself; the banned library would do them for you.",
    example='tools = __import__(input())  # and somebody types "itertools"\ntools.permutations(cells)',
    instead="Write the steps with plain Python: loops, lists, dicts and functions of your own.",
    written="ban: [itertools, copy]\n  run_time: true",
)


def check(_: Program, __: PolicySpec) -> Findings:
    return iter(())


def findings(uses: Iterable[tuple[str, BanUse]], files: tuple[File, ...], policy: PolicySpec) -> tuple[Finding, ...]:
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
        made = PAGE.find(source, (line, column), message, why=own.get(module, ""), instead=advice(module))
        found.append(msgspec.structs.replace(made, cases=tuple(cases)))
    return tuple(found)
