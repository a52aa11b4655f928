"""Surveys a syntax tree in one pass: scopes, bindings, places to look at."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from grader.policy.library import bindings_of
from grader.policy.scopes import Binding, How, Scope

if TYPE_CHECKING:
    from collections.abc import Callable

_PLAIN = (ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.expr_context)
_LEAVES: frozenset[type] = frozenset(
    {int, str, bool, type(None), ast.Constant, ast.Name, ast.alias, ast.MatchSingleton, ast.Pass, ast.Break}
    | {ast.Continue, *(kind for family in _PLAIN for kind in family.__subclasses__())}
)
"""Nodes, and plain fields of nodes, that hold nothing to look at."""
_DULL = frozenset(
    {"ctx", "op", "ops", "id", "attr", "name", "names", "lineno", "type_comment", "kind", "level", "arg"}
)
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}


class Survey:
    """What one pass over a tree found."""

    def __init__(self, tree: ast.AST, *, package: str = "", around: Scope | None = None) -> None:
        self.package = package
        self.scope = Scope(around, tree)
        self.imports: list[tuple[ast.Import | ast.ImportFrom, Scope]] = []
        self.reads: list[tuple[ast.Attribute | ast.Subscript, Scope]] = []
        self.calls: list[tuple[ast.Call, Scope]] = []
        self.stores: list[ast.Attribute] = []
        self.notes: list[tuple[ast.Constant, Scope]] = []
        """Texts that stand where an annotation does: Python may evaluate them."""
        self.returns: dict[int, list[tuple[ast.expr, Scope]]] = {}
        self.fields: dict[str, list[tuple[ast.AST, Scope]]] = {}
        """What is assigned to an attribute of a name, whoever owns it."""
        self.parameters: dict[str, set[str]] = {}
        """Names of the parameters of all functions of a name."""
        self.inner: dict[int, Scope] = {}
        """The scope inside each function, class and comprehension."""
        self._stack: list[tuple[ast.AST, Scope]] = [(tree, self.scope)]
        self._run()

    def _run(self) -> None:
        stack, leaves, handlers = self._stack, _LEAVES, _HANDLERS
        while stack:
            node, scope = stack.pop()
            kind = node.__class__
            if kind in leaves:
                continue
            handler = handlers.get(kind)
            if handler is not None:
                handler(self, node, scope)
                continue
            for field in _FIELDS.get(kind) or _fields(kind):
                child: Any = getattr(node, field, None)
                if child.__class__ is list:
                    stack.extend([(item, scope) for item in child if item.__class__ not in leaves])
                elif child.__class__ not in leaves:
                    stack.append((child, scope))

    def visit(self, node: ast.AST | None, scope: Scope) -> None:
        if node is not None:
            self._stack.append((node, scope))

    def children(self, node: ast.AST, scope: Scope) -> None:
        for child in ast.iter_child_nodes(node):
            self._stack.append((child, scope))

    def attribute(self, node: ast.Attribute, scope: Scope) -> None:
        if node.ctx.__class__ is ast.Load:
            self.reads.append((node, scope))
        else:
            self.stores.append(node)
        if node.value.__class__ is not ast.Name:
            self._stack.append((node.value, scope))

    def subscript(self, node: ast.Subscript, scope: Scope) -> None:
        if node.ctx.__class__ is ast.Load:
            self.reads.append((node, scope))
        self._stack.extend([(part, scope) for part in (node.value, node.slice) if part.__class__ not in _LEAVES])

    def call(self, node: ast.Call, scope: Scope) -> None:
        self.calls.append((node, scope))
        if node.func.__class__ is not ast.Name:
            self._stack.append((node.func, scope))
        for item in node.args:
            if item.__class__ not in _LEAVES:
                self._stack.append((item, scope))
        for word in node.keywords:
            if word.value.__class__ not in _LEAVES:
                self._stack.append((word.value, scope))

    def imported(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        self.imports.append((node, scope))
        for name, target in bindings_of(node, self.package):
            if name == "*":
                scope.stars.append(target)
            else:
                scope.bind(name, Binding(How.IMPORT, node, scope, target=target))

    def function(self, node: _Function, scope: Scope) -> None:
        inner = self.inner[id(node)] = Scope(scope, node)
        if not isinstance(node, ast.Lambda):
            scope.bind(node.name, Binding(How.DEFINED, node, scope))
            for decorator in node.decorator_list:
                self._stack.append((decorator, scope))
            self._annotation(node.returns, scope)
        arguments = node.args
        for default in (*arguments.defaults, *arguments.kw_defaults):
            self.visit(default, scope)
        positional = [*arguments.posonlyargs, *arguments.args]
        named = [*positional, *arguments.kwonlyargs]
        extra = [arg for arg in (arguments.vararg, arguments.kwarg) if arg]
        if named and not isinstance(node, ast.Lambda):
            self.parameters.setdefault(node.name, set()).update([arg.arg for arg in named])
        for place, arg in enumerate([*named, *extra]):
            self._annotation(arg.annotation, scope)
            how = How.PARAMETER if place < len(named) else How.OPAQUE
            inner.names.setdefault(arg.arg, []).append(Binding(how, node, inner, place))
        if isinstance(node, ast.Lambda):
            self.returns[id(node)] = [(node.body, inner)]
            self._stack.append((node.body, inner))
        else:
            self._stack.extend([(item, inner) for item in reversed(node.body)])

    def returned(self, node: ast.Return | ast.Yield, scope: Scope) -> None:
        if node.value is not None:
            self.returns.setdefault(id(scope.node), []).append((node.value, scope))
            self._stack.append((node.value, scope))

    def klass(self, node: ast.ClassDef, scope: Scope) -> None:
        scope.bind(node.name, Binding(How.DEFINED, node, scope))
        for part in (*node.decorator_list, *node.bases, *(word.value for word in node.keywords)):
            self._stack.append((part, scope))
        inner = self.inner[id(node)] = Scope(scope, node, is_class=True)
        self._stack.extend([(item, inner) for item in reversed(node.body)])

    def comprehension(self, node: _Comprehension, scope: Scope) -> None:
        inner = self.inner[id(node)] = Scope(scope, node)
        for place, generator in enumerate(node.generators):
            self.target(generator.target, How.ELEMENT, generator.iter, inner)
            self._stack.append((generator.iter, inner if place else scope))
            self._stack.extend([(test, inner) for test in generator.ifs])
        for part in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            self._stack.append((part, inner))

    def target(self, target: ast.AST, how: How, value: ast.AST, scope: Scope) -> None:
        """Bind the names of an assignment's left side."""
        if isinstance(target, ast.Name):
            home = scope
            if how is How.VALUE and isinstance(value, ast.NamedExpr):
                value = value.value
            home.bind(target.id, Binding(how, value, scope))
        elif isinstance(target, ast.Tuple | ast.List):
            self._unpack(target, how, value, scope)
        elif isinstance(target, ast.Starred):
            self.target(target.value, How.OPAQUE, value, scope)
        else:
            if how is How.VALUE and isinstance(target, ast.Attribute):
                self.fields.setdefault(target.attr, []).append((value, scope))
            self._stack.append((target, scope))

    def _unpack(self, target: ast.Tuple | ast.List, how: How, value: ast.AST, scope: Scope) -> None:
        for place, part in enumerate(target.elts):
            if how is How.VALUE and isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
                self.target(part, how, value.elts[place], scope)
            elif how is How.VALUE and isinstance(part, ast.Name):
                scope.bind(part.id, Binding(How.PART, value, scope, place))
            else:
                self.target(part, How.OPAQUE, value, scope)

    def assign(self, node: ast.Assign, scope: Scope) -> None:
        for target in node.targets:
            self.target(target, How.VALUE, node.value, scope)
        if node.value.__class__ not in _LEAVES:
            self._stack.append((node.value, scope))

    def annotated(self, node: ast.AnnAssign, scope: Scope) -> None:
        self._annotation(node.annotation, scope)
        if node.value is not None:
            self.target(node.target, How.VALUE, node.value, scope)
            self._stack.append((node.value, scope))

    def _annotation(self, node: ast.AST | None, scope: Scope) -> None:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.notes.append((node, scope))
        else:
            self.visit(node, scope)

    def added(self, node: ast.AugAssign, scope: Scope) -> None:
        if isinstance(node.target, ast.Name):
            scope.bind(node.target.id, Binding(How.ADDED, node, scope))
        else:
            self._stack.append((node.target, scope))
        self._stack.append((node.value, scope))

    def named(self, node: ast.NamedExpr, scope: Scope) -> None:
        home = scope
        while isinstance(home.node, _Comprehension) and home.parent is not None:
            home = home.parent
        home.bind(node.target.id, Binding(How.VALUE, node.value, scope))
        self._stack.append((node.value, scope))

    def loop(self, node: ast.For | ast.AsyncFor, scope: Scope) -> None:
        self.target(node.target, How.ELEMENT, node.iter, scope)
        self._stack.append((node.iter, scope))
        self._stack.extend([(item, scope) for item in (*node.body, *node.orelse)])

    def entered(self, node: ast.withitem, scope: Scope) -> None:
        if node.optional_vars is not None:
            self.target(node.optional_vars, How.VALUE, node.context_expr, scope)
        self._stack.append((node.context_expr, scope))

    def caught(self, node: ast.ExceptHandler, scope: Scope) -> None:
        if node.name:
            scope.bind(node.name, Binding(How.OPAQUE, node, scope))
        self.visit(node.type, scope)
        self._stack.extend([(item, scope) for item in node.body])

    def elsewhere(self, node: ast.Global | ast.Nonlocal, scope: Scope) -> None:
        if isinstance(node, ast.Global):
            scope.outside.update(node.names)
            for name in node.names:
                scope.module.names.setdefault(name, []).extend(scope.names.pop(name, []))
        elif scope.parent is not None:
            for name in node.names:
                scope.names[name] = scope.parent.names.setdefault(name, [])

    def captured(self, node: ast.AST, scope: Scope) -> None:
        name = getattr(node, "name", None) or getattr(node, "rest", None)
        if name:
            scope.bind(name, Binding(How.OPAQUE, node, scope))
        self.children(node, scope)


