"""Walks through one file in the order in which it runs: scopes, imports, and what each name may be."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from grader.policy import library

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.policy.program import Program

Values = tuple[object, ...]
"""What an expression may be or hold: constants, things, own things; nothing where it isn't known."""
MOST = 40
"""Values of one expression."""
LONGEST = 200
"""Letters of a path, and parts of an expression that is shown."""
_DEPTH = 60
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Thing(NamedTuple):
    """A thing of the library by its dotted path.

    `()` after it is what it returned, `.__dict__` its namespace, `[]` a list or dict that holds it.
    """

    path: str


class Own(NamedTuple):
    """Something of the student's: a function, a class, or what an own file holds."""

    node: ast.AST | None = None


class Scope:
    """A module, class, function, lambda or comprehension, with what its names may be."""

    def __init__(self, node: ast.AST, outer: Scope | None = None) -> None:
        self.node = node
        self.outer = outer
        self.names: dict[str, Values] = {}
        self.elsewhere: dict[str, Scope] = {}
        """Names that `global` and `nonlocal` send to an outer scope."""

    def bind(self, name: str, values: Values = ()) -> None:
        names = self.elsewhere.get(name, self).names
        names[name] = (*names.get(name, ()), *values)[:MOST]

    def holder(self, name: str) -> Scope | None:
        """Return the scope whose name this is, as Python looks it up."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names and (scope is self or not isinstance(scope.node, ast.ClassDef)):
                return scope
            scope = scope.outer
        return None


class Walk:
    """One file. A function's body comes after all that is around it, as when the program runs."""

    def __init__(self, program: Program, path: str, package: str, top: Scope) -> None:
        self.program = program
        self.path = path
        self.package = package
        self.top = top
        self.imports: list[ast.Import | ast.ImportFrom] = []
        self.functions: list[Function] = []
        self.used: set[str] = set()
        """Names that are read."""
        self.depth = 0
        self._next: list[tuple[ast.AST, Scope]] = []
        """A stack: the last is looked at first."""
        self._later: list[tuple[ast.AST, Scope]] = []

    def run(self) -> None:
        """Walk through the whole file."""
        self._push(ast.iter_child_nodes(self.top.node), self.top)
        while self._next or self._later:
            if not self._next:
                self._next, self._later = self._later[::-1], []
            node, scope = self._next.pop()
            handle = _STATEMENTS.get(type(node))
            if handle:
                getattr(self, handle)(node, scope)
            elif isinstance(node, ast.expr):
                self.values(node, scope)
            else:
                self._push(ast.iter_child_nodes(node), scope)

    def values(self, node: ast.AST | None, scope: Scope) -> Values:
        """Return what an expression may be, after a look at all that is in it."""
        if node is None:
            return ()
        self.program.spend(1)
        if self.depth == _DEPTH:
            self.program.limited[self.path] = "nests expressions deeper than a scan looks"
            return ()
        self.depth += 1
        found = self.look(node, scope)[:MOST]
        self.depth -= 1
        return found

    def look(self, node: ast.AST, scope: Scope) -> Values:
        """Return what any of the parts may be."""
        parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
        return tuple(value for part in parts for value in self.values(part, scope))

    def bind(self, target: ast.AST, values: Values, scope: Scope) -> None:
        """Bind a name, several, or a place whose parts are only looked at."""
        if isinstance(target, ast.Name):
            scope.bind(target.id, values)
        elif isinstance(target, ast.Tuple | ast.List | ast.Starred):
            for part in [target.value] if isinstance(target, ast.Starred) else target.elts:
                self.bind(part, out_of(values), scope)
        else:
            Walk.look(self, target, scope)

    def function(self, node: Function, scope: Scope) -> Values:
        """Look at a function's parameters, and later at its body."""
        self.functions.append(node)
        inner = Scope(node, scope)
        given = [*node.args.posonlyargs, *node.args.args]
        parameters = [*given, *node.args.kwonlyargs, *filter(None, [node.args.vararg, node.args.kwarg])]
        inner.names = {parameter.arg: () for parameter in parameters}
        for parameter, default in zip(reversed(given), reversed(node.args.defaults), strict=False):
            inner.names[parameter.arg] = self.values(default, scope)
        for part in (*node.args.kw_defaults, *(parameter.annotation for parameter in parameters)):
            self.values(part, scope)
        self._later += [(part, inner) for part in ([node.body] if isinstance(node, ast.Lambda) else node.body)]
        return (Own(node),)

    def _push(self, nodes: Iterable[ast.AST], scope: Scope) -> None:
        self._next += [(node, scope) for node in reversed([*nodes])]

    def _assign(self, node: ast.Assign | ast.AnnAssign, scope: Scope) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        parts = getattr(targets[0], "elts", []) if len(targets) == 1 else []
        given = getattr(node.value, "elts", [])
        if parts and len(parts) == len(given):
            for part, value in zip(parts, given, strict=True):
                self.bind(part, self.values(value, scope), scope)
        else:
            values = self.values(node.value, scope)
            for target in targets:
                self.bind(target, values, scope)
        self._push([node.annotation] if isinstance(node, ast.AnnAssign) else [], scope)

    def _for(self, node: ast.For | ast.AsyncFor, scope: Scope) -> None:
        self.bind(node.target, out_of(self.values(node.iter, scope)), scope)
        self._push([*node.body, *node.orelse], scope)

    def _named(self, node: ast.AST, scope: Scope) -> None:
        """Bind what is caught, matched or opened."""
        scope.bind(getattr(node, "name", None) or "")
        parts = [*ast.iter_child_nodes(node)]
        if isinstance(node, ast.withitem) and node.optional_vars:
            self.bind(parts.pop(), (), scope)
        self._push(parts, scope)

    def _elsewhere(self, node: ast.Global | ast.Nonlocal, scope: Scope) -> None:
        for name in node.names:
            outer = scope.outer.holder(name) if scope.outer and isinstance(node, ast.Nonlocal) else self.top
            scope.elsewhere[name] = outer or self.top

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        scope.bind(node.name, self.function(node, scope))
        self._push([*node.decorator_list, *filter(None, [node.returns])], scope)

    def _class(self, node: ast.ClassDef, scope: Scope) -> None:
        scope.bind(node.name, (Own(node),))
        self._push(node.body, Scope(node, scope))
        called = [ast.Call(word.value, [ast.Constant(node.name)], []) for word in node.keywords]
        self._push([ast.copy_location(call, node) for call in called], scope)  # `class copy(metaclass=__import__)`
        self._push([*node.decorator_list, *node.bases], scope)


def out_of(values: Values) -> Values:
    """Return what is taken out of a list or dict: by a subscript, a loop, a call."""
    return tuple(Thing(value.path.removesuffix("[]")) if isinstance(value, Thing) else value for value in values)


def resolved(path: str) -> Thing:
    return Thing(library.resolve(path) if len(path) < LONGEST else "")


_KINDS: dict[str, tuple[type[ast.AST], ...]] = {
    "_import": (ast.Import, ast.ImportFrom),
    "_assign": (ast.Assign, ast.AnnAssign),
    "_augment": (ast.AugAssign,),
    "_for": (ast.For, ast.AsyncFor),
    "_named": (ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.withitem),
    "_elsewhere": (ast.Global, ast.Nonlocal),
    "_function": (ast.FunctionDef, ast.AsyncFunctionDef),
    "_class": (ast.ClassDef,),
    "_compare": (ast.MatchValue,),
}
_STATEMENTS = {kind: handle for handle, kinds in _KINDS.items() for kind in kinds}
