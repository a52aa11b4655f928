"""Traces what an expression may be: names, constants, attribute paths.

A little interpreter that never runs the program. It is asked from the places that matter (imports, calls, attribute
reads) and looks backwards from there; a name is everything that it is ever bound to in its scope. It gives up, rather
than guess, after a bounded number of steps.

Here are its memory and its bounds; `expressions`, `members`, `calls` and `bindings` know Python's parts.
"""

from __future__ import annotations

import ast
import contextlib
from typing import TYPE_CHECKING

from grader.policy.bindings import bound, free
from grader.policy.expressions import HANDLERS
from grader.policy.steps import distinct
from grader.policy.taint import Taint
from grader.policy.words import telling

if TYPE_CHECKING:
    from grader.policy.desk import Desk
    from grader.policy.scopes import Scope
    from grader.policy.survey import Survey
    from grader.policy.values import Defined, Values

STEPS = 2_500
"""Expressions that are traced in one file before the trace gives up."""
_FOLLOWED = 2
_DEPTH = 40
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
        handler = HANDLERS.get(type(node))
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

    def lookup(self, name: str, scope: Scope) -> Values:
        """Give everything that a name is bound to where it is read."""
        given = self._given(name, scope) if self.given else None
        if given is not None:
            return given
        bindings = scope.find(name)
        if bindings is None:
            return free(self, name, scope)
        names = self.followed_names if id(bindings[0].scope) in self.followed_scopes else self.names
        key = id(bindings)
        found = names.get(key)
        if found is None:
            found = names[key] = ()
            with contextlib.suppress(*_FAILURES):
                found = names[key] = bound(self, bindings)
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

    def inner_of(self, key: int) -> Scope | None:
        """Give the scope that a function, class or comprehension opens."""
        return next((survey.inner[key] for survey in self.surveys if key in survey.inner), None)

    def calls_of(self, name: str) -> list[tuple[ast.Call, Scope]]:
        """Give the first calls in the file of what goes by this name."""
        if self._sites is None:
            self._sites = {}
            for site, scope in self.survey.calls:
                last = getattr(site.func, "id", "") or getattr(site.func, "attr", "")
                self._sites.setdefault(last, []).append((site, scope))
        return self._sites.get(name, [])[:20]

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
        inner = self.inner_of(function.key)
        if inner is None or isinstance(inner.node, ast.ClassDef) or self.followed >= _FOLLOWED:
            return ()
        node = inner.node
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
        given = {**dict(zip(names, arguments, strict=False)), **words}
        returns = [pair for survey in self.surveys for pair in survey.returns.get(function.key, [])]
        return tuple(v for value, scope in returns[:8] for v in self.follow(value, scope, {**given}))
