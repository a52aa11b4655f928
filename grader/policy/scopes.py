"""Reads a file's syntax tree once: its scopes, what each name is bound to, and the places worth a look."""

from __future__ import annotations

import ast
from typing import NamedTuple

from grader.policy.library import bindings

Function = ast.FunctionDef | ast.AsyncFunctionDef
_CONTEXTS = (ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)


class Binding(NamedTuple):
    """One way in which a name gets its value."""

    how: str
    """`path` of an import, `value` of an assignment, `each` of a loop, `add`, `own`, or `?`."""
    node: ast.AST | None = None
    path: str = ""


class Scope:
    """A module, class, function, lambda or comprehension."""

    def __init__(self, node: ast.AST, parent: Scope | None) -> None:
        self.node = node
        self.parent = parent
        self.is_class = isinstance(node, ast.ClassDef)
        self.names: dict[str, list[Binding]] = {}
        self.elsewhere: dict[str, Scope] = {}
        """Names that `global` and `nonlocal` send to an outer scope."""

    def bind(self, name: str, how: str, node: ast.AST | None = None, path: str = "") -> None:
        self.elsewhere.get(name, self).names.setdefault(name, []).append(Binding(how, node, path))

    def holder(self, name: str) -> Scope | None:
        """Return the scope whose name this is, as Python looks it up."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names and (scope is self or not scope.is_class):
                return scope
            scope = scope.parent
        return None


class Scopes:
    """A whole file. Lists are in no order; each entry has its scope."""

    def __init__(self, tree: ast.AST, package: str = "", outer: Scope | None = None) -> None:
        self.package = package
        self.top = Scope(tree, outer)
        self.imports: list[ast.Import | ast.ImportFrom] = []
        self.looks: list[tuple[ast.expr, Scope]] = []
        """Calls, attributes and subscripts that are read; what is returned, or heads a class."""
        self.compared: list[tuple[ast.expr, Scope]] = []
        self.functions: list[tuple[ast.AST, Scope]] = []
        """Each function or lambda with its own scope."""
        self.used: list[tuple[ast.Name, Scope]] = []
        """Names that are read."""
        self._waiting: list[tuple[ast.AST, Scope]] = []
        self._go_on(tree, self.top)
        while self._waiting:
            node, scope = self._waiting.pop()
            handle = _HANDLERS.get(type(node))
            if handle is None or getattr(self, handle)(node, scope):
                self._go_on(node, scope)

    def modules(self, node: ast.Import | ast.ImportFrom) -> list[str]:
        """Return what a statement imports: `from os import path` may mean `os` or `os.path`."""
        is_plain = isinstance(node, ast.Import)
        return (
            [alias.name for alias in node.names] if is_plain else [path for _, path in bindings(node, self.package)]
        )

    def _go_on(self, node: ast.AST, scope: Scope) -> None:
        for field in reversed(node._fields):  # what is pushed last comes first
            value = getattr(node, field, None)
            if type(value) is list:
                self._waiting += [(child, scope) for child in reversed(value) if isinstance(child, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, _CONTEXTS):
                self._waiting.append((value, scope))

    def _import(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> bool:
        self.imports.append(node)
        for name, path in bindings(node, self.package):
            scope.bind(name, "path", node, path)
        return False

    def _name(self, node: ast.Name, scope: Scope) -> bool:
        if isinstance(node.ctx, ast.Load):
            self.used.append((node, scope))
        elif node.id not in scope.names:
            scope.bind(node.id, "?")
        return False

    def _look(self, node: ast.Attribute | ast.Subscript | ast.Call, scope: Scope) -> bool:
        if isinstance(node, ast.Call) or isinstance(node.ctx, ast.Load):
            self.looks.append((node, scope))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in {"startswith", "endswith", "find"}:
            self.compared += [(part, scope) for part in node.args]
        return True

    def _compare(self, node: ast.Compare | ast.MatchValue, scope: Scope) -> bool:
        parts = [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node.value]
        self.compared += [(part, scope) for part in parts]
        return True

    def _return(self, node: ast.Return, scope: Scope) -> bool:
        self.looks += [(node.value, scope)] if node.value else []
        return True

    def _assign(self, node: ast.Assign | ast.AnnAssign | ast.NamedExpr, scope: Scope) -> bool:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target] if node.value else ():
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple | ast.List) and isinstance(node.value, ast.Tuple | ast.List):
                pairs = [*zip(target.elts, node.value.elts, strict=False)]
            for part, value in pairs:
                if isinstance(part, ast.Name):
                    scope.bind(part.id, "value", value)
        return True

    def _bind(self, node: ast.AST, scope: Scope) -> bool:
        """Bind the one name of a loop, of `+=`, of what is caught or matched."""
        target = getattr(node, "target", None)
        name = getattr(target, "id", None) if target else getattr(node, "name", None)
        if name:
            scope.bind(name, _HOW.get(type(node), "?"), getattr(node, "iter", node))
        return True

    def _elsewhere(self, node: ast.Global | ast.Nonlocal, scope: Scope) -> bool:
        for name in node.names:
            outer = scope.parent.holder(name) if scope.parent and isinstance(node, ast.Nonlocal) else self.top
            scope.elsewhere[name] = outer or self.top
        return False

    def _function(self, node: Function | ast.Lambda, scope: Scope) -> bool:
        inner = Scope(node, scope)
        self.functions.append((node, inner))
        for argument in (a for a in ast.walk(node.args) if isinstance(a, ast.arg)):
            inner.names[argument.arg] = [Binding("?")]
        given = [*node.args.posonlyargs, *node.args.args]
        for argument, default in zip(reversed(given), reversed(node.args.defaults), strict=False):
            inner.names[argument.arg] = [Binding("value", default)]
        outside: list[ast.AST | None] = [
            *getattr(node, "decorator_list", ()),
            node.args,
            getattr(node, "returns", None),
        ]
        self._waiting += [(part, scope) for part in outside if part is not None]
        if isinstance(node, ast.Lambda):
            self._waiting.append((node.body, inner))
        else:
            scope.bind(node.name, "own", node)
            self._waiting += [(part, inner) for part in reversed(node.body)]
        return False

    def _class(self, node: ast.ClassDef, scope: Scope) -> bool:
        scope.bind(node.name, "own", node)
        inner = Scope(node, scope)
        for word in node.keywords:  # `class copy(metaclass=__import__)` is a call
            call = ast.Call(word.value, [ast.Constant(node.name)], [])
            self.looks.append((ast.copy_location(call, node), scope))
        self._waiting += [(part, scope) for part in (*node.decorator_list, *node.bases, *node.keywords)]
        self._waiting += [(part, inner) for part in reversed(node.body)]
        return False

    def _comprehension(self, node: ast.expr, scope: Scope) -> bool:
        self._go_on(node, Scope(node, scope))
        return False


_HOW = {ast.AugAssign: "add", ast.For: "each", ast.AsyncFor: "each", ast.comprehension: "each"}
_KINDS: dict[str, tuple[type[ast.AST], ...]] = {
    "_import": (ast.Import, ast.ImportFrom),
    "_name": (ast.Name,),
    "_look": (ast.Attribute, ast.Subscript, ast.Call),
    "_compare": (ast.Compare, ast.MatchValue),
    "_return": (ast.Return,),
    "_assign": (ast.Assign, ast.AnnAssign, ast.NamedExpr),
    "_bind": (ast.AugAssign, ast.For, ast.AsyncFor, ast.comprehension, ast.ExceptHandler, ast.MatchAs, ast.MatchStar),
    "_elsewhere": (ast.Global, ast.Nonlocal),
    "_function": (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda),
    "_class": (ast.ClassDef,),
    "_comprehension": (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
}
_HANDLERS = {kind: handle for handle, kinds in _KINDS.items() for kind in kinds}
