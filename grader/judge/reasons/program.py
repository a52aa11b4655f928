"""Looks into the student's own files: lines, functions, loops; nothing in them is run."""

from __future__ import annotations

import ast
import re
import warnings
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from grader.model.run import Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import Case
    from grader.model.run import File, RunRecord
    from grader.tracebacks import Frame

MOST_BYTES = 200_000
"""Of a file that is parsed: far beyond homework, a moment's work for the parser."""
_SHOWN = 120
_LINE_END = re.compile(r"\r\n|\r|\n")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Defined(NamedTuple):
    """A function of a file, and what it is defined in: nothing, a class, a function, `if __name__ …`."""

    node: Function
    inside: ast.AST | None


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """One mistake: a stable word, a sentence, and the line that shows it."""

    kind: str
    text: str
    place: Place | None = None


class Source:
    """One file."""

    def __init__(self, file: File) -> None:
        self.path = file.path
        self.content = file.content

    @cached_property
    def lines(self) -> list[str]:
        """The lines as the interpreter counts them; letters that aren't UTF-8 are read as Latin-1."""
        start = self.undecodable
        text = self.content.decode("utf-8" if start is None else "latin-1", "replace")
        return _LINE_END.split(text)

    def line(self, number: int) -> str:
        """Return a line without its indentation, cut to what a sentence can hold."""
        text = self.lines[number - 1].strip() if 0 < number <= len(self.lines) else ""
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"

    @cached_property
    def undecodable(self) -> int | None:
        """The place of the first byte that isn't UTF-8; None when all are."""
        try:
            self.content.decode()
        except UnicodeDecodeError as error:
            return error.start
        return None

    @property
    def is_utf16(self) -> bool:
        return self.content.startswith(_UTF16) or b"\0" in self.content[:200]

    def line_of_byte(self, index: int) -> int:
        return len(_LINE_END.split(self.content[:index].decode("latin-1")))

    @cached_property
    def tree(self) -> ast.Module | None:
        """The parsed file; None when Python can't read it, or not in a moment."""
        if len(self.content) > MOST_BYTES:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return ast.parse(self.content)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return None

    def names(self) -> list[str]:
        """Return the names to which the file gives a meaning: variables, parameters, functions, imports."""
        nodes: list[Any] = [*ast.walk(self.tree)] if self.tree else []
        found = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        found += [node.arg for node in nodes if isinstance(node, ast.arg)]
        found += [node.name for node in nodes if isinstance(node, Function | ast.ClassDef)]
        return found + [(node.asname or node.name) for node in nodes if isinstance(node, ast.alias)]

    def functions(self) -> Iterator[Defined]:
        """Give every function, outer ones first."""
        waiting: list[tuple[ast.AST, ast.AST | None]] = [(self.tree, None)] if self.tree else []
        for node, inside in waiting:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, Function):
                    yield Defined(child, inside)
                holds = isinstance(child, Function | ast.ClassDef) or _is_guard(child)
                waiting.append((child, child if holds else inside))

    def function(self, name: str) -> Function | None:
        """Return the function that an import of the file gives under this name."""
        found = [defined.node for defined in self.functions() if defined.node.name == name and not defined.inside]
        return found[-1] if found else None

    def loop_around(self, number: int) -> ast.While | ast.For | None:
        """Return the loop that a line is in: the innermost `while`, else the innermost `for`, of its function."""
        around = [
            node
            for node in (ast.walk(self.tree) if self.tree else ())
            if isinstance(node, ast.While | ast.For | Function) and node.lineno <= number <= (node.end_lineno or 0)
        ]
        around.sort(key=lambda node: node.lineno)
        begins = max((at for at, node in enumerate(around) if isinstance(node, Function)), default=-1)
        loops = [node for node in around[begins + 1 :] if isinstance(node, ast.While | ast.For)]
        whiles = [node for node in loops if isinstance(node, ast.While)]
        return (whiles or loops or [None])[-1]


def _is_guard(node: ast.AST) -> bool:
    """Tell whether it is `if __name__ == "__main__":`, whose block isn't run by an import."""
    names = ast.walk(node.test) if isinstance(node, ast.If) else ()
    return any(isinstance(name, ast.Name) and name.id == "__name__" for name in names)


class Program:
    """The files of a submission; those that were handed over."""

    def __init__(self, files: tuple[File, ...]) -> None:
        self._sources = {file.path: Source(file) for file in files}

    def source(self, path: str) -> Source | None:
        return self._sources.get(path)

    def __iter__(self) -> Iterator[Source]:
        return iter(self._sources.values())

    def at(self, frame: Frame | None) -> Place | None:
        """Return the place in our files of a traceback's frame, whatever folder it was in."""
        if frame is None:
            return None
        own = [path for path in self._sources if frame.path == path or frame.path.endswith(f"/{path}")]
        path = max(own, key=len, default=None)
        return Place(path=path, line=frame.line) if path else None

    def line(self, place: Place | None) -> str:
        """Return the source line at a place; empty when there is none."""
        source = self._sources.get(place.path) if place else None
        return source.line(place.line) if source and place else ""

    def quoted(self, place: Place | None) -> str:
        """Return the line for a sentence: ` (`x = 1`)`."""
        line = self.line(place)
        return f" (`{line}`)" if line else ""


class Run(NamedTuple):
    """One run, and all that a reason may be drawn from."""

    case: Case
    record: RunRecord
    program: Program
    kit: object = None

    @property
    def main(self) -> Source | None:
        """The file that is run or imported."""
        return self.program.source(self.case.kind.run.module)
