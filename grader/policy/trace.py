"""Traces one file: what its expressions may be, and where they step into what is banned.

The trace is light on purpose: a name is whatever it is bound to anywhere in its scope, own functions aren't followed,
and a call is a bag of what stands in it. What the bag holds decides: an importer beside a banned module's name, a
reader beside a module that holds it, a runner beside a text. Each expression is looked at once, to a bounded depth.
"""

from __future__ import annotations

import ast
import re
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from grader.policy import fold, library
from grader.policy.scopes import Binding, Scope, Scopes
from grader.policy.source import parse
from grader.policy.ways import HIDES, IMPORTS, KEEPS, READ, READS, RUNS, SEARCHES, STARTS, Way, way

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from grader.policy.program import Program

_ALTERNATIVES = 8
_BAG = 200
_DEPTH = 60
_TEXTS_IN_TEXTS = 3
_TELLING, _LONG = 4, 6
"""Letters of a name: a longer part of it, and a longer name, are no chance likeness."""
_MODULES, _VARS = "sys.modules", ".__dict__"


class Thing(NamedTuple):
    """A thing of the library by its dotted path: `()` after it is what it returned, `.__dict__` its namespace."""

    path: str


class Later(NamedTuple):
    """A call that waits for more: `partial`, `attrgetter`, `map`; and what it was handed."""

    parts: tuple[object, ...]


class Group(NamedTuple):
    """A list, tuple or dict that isn't all constants."""

    members: tuple[tuple[object, ...], ...]


Values = tuple[object, ...]
OWN = object()
"""Something of the student's own."""


class Reach(NamedTuple):
    """One step from outside into what is banned, or with no `ban` a doubt."""

    node: ast.AST
    ban: str
    how: str
    """The step in one clause, with the code in back quotes."""


