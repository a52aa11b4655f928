"""The desk: one submission's files laid out for the trace."""

from __future__ import annotations

import ast
import posixpath
import sys
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from grader.policy import library
from grader.policy.parse import parse_text
from grader.policy.survey import Survey
from grader.policy.trace import Trace
from grader.policy.values import HOLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.policy.scopes import Scope
    from grader.policy.sources import Source
    from grader.policy.values import Values

ROOT = "<root>"
"""The package of a file that stands in no folder; its relative imports lead nowhere else."""
_DISGUISED = 100_000
_TEXTS = 400
"""Texts executed by the program that are looked into, per submission."""


class Desk:
    """Everything about a submission that one file's trace may ask for."""

    def __init__(self, sources: tuple[Source, ...], banned: tuple[str, ...]) -> None:
        self.sources = {source.path: source for source in sources}
        self.banned = banned
        self._heads = {part.removesuffix(".py") for path in self.sources for part in path.split("/")}
        pairs = [(name, (name, library.resolve(name))) for name in banned]  # `functools.reduce` lives in `_functools`
        self._bans = [(name, both, tuple(head + end for head in both for end in ".(")) for name, both in pairs]
        self._traces: dict[str, Trace] = {}
        self._texts = 0

    def python(self) -> Iterator[Source]:
        """Give the Python files, in the order in which they were handed in."""
        return (source for source in self.sources.values() if source.is_python)

    def disguised(self) -> Iterator[Source]:
        """Give the files under another name that hold a banned word and parse as Python."""
        for source in self.sources.values():
            if source.is_python or len(source.content) > _DISGUISED or b"\0" in source.content:
                continue
            if any(name.partition(".")[0] in source.text for name in self.banned) and source.is_parsed:
                yield source

    def is_banned(self, path: str) -> str:
        """Give the entry of the ban that a canonical path falls under."""
        return next((name for name, heads, tails in self._bans if path in heads or path.startswith(tails)), "")

    def trace(self, path: str) -> Trace:
        if path not in self._traces:
            package = ".".join(PurePosixPath(path).parent.parts) or ROOT
            survey = Survey(self.sources[path].tree_or_empty, package=package)
            self._traces[path] = Trace(self, path, survey)
        return self._traces[path]

    def close(self) -> None:
        """Let go of the trees at once; their scopes refer to each other in circles."""
        for trace in self._traces.values():
            for survey in trace.surveys:
                for scope in (survey.scope, *survey.inner.values()):
                    scope.names.clear()
            trace.surveys.clear()
        self._traces.clear()

    def attribute(self, path: str, name: str) -> Values:
        """Give what a name at the top of one of the submission's files may be."""
        trace = self.trace(path)
        return trace.lookup(name, trace.survey.scope) if name not in library.BUILTINS else ()

    def own(self, dotted: str, importer: str) -> tuple[str | None, list[str]]:
        """Give the submission's file that a dotted path means, and the names that remain."""
        parts = dotted.removeprefix(f"{ROOT}.").split(".")
        if parts[0] in sys.builtin_module_names or parts[0] not in self._heads:
            return None, []
        for folder in self._folders(importer, is_banned=bool(self.is_banned(parts[0]))):
            for length in range(len(parts), 0, -1):
                place = posixpath.join(folder, *parts[:length])
                for candidate in (f"{place}.py", f"{place}/__init__.py"):
                    if candidate in self.sources:
                        return candidate, parts[length:]
        return None, []

    def _folders(self, importer: str, *, is_banned: bool) -> list[str]:
        folders = [str(folder) if str(folder) != "." else "" for folder in PurePosixPath(importer).parents]
        if is_banned:  # inside a package the plain import finds the library's
            folders = [f for f in folders if posixpath.join(f, "__init__.py") not in self.sources]
        return folders

    def text_of(self, path: str) -> str | None:
        """Give the text of the submission's file that a path, perhaps with holes, leads to."""
        tail = path.rpartition(HOLE)[2].lstrip("/").removeprefix("./")
        found = [source for source in self.sources.values() if tail and source.path.endswith(tail)]
        return found[0].text if found else None

    def library_file(self, path: str) -> str:
        """Give the banned module whose own source stands at `path`."""
        if not path.endswith((".py", ".pyc")) or HOLE in path:
            return ""
        for name in self.banned:
            place = library.source_of(name)
            if place is not None and posixpath.normpath(path) == str(place):
                return name
        return ""

    def evaluate(self, trace: Trace, text: str, scope: Scope) -> Values:
        """Give what an expression in a text is worth where it is evaluated."""
        survey = self.survey_text(trace, text, scope)
        body = survey.scope.node if survey else None
        if survey is None or not isinstance(body, ast.Module) or not body.body:
            return ()
        last = body.body[-1]
        return trace.values(last.value, survey.scope) if isinstance(last, ast.Expr) else ()

    def survey_text(self, trace: Trace, text: str, scope: Scope) -> Survey | None:
        """Survey a text that the program executes, inside the scope where it does."""
        self._texts += 1
        tree = parse_text(text) if self._texts < _TEXTS else None
        if tree is None:
            return None
        survey = Survey(tree, package=ROOT, around=scope)
        trace.surveys.append(survey)
        return survey
