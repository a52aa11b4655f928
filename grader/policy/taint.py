"""Marks the names of a file that may carry a module or an importer.

A quick look by names alone, before anything is traced: scopes don't count here, so a mark may be too much and is
never too little.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from grader.policy import sinks
from grader.policy.scopes import Binding, How

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.policy.survey import Survey

_ROUNDS = 4
_ROOTS = frozenset({"__builtins__", "__loader__", "__spec__"})
_CARRYING = frozenset(
    {"importlib", "pkgutil", "runpy", "pydoc", "imp", "builtins", "pickle", "_pickle", "marshal", "gc", "subprocess"}
    | sinks.RUNNERS
    | {"zipimport", "_imp", "_frozen_importlib", "_frozen_importlib_external"}
)
"""Modules of which every part may import or run something."""
_FILES = frozenset({"__file__", "get_path", "get_paths", "get_python_lib"})
_STRONG = ((sinks.IMPORTERS | sinks.EXECUTORS | sinks.STARTS | sinks.LOOKERS) - sinks.WEAK) | sinks.SPACES | _FILES
_REFERRED = _STRONG - sinks.SPACES
_BUILTIN = frozenset({"__import__", "exec", "eval", "compile", "getattr", "vars"})
"""Names that tell when they stand alone."""
_ASKING = frozenset({"getattr", "vars"})
_PACKED = (ast.Tuple, ast.List, ast.Set)

_CAN_CARRY = frozenset(
    {ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Starred, ast.Await, ast.NamedExpr, ast.IfExp, ast.BoolOp}
    | {ast.Dict, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.Lambda, ast.AugAssign, ast.BinOp, *_PACKED}
)


_CAN_BE_HANDED = frozenset({ast.Name, ast.Attribute, ast.Call, ast.BinOp})


class Taint:
    """The marked names of one survey."""

    def __init__(self, survey: Survey, words: frozenset[str]) -> None:
        self.words = words
        """Attributes that may be the step into a banned module."""
        self.modules: set[str] = set()
        """Names that an import bound, or that were set to such a one."""
        self.targets: dict[str, str] = {}
        """Names that one import alone bound, and what it brought."""
        self.callables: set[str] = set()
        """Names that may be a callable which imports or runs something."""
        self.paths: set[str] = set()
        """Names that may be a path into the library's folder."""
        self.plain = _BUILTIN | (_STRONG if survey.scope.stars else frozenset())
        self.carriers: set[str] = set(_ROOTS)
        """Names that may be, or hold, what imports or runs something."""
        bindings = [pair for pair in _bindings(survey) if not self._note_import(*pair)]
        self.has_paths = any(node.__class__ is ast.Attribute and node.attr in _FILES for node, _ in survey.reads)
        for _ in range(_ROUNDS if self._is_seeded(survey, bindings) else 0):
            before = self._size()
            for name, binding in bindings:
                self._note(name, binding)
            self._note_parameters(survey)
            if self._size() == before:
                break

    def _is_seeded(self, survey: Survey, bindings: list[tuple[str, Binding]]) -> bool:
        """Say whether anything in the file could mark a further name."""
        strong = _STRONG
        return (
            len(self.carriers) > len(_ROOTS)
            or any(node.__class__ is ast.Attribute and node.attr in strong for node, _ in survey.reads)
            or any(self.carries(binding.node) or self._is_module(binding.node) for _, binding in bindings)
            or any(self.matters(node) for node, _ in survey.calls)
        )

    def _size(self) -> int:
        return len(self.modules) + len(self.carriers) + len(self.callables) + len(self.paths)

    def _note_import(self, name: str, binding: Binding) -> bool:
        if binding.how is How.IMPORT:
            self.targets[name] = binding.target if self.targets.get(name, binding.target) == binding.target else ""
            self.modules.add(name)
            top, _, rest = binding.target.partition(".")
            if top in _CARRYING or rest.rpartition(".")[2] in _STRONG or (rest and sinks.matters(binding.target)):
                self.carriers.add(name)
                self.callables.add(name)
        return binding.how is How.IMPORT

    def _note(self, name: str, binding: Binding) -> None:
        node = binding.node
        if node.__class__ is ast.AugAssign:
            node = node.value
        if name not in self.carriers and self.carries(node):
            self.carriers.add(name)
            if self._is_callable(node):
                self.callables.add(name)
        if self.has_paths and name not in self.paths and self._is_path(node):
            self.paths.add(name)
        if name not in self.modules and self._is_module(node):
            self.modules.add(name)

    def _note_parameters(self, survey: Survey) -> None:
        for call, _ in survey.calls:
            func = call.func
            if func.__class__ is ast.Name and func.id in survey.parameters and self.in_arguments(call):
                self.carriers.update(survey.parameters[func.id])
                self.callables.update(survey.parameters[func.id])

    def _is_module(self, node: ast.AST) -> bool:
        while node.__class__ is ast.Attribute:
            node = node.value
        kind = node.__class__
        if kind is ast.Name:
            return node.id in self.modules  # type: ignore[attr-defined]  # a name
        if kind is ast.IfExp:
            return self._is_module(node.body) or self._is_module(node.orelse)  # type: ignore[attr-defined]  # an if
        return kind in _PACKED and any(self._is_module(part) for part in node.elts[:50])  # type: ignore[attr-defined]

    def carries(self, node: ast.AST) -> bool:
        """Say whether an expression may be, or hold, what imports or runs something."""
        kind = node.__class__
        if kind is ast.Name:
            return node.id in self.carriers or node.id in self.plain  # type: ignore[attr-defined]  # a name
        if kind is ast.Attribute:
            if node.attr == "__dict__":  # type: ignore[attr-defined]  # an attribute
                return self.may_be_module(node.value)  # type: ignore[attr-defined]  # an attribute
            if node.attr in _STRONG or node.attr in self.carriers:  # type: ignore[attr-defined]  # an attribute
                return True
            return self.carries(node.value)  # type: ignore[attr-defined]  # an attribute
        if kind is ast.Call:
            func = node.func  # type: ignore[attr-defined]  # a call
            asks = func.__class__ is ast.Name and func.id in _ASKING
            return self.matters(node) or (not asks and self.carries(func))  # type: ignore[arg-type]  # a call
        if kind is ast.Subscript or kind is ast.Starred or kind is ast.Await or kind is ast.NamedExpr:
            return self.carries(node.value)  # type: ignore[attr-defined]  # each has a value
        if kind in _PACKED:
            return any(self.carries(part) for part in node.elts[:200])  # type: ignore[attr-defined]  # a display
        return any(self.carries(part) for part in _parts(node))

    def in_arguments(self, node: ast.Call) -> bool:
        """Say whether a call is handed what imports or runs something."""
        handed = [*node.args, *[word.value for word in node.keywords]] if node.keywords else node.args
        for part in handed:  # noqa: SIM110 -- a generator costs more than what it is asked here
            if part.__class__ in _CAN_BE_HANDED and self._is_handed(part):
                return True
        return False

    def _is_handed(self, node: ast.expr) -> bool:
        kind = node.__class__
        if kind is ast.Name:
            name: str = node.id  # type: ignore[attr-defined]  # a name
            return name in self.callables or name in self.plain or name in self.paths
        if kind is ast.Attribute:
            return node.attr in _REFERRED  # type: ignore[attr-defined]  # an attribute
        if kind is ast.Call and self._is_handed(node.func):  # type: ignore[attr-defined]  # a call
            func = node.func  # type: ignore[attr-defined]  # a call
            return func.__class__ is not ast.Name or func.id not in _ASKING or self._asks(node)  # type: ignore[arg-type]
        return (kind is ast.Call or kind is ast.BinOp) and self._is_path(node)

    def _is_callable(self, node: ast.AST) -> bool:
        """Say whether an expression may itself be a callable that imports or runs something."""
        if isinstance(node, ast.Name):
            return node.id in self.callables or node.id in self.plain
        if isinstance(node, ast.Attribute):
            return node.attr in _REFERRED or self._attribute_matters(node)
        if isinstance(node, ast.Constant | ast.BinOp | ast.JoinedStr | ast.Compare | ast.UnaryOp):
            return False
        return not isinstance(node, ast.Call) or self.matters(node)

    def _is_path(self, node: ast.AST) -> bool:
        """Say whether an expression may be made from the place of a library's file."""
        if not self.has_paths:
            return False
        kind = node.__class__
        if kind is ast.Name:
            return node.id in self.paths  # type: ignore[attr-defined]  # a name
        if kind is ast.Attribute:
            return node.attr in _FILES or self._is_path(node.value)  # type: ignore[attr-defined]  # an attribute
        if kind is ast.Call:
            parts = [node.func, *node.args]  # type: ignore[attr-defined]  # a call
            return any(self._is_path(part) for part in parts)
        if kind is ast.BinOp:
            return self._is_path(node.left) or self._is_path(node.right)  # type: ignore[attr-defined]  # an operation
        return kind is ast.Subscript and self._is_path(node.value)  # type: ignore[attr-defined]  # a subscript

    def matters(self, node: ast.Call) -> bool:
        """Say whether a call may import, run or look something up."""
        func = node.func
        kind = func.__class__
        if kind is ast.Name:
            if func.id in _ASKING:  # type: ignore[attr-defined]  # a name
                return self._asks(node)
            if func.id in self.carriers or func.id in self.plain:  # type: ignore[attr-defined]  # a name
                return True
        elif kind is ast.Attribute:
            if self._attribute_matters(func):  # type: ignore[arg-type]  # an attribute
                return True
        elif self.carries(func):
            return True
        return self.in_arguments(node)

    def _asks(self, node: ast.Call) -> bool:
        """Say whether `getattr` or `vars` may take something telling out of a module."""
        if not node.args or not self.may_be_module(node.args[0]):
            return False
        key = node.args[1] if len(node.args) > 1 else None
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            return True
        return key.value in self.words or key.value in _STRONG or "." in key.value

    def _attribute_matters(self, func: ast.Attribute) -> bool:
        if func.attr in _STRONG:
            return True
        base = func.value
        if func.attr in sinks.WEAK:
            if isinstance(base, ast.Name) and base.id in self.modules and base.id not in self.carriers:
                target = self.targets.get(base.id, "")
                return not target or sinks.matters(f"{target}.{func.attr}")
            return self.carries(base)
        return func.attr in self.callables or (isinstance(base, ast.Name) and base.id in self.carriers)

    def may_be_module(self, node: ast.AST) -> bool:
        """Say whether the head of an attribute path may be a module."""
        while node.__class__ is ast.Attribute:
            node = node.value
        if node.__class__ is ast.Name:
            return node.id in self.modules or node.id in self.carriers
        return node.__class__ is not ast.Constant and self.carries(node)


def _parts(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.BoolOp):
        return [*node.values]
    if isinstance(node, ast.Dict):
        return [*node.values[:200]]
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        return [node.elt, *(generator.iter for generator in node.generators)]
    return [node.body] if isinstance(node, ast.Lambda) else []


def _bindings(survey: Survey) -> Iterator[tuple[str, Binding]]:
    """Give the bindings whose value can carry something at all."""
    for scope in (survey.scope, *survey.inner.values()):
        for name, bindings in scope.names.items():
            for binding in bindings:
                if binding.node.__class__ in _CAN_CARRY or binding.how is How.IMPORT:
                    yield name, binding
                elif binding.how is How.PARAMETER and _defaults(binding.node):
                    yield name, Binding(How.VALUE, ast.Tuple(elts=_defaults(binding.node)), scope)
    for name, values in survey.fields.items():
        for node, scope in values:
            if node.__class__ in _CAN_CARRY:
                yield name, Binding(How.VALUE, node, scope)


def _defaults(node: ast.AST) -> list[ast.expr]:
    arguments: ast.arguments = node.args  # type: ignore[attr-defined]  # a function
    return [*arguments.defaults, *filter(None, arguments.kw_defaults)]