def _fields(kind: type[ast.AST]) -> tuple[str, ...]:
    _FIELDS[kind] = found = tuple(field for field in kind._fields if field not in _DULL)
    return found


_HANDLERS: dict[type[ast.AST], Callable[..., None]] = {
    ast.Attribute: Survey.attribute,
    ast.Subscript: Survey.subscript,
    ast.Call: Survey.call,
    ast.Import: Survey.imported,
    ast.ImportFrom: Survey.imported,
    ast.FunctionDef: Survey.function,
    ast.AsyncFunctionDef: Survey.function,
    ast.Lambda: Survey.function,
    ast.ClassDef: Survey.klass,
    ast.Return: Survey.returned,
    ast.Yield: Survey.returned,
    ast.ListComp: Survey.comprehension,
    ast.SetComp: Survey.comprehension,
    ast.DictComp: Survey.comprehension,
    ast.GeneratorExp: Survey.comprehension,
    ast.Assign: Survey.assign,
    ast.AnnAssign: Survey.annotated,
    ast.AugAssign: Survey.added,
    ast.NamedExpr: Survey.named,
    ast.For: Survey.loop,
    ast.AsyncFor: Survey.loop,
    ast.withitem: Survey.entered,
    ast.ExceptHandler: Survey.caught,
    ast.Global: Survey.elsewhere,
    ast.Nonlocal: Survey.elsewhere,
    ast.MatchAs: Survey.captured,
    ast.MatchStar: Survey.captured,
    ast.MatchMapping: Survey.captured,
}
