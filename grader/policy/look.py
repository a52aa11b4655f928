"""Looks through one file: what its expressions may be, and where they step into what is banned.

It looks lightly on purpose: a name is whatever is bound to it by then, a list is all that is in it, own functions
aren't followed, and a call is a bag of what is called and given: an importer beside a banned module's name, a runner
beside a text. The watch sees what this doesn't.
"""

from __future__ import annotations

import ast
import re
import sys
from itertools import chain, islice, product
from typing import TYPE_CHECKING, NamedTuple

from grader.policy import library
from grader.policy.source import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.policy.program import Program

Values = tuple[object, ...]
"""What an expression may be or hold: texts and things; nothing where it is the student's, or isn't known."""
MOST = 40
"""Values of one expression, and bindings of one name."""
LONGEST = 200
"""Letters of a path, and parts of an expression that is shown."""
LARGEST, EXECUTED = 1 << 12, 1 << 18
"""Letters of a text that is put together, and of all texts that one file may execute and have read."""
_DEPTH, _PAIRS = 60, 8
_HOLE = "\ue000"
"""Stands in a text for a part that isn't known."""
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, *_COMPREHENSIONS)

_IMPORTS, _RUNS, _HIDES = "imports", "runs", "hides"
_WAYS = (
    (_IMPORTS, "", "__import__ import_module _gcd_import", "imports a name that can't be read"),
    (
        _IMPORTS,
        "",
        "load_module run_module run_path find_spec find_class resolve_name locate safeimport ModuleSpec",
        "",
    ),
    (_RUNS, "builtins", "exec eval compile", "runs a text that can't be read"),
    (
        _RUNS,
        "timeit code codeop cProfile profile bdb",
        "timeit repeat Timer runsource runcode run runctx runeval",
        "",
    ),
    (_RUNS, "subprocess os posix", "run call check_call check_output Popen getoutput system popen", ""),
    (_RUNS, "ctypes _xxsubinterpreters _interpreters", "PyRun_SimpleString run_string exec", ""),
    (_HIDES, "gc", "get_objects get_referrers get_referents", "goes through every object alive"),
    (_HIDES, "", "__subclasses__", "goes through every class alive"),
    (_HIDES, "sys threading", "setprofile settrace _current_frames", "looks into the frames of library code"),
    (_HIDES, "sys", "meta_path path_hooks", "changes how imports are found"),
    (_HIDES, "ctypes", "pythonapi", "calls the interpreter's inside"),
    (_HIDES, "marshal", "loads load", "runs code that can't be read"),
    (_HIDES, "types", "CodeType FunctionType", "makes a function from code that can't be read"),
)
"""Ways round a ban: kind, modules (none: all), last names of what is called, words of a doubt."""


class Thing(NamedTuple):
    """A thing of the library by its dotted path; `()` is what it returned."""

    path: str


class Reach(NamedTuple):
    """One step from outside into what is banned, or with no `ban` a doubt."""

    node: ast.AST
    ban: str
    how: str
    """The step in one clause, with the code in back quotes."""


