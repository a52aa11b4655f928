"""Says how what is banned is reached: by an import statement, by a search, and in which words."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from grader.policy import library
from grader.policy.things import resolved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.policy.program import Program
    from grader.policy.scopes import Scopes

_TELLING, _LONG = 4, 6
"""Letters of a name: a longer part of it, and a longer name, are no chance likeness."""


class Reach(NamedTuple):
    """One step from outside into what is banned, or with no `ban` a doubt."""

    node: ast.AST
    ban: str
    how: str
    """The step in one clause, with the code in back quotes."""


def imported(program: Program, file: str, node: ast.Import | ast.ImportFrom, scopes: Scopes) -> Iterator[Reach]:
    """Look at what a statement imports."""
    is_plain = isinstance(node, ast.Import)
    for alias, path in zip(node.names, scopes.modules(node), strict=True):
        home = path if is_plain or alias.name == "*" else path.rpartition(".")[0]
        real = resolved(path).path
        ban = "" if program.own(path, file) else program.ban_of(path) or program.ban_of(real)
        if ban and (program.ban_of(home) or program.ban_of(path)):
            start = "import" if is_plain else f"from {home} import"
            yield Reach(alias, ban, f"`{start} {alias.name}` brings in {program.called(ban)}")
        elif ban:
            yield Reach(alias, ban, f"`{alias.name}` in `{home}` is {told(program, real)}")


def searched(program: Program, home: str, search: Reach, texts: set[str]) -> Iterator[Reach]:
    """Look at a search, in a file with these texts, through a module's names or everything alive."""
    if home:
        held = {name: ban for name, real in library.holds(home).items() if (ban := program.ban_of(real))}
        meant = [name for name in held if name in texts and (name[0] == "_" or len(name) > _LONG)]
    else:
        parts = [part for text in texts if len(part := text.strip("_")) > _TELLING]
        held = {name: ban for ban in program.bans for name in sorted(program.members(ban))}
        meant = [name for name in held if any(part in name and 2 * len(part) >= len(name) for part in parts)]
    for name in meant[:1]:
        ban = held[name]
        yield Reach(search.node, ban, f"this {search.how}, and `{name}` is a name of {program.called(ban)}")
    if held and not meant:
        yield search


def told(program: Program, path: str) -> str:
    """Say what a banned path is."""
    path, ban = path.removesuffix("()"), program.ban_of(path)
    called = program.called(ban)
    return f"`{path}` of {called}" if path.startswith(f"{ban}.") else called
