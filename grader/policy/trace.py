"""Traces what an expression may be: names, constants, attribute paths.

A little interpreter that never runs the program. It is asked from the places that matter (imports, calls, attribute
reads) and looks backwards from there; a name is everything that it is ever bound to in its scope. It gives up, rather
than guess, after a bounded number of steps.
"""

from __future__ import annotations

import ast
import contextlib
import posixpath
from typing import TYPE_CHECKING, Any

from grader.policy import folding, library
from grader.policy.calls import call
from grader.policy.scopes import Binding, How, Scope
from grader.policy.steps import GIVEN_NAMES, TELLING_ATTRIBUTES, distinct, gather, operate, thing_attribute
from grader.policy.taint import Taint
from grader.policy.values import HOLE, Bound, Defined, Group, Known, Own, Pool, Space, Thing, Value, Values
from grader.policy.words import telling

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.policy.desk import Desk
    from grader.policy.survey import Survey

STEPS = 2_500
"""Expressions that are traced in one file before the trace gives up."""
_FOLLOWED = 2
_DEPTH = 40
_ELEMENTS = 2_000
_FAILURES = (
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    SyntaxError,
    RecursionError,
    MemoryError,
)
"""What folding may raise on values that don't fit: then nothing is known."""


class Trace:
    """The interpreter over one file, or over one text that a file executes."""

    def __init__(self, desk: Desk, path: str, survey: Survey) -> None:
        self.desk = desk
        self.path = path
        self.survey = survey
        self.memo: dict[int, Values] = {}
        self.names: dict[int, Values] = {}
        self.followed_scopes: set[int] = set()
        """Scopes whose names depend on the call that is being followed; they are remembered apart."""
        self.followed_names: dict[int, Values] = {}
        self.given: dict[tuple[int, str], Values] = {}
        """Arguments of the call that is being followed."""
        self.taint = Taint(survey, telling(desk.banned))
        self.telling_calls: list[tuple[ast.Call, Scope]] | None = None
        self.surveys = [survey]
        self.steps = 0
        self.depth = 0
        self.followed = 0
        self._sites: dict[str, list[tuple[ast.Call, Scope]]] | None = None

    def values(self, node: ast.AST | None, scope: Scope) -> Values:
        """Give what `node` may be when it is evaluated in `scope`."""
        key = id(node)
        found = self.memo.get(key)
        if found is not None:
            return found
        self.steps += 1
        handler = _HANDLERS.get(type(node))
        if handler is None or self.steps > STEPS or self.depth > _DEPTH:
            return ()
        self.memo[key] = ()
        self.depth += 1
        try:
            result = distinct(handler(self, node, scope))
        except _FAILURES:
            result = ()
        self.depth -= 1
        self.memo[key] = result
        return result

    def constant(self, node: ast.Constant, _: Scope) -> Values:
        return (Known(node.value),) if isinstance(node.value, str | bytes | int | float | None) else ()

    def name(self, node: ast.Name, scope: Scope) -> Values:
        return self.lookup(node.id, scope)

    def lookup(self, name: str, scope: Scope) -> Values:
        """Give everything that a name is bound to where it is read."""
        given = self._given(name, scope) if self.given else None
        if given is not None:
            return given
        bindings = scope.find(name)
        if bindings is None:
            return self._free(name, scope)
        names = self.followed_names if id(bindings[0].scope) in self.followed_scopes else self.names
        key = id(bindings)
        found = names.get(key)
        if found is None:
            found = names[key] = ()
            with contextlib.suppress(*_FAILURES):
                found = names[key] = self._bound(bindings)
        return found

    def _given(self, name: str, scope: Scope) -> Values | None:
        here: Scope | None = scope
        while here is not None:
            if (id(here), name) in self.given:
                return self.given[id(here), name]
            if name in here.names:
                return None
            here = here.parent
        return None

    def _bound(self, bindings: list[Binding]) -> Values:
        found: list[Value] = []
        ordered = sorted(bindings, key=_place) if len(bindings) > 1 else bindings
        for binding in ordered[:50]:
            if binding.how is How.ADDED:
                found = list(self._added(binding, tuple(found)))
            else:
                found += self._one(binding)
        return distinct(tuple(found))

    def _one(self, binding: Binding) -> Values:
        how, node, scope, place, target = binding
        if how is How.VALUE:
            return self.values(node, scope)
        if how is How.ELEMENT:
            return tuple(v for value in self.values(node, scope) for e in self.elements(value) for v in e)
        if how is How.PART:
            return tuple(v for value in self.values(node, scope) for v in self.item(value, Known(place)))
        if how is How.IMPORT:
            return self.imported(target)
        if how is How.DEFINED:
            return (Defined(id(node)),)
        return self._parameter(node, place) if how is How.PARAMETER else ()

    def imported(self, target: str) -> Values:
        """Give what the import of a dotted path brings: the submission's own file first."""
        own, rest = self.desk.own(target, self.path)
        if own is None:
            return (Thing(library.resolve(target)),)
        values: Values = (Own(own),)
        for part in rest:
            values = tuple(v for value in values for v in self.attribute_of(value, part))
        return values

    def _added(self, binding: Binding, before: Values) -> Values:
        node = binding.node
        assert isinstance(node, ast.AugAssign)
        after = self.values(node.value, binding.scope)
        return tuple(operate(type(node.op), left, right) for left in before[:4] for right in after[:4])

    def _parameter(self, node: ast.AST, place: int) -> Values:
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        named = [*positional, *arguments.kwonlyargs]
        outside = self.survey.inner[id(node)].parent if id(node) in self.survey.inner else None
        if place == 0 and outside is not None and outside.is_class:
            return (Defined(id(outside.node)),)
        found: list[Value] = []
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
        default = [*defaults, *arguments.defaults, *arguments.kw_defaults][place]
        if default is not None and outside is not None:
            found += self.values(default, outside)
        for site, scope in self._calls_of(getattr(node, "name", "") or self._name_of(node)):
            shift = 1 if isinstance(site.func, ast.Attribute) and named[0].arg in {"self", "cls"} else 0
            if 0 <= place - shift < len(site.args) and not isinstance(site.args[place - shift], ast.Starred):
                found += self.values(site.args[place - shift], scope)
            found += [
                v for word in site.keywords if word.arg == named[place].arg for v in self.values(word.value, scope)
            ]
        return tuple(found)

    def _name_of(self, node: ast.AST) -> str:
        """Give the name that a lambda was given."""
        scopes = (self.survey.scope, *self.survey.inner.values())
        named = (name for scope in scopes for name, found in scope.names.items() for b in found if b.node is node)
        return next(named, "")

    def _calls_of(self, name: str) -> list[tuple[ast.Call, Scope]]:
        if self._sites is None:
            self._sites = {}
            for site, scope in self.survey.calls:
                last = getattr(site.func, "id", "") or getattr(site.func, "attr", "")
                self._sites.setdefault(last, []).append((site, scope))
        return self._sites.get(name, [])[:20]

    def _free(self, name: str, scope: Scope) -> Values:
        for star in scope.module.stars:
            own, _ = self.desk.own(star, self.path)
            if own is not None:
                found = self.attribute_of(Own(own), name)
                if found:
                    return found
            elif library.is_module(star) and name in library.public(star):
                return (Thing(library.resolve(f"{star}.{name}")),)
        if name in GIVEN_NAMES:
            return (GIVEN_NAMES[name],)
        if name == "__file__":
            return (Known(f"{HOLE}/{self.path}"),)
        return (Thing(f"builtins.{name}"),) if name in library.BUILTINS else ()

    def attribute(self, node: ast.Attribute, scope: Scope) -> Values:
        bases = self.values(node.value, scope)
        found = [v for base in bases for v in self.attribute_of(base, node.attr)]
        if all(isinstance(base, Defined) for base in bases):
            fields = self.survey.fields.get(node.attr, [])
            found += [v for value, where in fields[:20] for v in self.values(value, where)]
        if not bases and node.attr in TELLING_ATTRIBUTES:
            found.append(TELLING_ATTRIBUTES[node.attr])
        return tuple(found)

    def attribute_of(self, base: Value, name: str) -> Values:
        """Give what the attribute of a value is."""
        if isinstance(base, Thing):
            return (thing_attribute(base.path, name),)
        if isinstance(base, Own):
            return self.desk.attribute(base.path, name)
        if isinstance(base, Pool):
            return (base,)
        if isinstance(base, Defined):
            inner = self._inner_of(base.key)
            return self.lookup(name, inner) if inner is not None and inner.is_class and name in inner.names else ()
        if isinstance(base, Bound) and name == "func":
            return (base.function,)
        if isinstance(base, Known) and isinstance(base.value, str) and name in {"parent", "name"}:
            return (Known((posixpath.dirname if name == "parent" else posixpath.basename)(base.value)),)
        return (Bound(base, (), name),)

    def subscript(self, node: ast.Subscript, scope: Scope) -> Values:
        keys = self.values(node.slice, scope)
        found = [
            v for base in self.values(node.value, scope) for key in keys or (None,) for v in self.item(base, key)
        ]
        if not found and any(isinstance(key, Known) and key.value == "__import__" for key in keys):
            found.append(Thing("builtins.__import__"))
        return tuple(found)

    def item(self, base: Value, key: Value | None) -> Values:
        """Give what `base[key]` is."""
        known = key.value if isinstance(key, Known) else None
        if isinstance(base, Known) and known is not None and isinstance(base.value, str | bytes | tuple | dict):
            container: Any = base.value
            return (Known(container[known]),)
        if isinstance(base, Space) and isinstance(known, str):
            return (thing_attribute(base.path, known),)
        if base == Thing("sys.modules") and isinstance(known, str):
            return self.imported(known)
        if isinstance(base, Group):
            if base.keys and known in base.keys:
                return base.members[base.keys.index(known)]
            if not base.keys and isinstance(known, int) and -len(base.members) <= known < len(base.members):
                return base.members[known]
            return tuple(v for member in base.members for v in member)
        return (base,) if isinstance(base, Pool) else ()

    def elements(self, value: Value) -> list[Values]:
        """Give what going through a value yields, in order."""
        if isinstance(value, Known) and isinstance(value.value, str | bytes | tuple | dict):
            return [(Known(part),) for part in [*value.value][:_ELEMENTS]]
        if isinstance(value, Group):
            return [(Known(key),) for key in value.keys] or [*value.members]
        return [(value,)] if isinstance(value, Pool) else []

    def slice(self, node: ast.Slice, scope: Scope) -> Values:
        ends = [self._only(part, scope) if part is not None else None for part in (node.lower, node.upper, node.step)]
        return (Known(slice(*ends)),)

    def _only(self, node: ast.AST, scope: Scope) -> object:
        (value,) = self.values(node, scope)
        if not isinstance(value, Known):
            raise TypeError
        return value.value

    def operation(self, node: ast.BinOp, scope: Scope) -> Values:
        left, right = self.values(node.left, scope), self.values(node.right, scope)
        if isinstance(node.op, ast.Div):
            paths = [(a.value, b.value) for a in left for b in right if isinstance(a, Known) and isinstance(b, Known)]
            return tuple(Known(posixpath.join(a, b)) for a, b in paths if isinstance(a, str) and isinstance(b, str))
        if not left and not right:
            return ()
        blank: Values = (Known(HOLE),)
        found = [operate(type(node.op), a, b) for a in (left or blank)[:6] for b in (right or blank)[:6]]
        return tuple(found)

    def minus(self, node: ast.UnaryOp, scope: Scope) -> Values:
        if not isinstance(node.op, ast.USub):
            return ()
        return tuple(
            Known(-v.value)
            for v in self.values(node.operand, scope)
            if isinstance(v, Known) and isinstance(v.value, int)
        )

    def formatted(self, node: ast.JoinedStr, scope: Scope) -> Values:
        parts: list[object] = []
        for piece in node.values:
            inside = piece.value if isinstance(piece, ast.FormattedValue) and piece.conversion < 0 else piece
            values = self.values(inside, scope)
            plain = len(values) == 1 and isinstance(values[0], Known) and not getattr(piece, "format_spec", None)
            parts.append(values[0].value if plain and isinstance(values[0], Known) else None)
        return (Known(folding.joined(parts)),)

    def sequence(self, node: ast.Tuple | ast.List | ast.Set, scope: Scope) -> Values:
        members: list[Values] = []
        for item in node.elts[:_ELEMENTS]:
            inner = item.value if isinstance(item, ast.Starred) else item
            values = self.values(inner, scope)
            members += self.elements(values[0]) if isinstance(item, ast.Starred) and values else [values]
        return (gather(members),)

    def mapping(self, node: ast.Dict, scope: Scope) -> Values:
        keys: list[object] = []
        members: list[Values] = []
        for key, value in zip(node.keys[:_ELEMENTS], node.values, strict=False):
            known = self.values(key, scope) if key is not None else ()
            keys.append(known[0].value if known and isinstance(known[0], Known) else None)
            members.append(self.values(value, scope))
        return (Group(tuple(members), tuple(keys)),)

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, scope: Scope) -> Values:
        generator, inner = node.generators[0], self._inner_of(id(node))
        sources = self.values(generator.iter, scope)
        if any(isinstance(source, Pool) for source in sources):
            return tuple(source for source in sources if isinstance(source, Pool))
        plain = len(node.generators) == 1 and isinstance(generator.target, ast.Name) and not generator.ifs
        if not plain or len(sources) != 1 or inner is None:
            return ()
        assert isinstance(generator.target, ast.Name)
        name = generator.target.id
        return (gather([self.follow(node.elt, inner, {name: element}) for element in self.elements(sources[0])]),)

    def _inner_of(self, key: int) -> Scope | None:
        return next((survey.inner[key] for survey in self.surveys if key in survey.inner), None)

    def follow(self, node: ast.AST, scope: Scope, given: dict[str, Values]) -> Values:
        """Give what `node` is when these names have these values."""
        kept, memo, inside, names = self.given, self.memo, self.followed_scopes, self.followed_names
        self.given = {**kept, **{(id(scope), name): values for name, values in given.items()}}
        self.memo, self.followed_scopes, self.followed_names = {}, {*inside, id(scope)}, {}
        self.followed += 1
        try:
            return self.values(node, scope)
        finally:
            self.followed -= 1
            self.given, self.memo, self.followed_scopes, self.followed_names = kept, memo, inside, names

    def returned(self, function: Defined, arguments: list[Values], words: dict[str, Values]) -> Values:
        """Give what a call of the submission's own function may return."""
        inner = self._inner_of(function.key)
        if inner is None or isinstance(inner.node, ast.ClassDef) or self.followed >= _FOLLOWED:
            return ()
        node = inner.node
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
        given = {**dict(zip(names, arguments, strict=False)), **words}
        returns = [pair for survey in self.surveys for pair in survey.returns.get(function.key, [])]
        return tuple(v for value, scope in returns[:8] for v in self.follow(value, scope, {**given}))

    def call(self, node: ast.Call, scope: Scope) -> Values:
        return call(self, node, scope)

    def either(self, node: ast.IfExp, scope: Scope) -> Values:
        return self.values(node.body, scope) + self.values(node.orelse, scope)

    def any_of(self, node: ast.BoolOp, scope: Scope) -> Values:
        return tuple(v for part in node.values for v in self.values(part, scope))

    def inside(self, node: ast.NamedExpr | ast.Await | ast.Starred, scope: Scope) -> Values:
        return self.values(node.value, scope)

    def defined(self, node: ast.Lambda, _: Scope) -> Values:
        return (Defined(id(node)),)


def _place(binding: Binding) -> tuple[int, int]:
    return getattr(binding.node, "lineno", 0), getattr(binding.node, "col_offset", 0)


_HANDLERS: dict[type[ast.AST | None], Callable[..., Values]] = {
    ast.Constant: Trace.constant,
    ast.Name: Trace.name,
    ast.Attribute: Trace.attribute,
    ast.Subscript: Trace.subscript,
    ast.Slice: Trace.slice,
    ast.BinOp: Trace.operation,
    ast.UnaryOp: Trace.minus,
    ast.JoinedStr: Trace.formatted,
    ast.Tuple: Trace.sequence,
    ast.List: Trace.sequence,
    ast.Set: Trace.sequence,
    ast.Dict: Trace.mapping,
    ast.ListComp: Trace.comprehension,
    ast.SetComp: Trace.comprehension,
    ast.GeneratorExp: Trace.comprehension,
    ast.Call: Trace.call,
    ast.IfExp: Trace.either,
    ast.BoolOp: Trace.any_of,
    ast.NamedExpr: Trace.inside,
    ast.Await: Trace.inside,
    ast.Starred: Trace.inside,
    ast.Lambda: Trace.defined,
}
