"""One submission's files, with what is banned: everything that a rule may ask for."""

from __future__ import annotations

import posixpath
import sys
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from grader.policy import library
from grader.policy.look import Look, Scope
from grader.policy.source import Source, gather

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.run import File

_DEEPEST = 20
"""Folders in folders that an import of the student's own may name."""
_ROOT = "<own>"
"""The package of a file that stands in no folder."""


class Program:
    """A submission under a ban; `runs` names the files that the assignment starts (none: each file counts)."""

    def __init__(self, files: tuple[File, ...], bans: tuple[str, ...], runs: tuple[str, ...]) -> None:
        self.sources = gather(files)
        self.bans = bans
        self.limited: dict[str, str] = {}
        """Path → why the look at that file is incomplete."""
        self._runs = runs
        self._stems = {part.removesuffix(".py") for path in self.sources for part in path.split("/")}
        names = [(ban, name) for ban in bans for name in {ban, library.resolve(ban), f"builtins.{ban}"}]
        self._banned = [(ban, name, f"{name}.") for ban, name in names]
        self._looks: dict[str, Look] = {}

    def python(self) -> Iterator[Source]:
        """Return the Python files, in the order in which they were handed in."""
        return (source for source in self.sources.values() if source.is_python)

    def running(self) -> list[Source]:
        """Return the Python files that belong to the program and can be read."""
        return [source for source in self.python() if source.path in self.reached and not source.problem]

    def look(self, source: Source) -> Look:
        """Look through a file, once."""
        if source.path not in self._looks:
            self._looks[source.path] = Look(self, source.path, Scope(source.tree))
        return self._looks[source.path]

    def package(self, path: str) -> str:
        return ".".join((_ROOT, *PurePosixPath(path).parent.parts))

    def ban_of(self, path: str) -> str:
        """Return the entry of the ban that a dotted path falls under."""
        return next((ban for ban, name, inside in self._banned if path == name or path.startswith(inside)), "")

    def told(self, path: str) -> str:
        """Say what a banned path is."""
        ban = self.ban_of(path)
        return f"`{path}` of {library.called(ban)}" if path.startswith(f"{ban}.") else library.called(ban)

    def module(self, text: str) -> str:
        """Return the dotted path that a text names for an importer: `copy:copy`, `ext://copy.copy`, `…/copy.py`."""
        name = text.rpartition("://")[2]
        name = posixpath.basename(name).removesuffix(".py") if name.endswith(".py") else name.replace(":", ".")
        return name if name.replace(".", "").isidentifier() and not self.own(name, "") else ""

    def own(self, dotted: str, importer: str) -> str:
        """Return the submission's file that an import of `dotted` finds; "" for the library's."""
        if dotted.startswith(_ROOT):
            return dotted  # a relative import leads nowhere else
        first, *_ = names = dotted.split(".")[:_DEEPEST]
        if first in sys.builtin_module_names or first not in self._stems:
            return ""
        for parent in PurePosixPath(importer or "x").parents:
            if self.ban_of(first) and str(parent / "__init__.py") in self.sources:
                continue  # inside a package the plain import finds the library's
            places = [parent.joinpath(*names[:end]) for end in range(len(names), 0, -1)]
            files = [str(file) for place in places for file in (place.with_suffix(".py"), place / "__init__.py")]
            for file in files:
                if file in self.sources:
                    return file
        return ""

    @cached_property
    def reached(self) -> frozenset[str]:
        """Paths of the Python files that the program is made of: those started, and whatever they name."""
        files = {source.path: source for source in self.python()}
        reached = {path for path in files if path in self._runs}
        waiting = [*reached]
        while waiting:
            named, is_open = self._named(files[waiting.pop()])
            found = {p for p in files if is_open or not named.isdisjoint(p.removesuffix(".py").split("/"))} - reached
            reached |= found
            waiting += found
        return frozenset(reached or files)

    def _named(self, source: Source) -> tuple[set[str], bool]:
        """Return the words by which a file may name others, and whether it imports what can't be read."""
        look = self.look(source)
        paths = [path for node in look.imports for _, path in library.bindings(node, look.package)]
        paths += [alias.name for node in look.imports for alias in node.names]
        words = {word for path in (*paths, *look.imported) for word in path.replace("/", ".").split(".")}
        return words, bool(look.hides or source.problem or source.path in self.limited)