class Trace:
    """One file, or one text that a file executes."""

    def __init__(self, program: Program, path: str, scopes: Scopes, level: int = 0) -> None:
        self.program = program
        self.path = path
        self.scopes = scopes
        self.reaches: list[Reach] = []
        self.imported: dict[str, ast.AST] = {}
        """Texts that an importer is handed."""
        self.hides = False
        """It imports or runs what can't be read."""
        self._level = level
        self._depth = 0
        self._known: dict[int, Values] = {}
        self._names: dict[tuple[int, str], list[object]] = {}
        self._searches: list[tuple[ast.AST, str]] = []

    def run(self) -> Trace:
        """Look at every place of the file that could be a step."""
        for statement in self.scopes.imports:
            self._import(statement)
        self._stars()
        for node, scope in self.scopes.looks:
            self.values(node, scope)
        for call, words in self._searches[:1]:
            self._search(call, words)
        return self

    def values(self, node: ast.AST | None, scope: Scope) -> Values:
        """Return what an expression may be; nothing where it isn't known."""
        look = _LOOKS.get(type(node)) if node else None
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

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias, (_, bound) in zip(node.names, library.bindings(node, self.scopes.package), strict=True):
            path = alias.name if isinstance(node, ast.Import) else bound
            home = path if isinstance(node, ast.Import) or alias.name == "*" else path.rpartition(".")[0]
            ban = "" if self.program.own(path, self.path) else self._ban(Thing(path)) or self._ban(resolved(path))
            if ban and (self._ban(Thing(home)) or self._ban(Thing(path))):
                start = "import" if isinstance(node, ast.Import) else f"from {home} import"
                self._reach(alias, ban, f"`{start} {alias.name}` brings in {self.program.called(ban)}")
            elif ban:
                self._reach(alias, ban, f"`{alias.name}` in `{home}` is {self._told(ban, resolved(path))}")

    def _stars(self) -> None:
        homes = [home for home in dict.fromkeys(self.scopes.stars) if not self.program.own(home, self.path)]
        brought = {name: home for home in homes for name in library.public(home)}
        for node, scope in self.scopes.used if brought else ():
            home = brought.get(node.id, "") if scope.holder(node.id) is None else ""
            thing = resolved(f"{home}.{node.id}" if home else "")
            if self._ban(thing):
                told = self._told(self._ban(thing), thing)
                self._reach(node, self._ban(thing), f"`{node.id}` comes from `from {home} import *` and is {told}")

    def _name(self, node: ast.Name, scope: Scope) -> Values:
        """Return whatever a name is bound to in its scope; what is asked for meanwhile sees what is known so far."""
        holder = scope.holder(node.id)
        if holder is None:
            given = {"__builtins__": (Thing("builtins"), Thing(f"builtins{_VARS}"))}
            return given.get(node.id) or ((Thing(f"builtins.{node.id}"),) if node.id in library.BUILTINS else ())
        if (id(holder), node.id) not in self._names:
            found = self._names[id(holder), node.id] = []
            for binding in holder.names[node.id]:
                found += [v for v in self._bound(binding, node.id, holder) if len(found) < _ALTERNATIVES]
        return tuple(self._names[id(holder), node.id])

    def _bound(self, binding: Binding, name: str, scope: Scope) -> Values:
        if binding.how == "path":
            return (OWN if self.program.own(binding.path, self.path) else resolved(binding.path),)
        if binding.how == "own":
            return (OWN,)
        if binding.how == "add":
            assert isinstance(binding.node, ast.AugAssign)
            before = tuple(self._names[id(scope), name])
            return self._operate(type(binding.node.op), before, self.values(binding.node.value, scope))
        values = self.values(binding.node, scope)
        if binding.how == "value":
            return values
        parts = [part for value in values for part in _parts(value)]
        chosen = parts[binding.nth : binding.nth + 1] if binding.how == "item" else parts[:_ALTERNATIVES]
        return tuple(value for part in chosen for value in part)

    # constants

    def _constant(self, node: ast.Constant, _: Scope) -> Values:
        value = node.value
        is_small = len(value) <= fold.LARGEST if isinstance(value, str | bytes) else type(value) is int
        return (value,) if is_small and (not isinstance(value, int) or abs(value) < fold.INT) else ()

    def _binary(self, node: ast.BinOp, scope: Scope) -> Values:
        return self._operate(type(node.op), self.values(node.left, scope), self.values(node.right, scope))

    def _operate(self, kind: type[ast.AST], left: Values, right: Values) -> Values:
        pairs = [(kind, _plain(a), _plain(b)) for a in left or (fold.HOLE,) for b in right or (fold.HOLE,)]
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
        members = tuple(self.values(part, scope) for part in nodes)
        if not isinstance(node, ast.Dict) and all(len(m) == 1 and _is_constant(m[0]) for m in members):
            return (tuple(member[0] for member in members),)
        return (Group(members[:_BAG]),)

    def _negative(self, node: ast.UnaryOp, scope: Scope) -> Values:
        values = self.values(node.operand, scope) if isinstance(node.op, ast.USub) else ()
        return tuple(-value for value in values if isinstance(value, int))

    def _either(self, node: ast.IfExp | ast.BoolOp, scope: Scope) -> Values:
        parts = node.values if isinstance(node, ast.BoolOp) else [node.body, node.orelse]
        return tuple(value for part in parts for value in self.values(part, scope))

    def _inner(self, node: ast.NamedExpr | ast.Await | ast.Starred, scope: Scope) -> Values:
        return self.values(node.value, scope)

    def _letters(self, node: ast.ListComp | ast.GeneratorExp, scope: Scope) -> Values:
        """Follow the one comprehension that hides texts: a letter made of each number."""
        is_letters = library.dotted(node.elt) == "chr" and len(node.generators) == 1
        numbers = self.values(node.generators[0].iter, scope) if is_letters else ()
        return self._folded(fold.letters, ((some,) for some in numbers))

    # from one thing to the next

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Values:
        self._doubt(node, READ.get(node.attr, ""))
        bases = self.values(node.value, scope)
        found: Values = tuple(self._step(base, node.attr) for base in bases if isinstance(base, Thing))
        found += tuple(base for base in bases if isinstance(base, Later))
        if node.attr == "__subclasses__" and OWN not in bases:
            found = (Thing("builtins.type.__subclasses__"),)
        elif not found and node.attr in {"__import__", "__builtins__", "f_builtins"}:
            found = (Thing("builtins.__import__" if node.attr == "__import__" else f"builtins{_VARS}"),)
        return self._entered(node, bases, found)

    def _step(self, base: Thing, name: str) -> Thing:
        if base.path == _MODULES:
            return Thing(f"{_MODULES}.{name}")
        if name in {"__globals__", "f_globals"}:
            return Thing(f"{_home(base.path)}{_VARS}")
        if name in {"__builtins__", "f_builtins"}:
            return Thing(f"builtins{_VARS}")
        if name == "__self__" and base.path.startswith("builtins."):
            return Thing("builtins")
        return (self._made(base) if name == "__class__" else None) or resolved(f"{base.path}.{name}")

    def _made(self, thing: Thing) -> Thing | None:
        """Return the banned class of what a library class keeps or returns: `type(Counter().elements())`."""
        home = _home(thing.path)
        makers = library.makers(home) if home and home != thing.path else {}
        names = thing.path.removeprefix(home).replace("()", "").split(".")
        return next((Thing(makers[name]) for name in names if self._ban(Thing(makers.get(name, "")))), None)

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Values:
        bases = self.values(node.value, scope)
        keys = self.values(node.slice, scope)
        if isinstance(node.slice, ast.Slice):
            bounds = [self.values(part, scope)[:1] for part in (node.slice.lower, node.slice.upper, node.slice.step)]
            keys = (slice(*(bound[0] if bound else None for bound in bounds)),)
        if not keys:
            self._open_read(
                node, [b.path.removesuffix(_VARS) for b in bases if isinstance(b, Thing) and _VARS in b.path]
            )
        return self._entered(node, bases, self._items(bases, keys))

    def _open_read(self, node: ast.AST, paths: list[str]) -> None:
        """Take a read of an unknown name for a search, where the module holds something banned."""
        for path in paths if self.program.bans else ():
            held = {name: ban for name, real in library.holds(path).items() if (ban := self.program.ban_of(real))}
            telling = [name for name in held if name[0] == "_" or len(name) > _LONG]
            for name in [name for name in telling if name in self._compared][:1]:
                self._reach(node, held[name], f"this reads names of `{path}`, and `{name}` is {held[name]}'s")
            self._doubt(node, f"reads a name of `{path}` that can't be told" if held else "")

    def _items(self, bases: Values, keys: Values) -> Values:
        found: list[object] = []
        for base in bases:
            texts = [key for key in keys if isinstance(key, str)]
            if isinstance(base, Thing) and base.path == _MODULES:
                found += map(resolved, texts)
            elif isinstance(base, Thing) and base.path.endswith(_VARS):
                found += [self._step(Thing(base.path.removesuffix(_VARS)), text) for text in texts]
            elif isinstance(base, Group):
                found += [value for member in base.members for value in member]
            elif isinstance(base, Later):
                found += self._read(base.parts, texts)
            else:
                found += self._folded(fold.item, ((base, key) for key in keys))
        return tuple(found)

    def _entered(self, node: ast.expr, before: Values, after: Values) -> Values:
        """Tell of a step from outside into what is banned."""
        things = [value for value in after if isinstance(value, Thing) and self._ban(value)]
        if things and not any(isinstance(value, Thing) and self._ban(value) for value in before):
            start = f"`{short(node)}` is"
            base = next((value.path for value in before if isinstance(value, Thing)), "")
            if base and isinstance(node, ast.Attribute) and short(node.value) != base:
                start = f"`{short(node.value)}` is `{base}`, whose attribute `{node.attr}` is"
            ban = self._ban(things[0])
            self._reach(node, ban, f"{start} {self._told(ban, things[0])}")
        return after

    # calls

    def _call(self, node: ast.Call, scope: Scope) -> Values:
        given = islice((*node.args, *(word.value for word in node.keywords)), _BAG)
        arguments = [self.values(part, scope) for part in given]
        if isinstance(node.func, ast.Attribute):
            bases = self.values(node.func.value, scope)
            done = self._method(node, bases, node.func.attr, arguments) if bases else ()
            if done:
                return self._entered(node, bases, done)
        functions = self.values(node.func, scope)
        bag = tuple(islice(_flat((*functions, *(v for values in arguments for v in values))), _BAG))
        things = [part.path for part in bag if isinstance(part, Thing)]
        ways = {found.kind: found for path in things if (found := way(path))}
        if ways:
            direct = next((w for f in functions if isinstance(f, Thing) and (w := way(f.path))), None)
            return self._by(node, scope, (ways, direct), bag)
        if OWN in functions:
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            return tuple(v for value, inner in self.scopes.returned.get(name, ()) for v in self.values(value, inner))
        called = [function.path for function in functions if isinstance(function, Thing)]
        if "builtins.type" in called and len(arguments) == 1:
            made = [self._made(value) for value in arguments[0] if isinstance(value, Thing)]
            return self._entered(node, (), tuple(thing for thing in made if thing))
        pure = [path for path in called if path.rpartition(".")[2] in fold.PURE]
        if pure and arguments and all(arguments):
            return self._folded(fold.call, [(path, [_plain(values[0]) for values in arguments]) for path in pure])
        return tuple(Thing(f"{path}()") for path in called if len(path) < _BAG)

    def _method(self, node: ast.AST, bases: Values, name: str, arguments: list[Values]) -> Values:
        spaces = [base for base in bases if isinstance(base, Thing) and base.path.endswith((_VARS, _MODULES))]
        if name in {"items", "values", "copy"} and spaces:
            self._searches.append((node, "goes through the names of modules"))
        if name in {"get", "pop", "setdefault", "__getitem__"}:
            return self._items(bases, arguments[0] if arguments else ())
        values = [_plain(values[0]) if values else fold.HOLE for values in arguments]
        return self._folded(fold.method, ((base, name, values) for base in bases if isinstance(base, str | bytes)))

    def _by(self, node: ast.Call, scope: Scope, how: tuple[dict[str, Way], Way | None], bag: Values) -> Values:
        """Go where the ways in a call lead with what else stands in it."""
        ways, direct = how
        texts = [str(t, "utf-8", "replace") if isinstance(t, bytes) else t for t in bag if isinstance(t, str | bytes)]
        found: Values = ()
        if IMPORTS in ways:
            texts += [] if texts else self._texts_below(node, scope)
            self.imported |= dict.fromkeys(texts, node)
            found = tuple(resolved(name) for text in texts if (name := self.program.module(text)))
        if READS in ways and not found:
            found = self._read(bag, texts)
            if not texts and Thing("builtins.vars") not in bag:
                self._open_read(node, [part.path for part in bag if isinstance(part, Thing)])
        if RUNS in ways or STARTS in ways:
            for text in texts:
                self._execute(node, scope, text.partition(" -c ")[2].strip(" \"'") or text)
        if SEARCHES in ways:
            self._searches.append((node, ways[SEARCHES].words))
        if direct and direct.kind in {IMPORTS, RUNS} and not any(fold.HOLE not in text for text in texts):
            self.hides = True
            self._doubt(node, direct.words)
        elif direct and (direct.kind == HIDES or (direct.kind == STARTS and not _is_harmless(texts))):
            self._doubt(node, direct.words)
        return self._entered(node, (), found) or ((Later(bag),) if {KEEPS, READS, IMPORTS} & ways.keys() else ())

    def _read(self, bag: Values, texts: list[str]) -> Values:
        """Return what a reader such as `getattr` finds: each thing in the bag, by each name in it."""
        bases = [part for part in bag if isinstance(part, Thing) and not way(part.path)]
        if Thing("inspect.getclosurevars") in bag:
            bases = [Thing(_home(base.path)) for base in bases]
        if Thing("builtins.vars") in bag:
            return tuple(Thing(f"{base.path}{_VARS}") for base in bases)
        found = []
        for base in bases if texts else ():
            thing = base
            for name in (name for text in texts for name in text.split(".")):
                thing = self._step(thing, name)
            found.append(thing)
        known = {"__subclasses__": "builtins.type.__subclasses__", "__import__": "builtins.__import__"}
        return tuple(found) or tuple(Thing(known[text]) for text in texts if text in known)

    def _texts_below(self, node: ast.Call, scope: Scope) -> list[str]:
        parts = islice(ast.walk(node), _BAG)
        return [value for part in parts for value in self.values(part, scope) if isinstance(value, str)]

    def _execute(self, node: ast.Call, scope: Scope, text: str) -> None:
        """Trace a text that the program runs, in turn."""
        self.program.spend(len(text))
        tree = parse(text.replace(fold.HOLE, " hole ").strip() + "\n") if self._level < _TEXTS_IN_TEXTS else None
        if isinstance(tree, ast.Module):
            inner = Trace(self.program, self.path, Scopes(tree, self.scopes.package, scope), self._level + 1).run()
            for _, ban, how in inner.reaches[:1]:
                self._reach(node, ban, f"in the text that is executed here, {how}" if ban else how)

    def _search(self, node: ast.AST, words: str) -> None:
        """Tell of a search through everything alive in a file that compares a banned member's name."""
        parts = [part for text in self._compared if len(part := text.strip("_")) > _TELLING]
        for ban in self.program.bans:
            for name in sorted(self.program.members(ban)):
                if any(part in name for part in parts):
                    self._reach(node, ban, f"this {words} to pick out `{ban}.{name}`")
                    return
        self._doubt(node, words)

    @cached_property
    def _compared(self) -> set[str]:
        values = (value for part, scope in self.scopes.compared for value in self.values(part, scope))
        return {text for text in _flat(tuple(values)) if isinstance(text, str)}

    # words

    def _ban(self, thing: Thing) -> str:
        return self.program.ban_of(thing.path)

    def _reach(self, node: ast.AST, ban: str, how: str) -> None:
        self.reaches.append(Reach(node, ban, how))

    def _doubt(self, node: ast.AST, words: str) -> None:
        if words:
            self._reach(node, "", words)

    def _told(self, ban: str, thing: Thing) -> str:
        path, called = thing.path.removesuffix("()"), self.program.called(ban)
        return f"`{path}` of {called}" if path.startswith(f"{ban}.") else called