class Scope:
    """A module, class, function, lambda or comprehension, with what is bound to its names."""

    def __init__(self, node: ast.AST, outer: Scope | None = None) -> None:
        self.node = node
        self.outer = outer
        self.names: dict[str, list[object]] = {}
        """Things, expressions, and the nodes of own functions and classes."""
        self.elsewhere: dict[str, Scope] = {}
        """Names that `global` and `nonlocal` send to an outer scope."""

    def bind(self, target: ast.AST | str | None, value: object = None) -> None:
        """Bind a name, or several."""
        name = target.id if isinstance(target, ast.Name) else target
        if isinstance(name, str):
            bound = self.elsewhere.get(name, self).names.setdefault(name, [])
            bound += [value] if value is not None and len(bound) < MOST else []
        elif isinstance(target, ast.Tuple | ast.List):
            given = getattr(value, "elts", ())
            for index, part in enumerate(target.elts):
                self.bind(part, given[index] if len(given) == len(target.elts) else value)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, value)

    def holder(self, name: str) -> Scope | None:
        """Return the scope whose name this is, as Python looks it up."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names and (scope is self or not isinstance(scope.node, ast.ClassDef)):
                return scope
            scope = scope.outer
        return None


class Look:
    """One file, or one text that a file executes."""

    def __init__(self, program: Program, path: str, top: Scope, *, is_text: bool = False) -> None:
        self.program = program
        self.path = path
        self.package = program.package(path)
        self.top = top
        self.reaches: list[Reach] = []
        self.imports: list[ast.Import | ast.ImportFrom] = []
        self.scopes: dict[ast.AST, Scope] = {}
        """Expressions and functions, each with the scope that it stands in."""
        self.used: set[str] = set()
        """Names that are read."""
        self.imported: dict[str, ast.AST] = {}
        """Texts that an importer is handed."""
        self.hides = False
        """It imports or runs what can't be read."""
        self._is_text = is_text
        self._executed = self._depth = 0
        self._known: dict[ast.AST, Values] = {}
        self._bind_all()
        for node in reversed([*self.scopes]):  # parts before the whole: that nests less
            self.values(node)
        self.reaches.sort(key=lambda reach: (getattr(reach.node, "lineno", 1), getattr(reach.node, "col_offset", 0)))

    def _bind_all(self) -> None:
        waiting = [(node, self.top) for node in ast.iter_child_nodes(self.top.node)]
        for node, scope in waiting:
            self._bind(node, scope)
            if isinstance(node, ast.expr | Function):
                self.scopes[node] = scope
            inner = Scope(node, scope) if isinstance(node, _SCOPES) else scope
            if isinstance(node, Function):
                _bind_parameters(node.args, inner)
            body = getattr(node, "body", None)
            inside = [body] if isinstance(node, ast.Lambda) else body or ast.iter_child_nodes(node)
            ids = {id(part) for part in inside} if inner is not scope else ()
            waiting += [(part, inner if id(part) in ids else scope) for part in ast.iter_child_nodes(node)]

    def _bind(self, node: ast.AST, scope: Scope) -> None:
        """Bind what a node binds."""
        match node:
            case ast.Import() | ast.ImportFrom():
                self._import(node, scope)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    scope.bind(target, value)
            case ast.AugAssign(target=target, op=op, value=value):
                scope.bind(target, ast.copy_location(ast.BinOp(target, op, value), node))
            case ast.AnnAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
                scope.bind(target, value)
            case (
                ast.For(target=target, iter=value)
                | ast.AsyncFor(target=target, iter=value)
                | ast.comprehension(target=target, iter=value)
            ):
                scope.bind(target, value)
            case ast.withitem(optional_vars=target):
                scope.bind(target)
            case ast.ExceptHandler(name=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name):
                scope.bind(name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                outer = scope.outer if isinstance(node, ast.Nonlocal) else None
                scope.elsewhere |= {name: (outer and outer.holder(name)) or self.top for name in names}
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                scope.bind(name, node)

    def _import(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        """Look at what a statement imports."""
        self.imports.append(node)
        program, is_plain = self.program, isinstance(node, ast.Import)
        for name, path in library.bindings(node, self.package):
            scope.bind(name, None if program.own(path, self.path) else _resolved(path))
        for alias, path in zip(node.names, library.modules(node, self.package), strict=True):
            home = path if is_plain or alias.name == "*" else path.rpartition(".")[0]
            real = _resolved(path).path
            ban = "" if program.own(path, self.path) else program.ban_of(path) or program.ban_of(real)
            if ban and (program.ban_of(home) or program.ban_of(path)):
                start = "import" if is_plain else f"from {home} import"
                self._reach(alias, ban, f"`{start} {alias.name}` brings in {library.called(ban)}")
            elif ban:
                self._reach(alias, ban, f"`{alias.name}` in `{home}` is {program.told(real)}")

    def values(self, node: object) -> Values:
        """Return what an expression may be, after a look at all that is in it."""
        if not isinstance(node, ast.AST):
            return (node,)
        if node not in self._known:
            if self._depth == _DEPTH:
                self.program.limited[self.path] = "hands values on further than a scan looks"
                return ()
            self._depth += 1
            self._known[node] = ()  # until it is known: names in a ring are nothing
            self._known[node] = tuple(islice(self._look(node), MOST))
            self._depth -= 1
        return self._known[node]

    def _all(self, nodes: Iterable[object]) -> Iterator[object]:
        return chain.from_iterable(map(self.values, nodes))

    def _look(self, node: ast.AST) -> Iterable[object]:
        match node:
            case ast.Name(id=name):
                return self._name(node, name)
            case ast.Constant(value=value):
                return (value,) if isinstance(value, str) else ()
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                pairs = product(self.values(left) or (_HOLE,), self.values(right) or (_HOLE,))
                return (value for pair in islice(pairs, _PAIRS) for value in _joined(pair))
            case ast.JoinedStr(values=parts):
                return _joined([*chain.from_iterable(self.values(part)[:1] or (_HOLE,) for part in parts)])
            case ast.FormattedValue(value=value):
                return self.values(value)
            case ast.Dict(values=values):
                return self._all(values)
            case ast.Compare() | ast.Subscript(slice=ast.Slice()) | ast.Lambda() | ast.stmt():
                return ()
            case ast.Subscript(value=value, slice=part):
                names = self.values(part) if Thing("sys.modules") in self.values(value) else ()
                found = tuple(_resolved(name) for name in names if isinstance(name, str))
                return self._entered(node, (), found) or self.values(value)
            case ast.Attribute(value=value):
                return self._attribute(node, self.values(value))
            case ast.Call():
                return self._call(node)
        return self._all(part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))

    def _name(self, node: ast.Name, name: str) -> Iterable[object]:
        self.used.add(name)
        holder = self.scopes[node].holder(name)
        if holder:
            is_here = holder is self.scopes[node]  # what is bound further down isn't bound yet
            return self._all(v for v in holder.names[name] if not is_here or getattr(v, "lineno", 0) <= node.lineno)
        return self._entered(node, (), (Thing(f"builtins.{name}"),) if name in library.BUILTINS else ())

    def _attribute(self, node: ast.Attribute, bases: Values) -> Values:
        found = tuple(_resolved(f"{base.path}.{node.attr}") for base in bases if isinstance(base, Thing))
        if node.attr == "__subclasses__" and not isinstance(node.value, ast.Name):
            found = (Thing("builtins.object.__subclasses__"),)  # whatever leads there leads to all classes
        for kind, words in map(_way, found):
            self._reach(node, "", words if kind == _HIDES else "")
        return self._entered(node, bases, found)

    def _entered(self, node: ast.expr, before: Iterable[object], after: Values) -> Values:
        """Report a step from outside into what is banned."""
        paths, banned = [value.path for value in before if isinstance(value, Thing)], self.program.ban_of
        thing = next((value for value in after if isinstance(value, Thing) and banned(value.path)), None)
        if thing and not any(map(banned, paths)):
            start = f"`{_short(node)}` is"
            if paths and isinstance(node, ast.Attribute) and _short(node.value) != paths[0]:
                start = f"`{_short(node.value)}` is `{paths[0]}`, whose attribute `{node.attr}` is"
            self._reach(node, banned(thing.path), f"{start} {self.program.told(thing.path)}")
        return after

    def _call(self, node: ast.Call) -> Values:
        """Go where a call leads: by what is called, or by what is handed to it."""
        called = self.values(node.func)
        given = self._all((*node.args, *(word.value for word in node.keywords)))
        bag = (*called, *islice(given, LONGEST))
        texts = [value for value in bag if isinstance(value, str)]
        ways = {kind for kind, _ in map(_way, bag)}
        for kind, words in map(_way, called):
            is_open = kind in {_IMPORTS, _RUNS} and all(_HOLE in text for text in texts)
            self.hides |= is_open
            self._reach(node, "", words if is_open else "")
        for text in texts if _RUNS in ways else ():
            self._execute(node, text.partition(" -c ")[2].strip(" \"'") or text)
        if _IMPORTS in ways:
            names = [text for text in texts if len(text) < LONGEST]
            self.imported |= dict.fromkeys(names, node)
            return self._entered(node, bag, tuple(map(_resolved, filter(None, map(self.program.module, names)))))
        paths = [value.path for value in called if isinstance(value, Thing)]
        return tuple(Thing(f"{path}()") for path in paths if not self.program.ban_of(path))

    def _execute(self, node: ast.Call, text: str) -> None:
        """Look through a text that the program runs."""
        self._executed += len(text)
        if self._executed > EXECUTED:
            self.program.limited[self.path] = "executes more text than a scan reads"
            return
        tree = None if self._is_text else parse(text.replace(_HOLE, " hole ").strip() + "\n")
        if isinstance(tree, ast.Module):
            inner = Look(self.program, self.path, Scope(tree, self.scopes[node]), is_text=True)
            for _, ban, how in inner.reaches[:1]:
                self._reach(node, ban, f"in the text that is executed here, {how}" if ban else how)

    def _reach(self, node: ast.AST, ban: str, how: str) -> None:
        self.reaches += [Reach(node, ban, how)] if how else []


def _bind_parameters(arguments: ast.arguments, inner: Scope) -> None:
    given = [*arguments.posonlyargs, *arguments.args]
    for parameter in (*given, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        inner.bind(parameter and parameter.arg)
    for parameter, default in zip(reversed(given), reversed(arguments.defaults), strict=False):
        inner.bind(parameter.arg, default)


def _way(value: object) -> tuple[str, str]:
    """Return the kind of what a library thing does, and the words of a doubt; two empty texts for any other."""
    path = value.path if isinstance(value, Thing) else ""
    top, last = path.partition(".")[0].partition("(")[0], path.rpartition(".")[2]
    for kind, heads, names, words in _WAYS if top in sys.stdlib_module_names else ():
        if last in names.split() and top in (heads or top).split():
            return kind, words
    return "", ""


def _resolved(path: str) -> Thing:
    return Thing(library.resolve(path) if len(path) < LONGEST else "")


def _joined(parts: Iterable[object]) -> Values:
    """Return texts in one piece; parts that are no texts as they are."""
    texts = [part for part in parts if isinstance(part, str)]
    is_known = sum(map(len, texts)) <= LARGEST and any(text != _HOLE for text in texts)
    return ("".join(texts),) if is_known else tuple(part for part in parts if not isinstance(part, str))


def _short(node: ast.AST) -> str:
    """Return an expression as one short line."""
    is_short = sum(1 for _ in islice(ast.walk(node), LONGEST)) < LONGEST
    text = re.sub(r"\s+", " ", ast.unparse(node)) if is_short else "…"
    return text if len(text) <= 60 else f"{text[:57]}…"
