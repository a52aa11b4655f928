"""Says what plain expressions may be: names by their bindings, constants joined, choices and lists."""

from __future__ import annotations

import ast
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from grader.policy import fold, library
from grader.policy.things import BAG, OWN, VARS, Bag, Thing, Values, members, plain, resolved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from grader.policy.program import Program
    from grader.policy.scopes import Binding, Scope, Scopes

_ALTERNATIVES = 8
_DEPTH = 60


class Expressions:
    """The expressions of one file; each is looked at once, to a bounded depth and within the program's steps."""

    LOOKS: ClassVar[dict[type[ast.AST], str]] = {
        ast.Constant: "_constant",
        ast.Name: "_name",
        ast.BinOp: "_binary",
        ast.UnaryOp: "_negative",
        ast.JoinedStr: "_text",
        **dict.fromkeys((ast.List, ast.Tuple, ast.Set, ast.Dict), "_sequence"),
        **dict.fromkeys((ast.IfExp, ast.BoolOp, ast.NamedExpr, ast.Await, ast.Starred), "_either"),
    }
    """Kind of node → the method that looks at it."""

    def __init__(self, program: Program, path: str, scopes: Scopes) -> None:
        self.program = program
        self.path = path
        self.scopes = scopes
        self._depth = 0
        self._known: dict[int, Values] = {}
        self._names: dict[tuple[int, str], list[object]] = {}

    def values(self, node: ast.AST | None, scope: Scope) -> Values:
        """Return what an expression may be; nothing where it isn't known."""
        look = self.LOOKS.get(type(node)) if node else None
        if look is None:
            return ()
        if id(node) not in self._known:
            self.program.spend(1)
            self._known[id(node)] = ()
            if self._depth == _DEPTH:
                self.program.limited[self.path] = "nests expressions deeper than a scan looks"
                return ()
            self._depth += 1
            self._known[id(node)] = getattr(self, look)(node, scope)[:_ALTERNATIVES]
            self._depth -= 1
        return self._known[id(node)]

    def _name(self, node: ast.Name, scope: Scope) -> Values:
        """Return whatever a name is bound to in its scope; what is asked for meanwhile sees what is known so far."""
        holder = scope.holder(node.id)
        if holder is None:
            given = {"__builtins__": (Thing("builtins"), Thing(f"builtins{VARS}"))}
            return given.get(node.id) or ((Thing(f"builtins.{node.id}"),) if node.id in library.BUILTINS else ())
        if (id(holder), node.id) not in self._names:
            found = self._names[id(holder), node.id] = []
            for binding in holder.names[node.id]:
                found += [v for v in self._bound(binding, found, holder) if len(found) < _ALTERNATIVES]
        return tuple(self._names[id(holder), node.id])

    def _bound(self, binding: Binding, before: list[object], scope: Scope) -> Values:
        if binding.how == "path":
            return (OWN if self.program.own(binding.path, self.path) else resolved(binding.path),)
        if binding.how == "add":
            assert isinstance(binding.node, ast.AugAssign)
            return self._operate(type(binding.node.op), tuple(before), self.values(binding.node.value, scope))
        values = self.values(binding.node, scope)
        if binding.how == "each":
            return tuple(islice((part for v in values for part in members(v)), _ALTERNATIVES))
        return (OWN,) if binding.how == "own" else values

    def _constant(self, node: ast.Constant, _: Scope) -> Values:
        return (node.value,) if fold.is_constant(node.value) else ()

    def _binary(self, node: ast.BinOp, scope: Scope) -> Values:
        return self._operate(type(node.op), self.values(node.left, scope), self.values(node.right, scope))

    def _operate(self, kind: type[ast.AST], left: Values, right: Values) -> Values:
        pairs = [(kind, plain(a), plain(b)) for a in left or (fold.HOLE,) for b in right or (fold.HOLE,)]
        return self._folded(fold.operation, pairs if left or right else [])

    def _folded(self, function: Callable[..., object], choices: Iterable[tuple[Any, ...]]) -> Values:
        """Apply one of our own operations to each choice of constants, and pay for the size of what comes out."""
        made = []
        for choice in islice(choices, _ALTERNATIVES):
            try:
                value = function(*choice)
            except fold.NotKnown:
                continue
            size = len(value) if isinstance(value, str | bytes | tuple) else 0
            self.program.spend(1 + size // 64)
            made += [value] if size <= fold.LARGEST else []
        return tuple(made)

    def _text(self, node: ast.JoinedStr, scope: Scope) -> Values:
        parts = [self.values(p.value if isinstance(p, ast.FormattedValue) else p, scope)[:1] for p in node.values]
        texts = tuple(str(p[0]) if p and isinstance(p[0], str | int) else fold.HOLE for p in parts)
        return self._folded(fold.method, [("", "join", [texts])])

    def _sequence(self, node: ast.List | ast.Tuple | ast.Set | ast.Dict, scope: Scope) -> Values:
        nodes = node.values if isinstance(node, ast.Dict) else node.elts
        members = [self.values(part, scope) for part in nodes]
        if not isinstance(node, ast.Dict) and all(len(m) == 1 and fold.is_constant(m[0]) for m in members):
            return (tuple(member[0] for member in members),)
        return (Bag(tuple(value for member in members for value in member or (fold.HOLE,))[:BAG]),)

    def _negative(self, node: ast.UnaryOp, scope: Scope) -> Values:
        values = self.values(node.operand, scope) if isinstance(node.op, ast.USub) else ()
        return tuple(-value for value in values if isinstance(value, int))

    def _either(self, node: ast.IfExp | ast.BoolOp | ast.NamedExpr | ast.Await | ast.Starred, scope: Scope) -> Values:
        parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else getattr(node, "values", None)
        return tuple(value for part in parts or [node.value] for value in self.values(part, scope))  # type: ignore[union-attr]