def resolved(path: str) -> Thing:
    return Thing(library.resolve(path) if len(path) < _BAG else "")


def _home(path: str) -> str:
    while path and not library.is_module(path):
        path = path.rpartition(".")[0]
    return path


def _is_constant(value: object) -> bool:
    return type(value) in {str, bytes, int, tuple}


def _plain(value: object) -> object:
    """Return a value as a constant, with holes where it isn't known."""
    if isinstance(value, Group):
        return tuple(m[0] if m and _is_constant(m[0]) else fold.HOLE for m in value.members)
    return value if _is_constant(value) else fold.HOLE


def _parts(value: object) -> list[Values]:
    if isinstance(value, Group):
        return list(value.members)
    return [(part,) for part in value[:_BAG]] if type(value) in {str, tuple} else []  # type: ignore[index]


def _flat(values: Values) -> Iterator[object]:
    """Go through values and what they hold."""
    waiting = [*reversed(values)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Group):
            waiting += [part for member in reversed(value.members) for part in member]
        elif isinstance(value, Later):
            waiting += reversed(value.parts)
        elif type(value) is tuple:
            waiting += reversed(value[:_BAG])
        else:
            yield value


def _is_harmless(texts: list[str]) -> bool:
    """Tell whether a program that is started is known, and isn't Python."""
    return bool(texts) and not any(fold.HOLE in text or "py" in text for text in texts)


def short(node: ast.AST) -> str:
    """Return an expression as one short line."""
    is_short = sum(1 for _ in islice(ast.walk(node), _BAG)) < _BAG
    text = re.sub(r"\s+", " ", ast.unparse(node)) if is_short else "…"
    return text if len(text) <= 60 else f"{text[:57]}…"


_KINDS: dict[str, tuple[type[ast.AST], ...]] = {
    "_constant": (ast.Constant,),
    "_name": (ast.Name,),
    "_attribute": (ast.Attribute,),
    "_subscript": (ast.Subscript,),
    "_call": (ast.Call,),
    "_binary": (ast.BinOp,),
    "_negative": (ast.UnaryOp,),
    "_text": (ast.JoinedStr,),
    "_sequence": (ast.List, ast.Tuple, ast.Set, ast.Dict),
    "_either": (ast.IfExp, ast.BoolOp),
    "_inner": (ast.NamedExpr, ast.Await, ast.Starred),
    "_letters": (ast.ListComp, ast.GeneratorExp),
}
_LOOKS = {kind: look for look, kinds in _KINDS.items() for kind in kinds}
