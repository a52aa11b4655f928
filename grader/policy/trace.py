"""Traces one file: what its expressions may be, and where they step into what is banned.

The trace is light on purpose: a name is whatever it is bound to anywhere in its scope, own functions aren't followed,
and a call is a bag of what is in it. The bag decides: an importer beside a banned module's name, a reader beside a
module that keeps it, a runner beside a text. Each expression is looked at once, to a bounded depth.
"""

from __future__ import annotations

import ast
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from grader.policy import fold, library
from grader.policy.expressions import Expressions
from grader.policy.reach import Reach, imported, searched, told
from grader.policy.scopes import Scope, Scopes
from grader.policy.source import parse
from grader.policy.things import BAG, OWN, VARS, Bag, Thing, Values, flat, home_of, plain, resolved, short, texts_in
from grader.policy.ways import HIDES, IMPORTS, READ, READS, RUNS, SEARCHES, STARTS, Way, way

if TYPE_CHECKING:
    from grader.policy.program import Program

_TEXTS_IN_TEXTS = 3
_MODULES = "sys.modules"
_SPACES = (VARS, _MODULES)


class Trace(Expressions):
    """One file, or one text that a file executes."""

    LOOKS: ClassVar = {
        **Expressions.LOOKS,
        ast.Attribute: "_attribute",
        ast.Subscript: "_subscript",
        ast.Call: "_call",
    }

    def __init__(self, program: Program, path: str, scopes: Scopes, level: int = 0) -> None:
        super().__init__(program, path, scopes)
        self.reaches: list[Reach] = []
        self.imported: dict[str, ast.AST] = {}
        """Texts that an importer is handed."""
        self.hides = False
        """It imports or runs what can't be read."""
        self._level = level
        self._searches: dict[str, Reach] = {}
        """Library module whose names are gone through, or "" for everything alive → the first place."""

    def run(self) -> Trace:
        """Look at every place of the file that could be a step."""
        for statement in self.scopes.imports:
            self.reaches += imported(self.program, self.path, statement, self.scopes)
        for node, scope in self.scopes.looks:
            self.values(node, scope)
        if self._searches:
            compared = texts_in(self.values(part, scope) for part, scope in self.scopes.compared)
            texts = texts_in(self._known.values())
            for home, search in self._searches.items():
                self.reaches += searched(self.program, home, search, texts if home else compared)
        return self

    # from one thing to the next

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Values:
        self._reach(node, "", READ.get(node.attr, ""))
        bases = self.values(node.value, scope)
        found: Values = tuple(self._step(base, node.attr) for base in bases if isinstance(base, Thing))
        found += tuple(base for base in bases if isinstance(base, Bag))
        if not found and OWN not in bases and node.attr in _KNOWN:
            found = (Thing(_KNOWN[node.attr]),)
        return self._entered(node, bases, found)

    def _step(self, base: Thing, name: str) -> Thing:
        if base.path == _MODULES:
            return Thing(f"{_MODULES}.{name}")
        if name in {"__globals__", "f_globals"}:
            return Thing(f"{home_of(base.path)}{VARS}")
        if name in _KNOWN:
            return Thing(_KNOWN[name])
        if name == "__self__" and base.path.startswith("builtins."):
            return Thing("builtins")
        return (self._made(base) if name in {"__class__", "__reduce__", "__reduce_ex__"} else None) or resolved(
            f"{base.path}.{name}"
        )

    def _made(self, thing: Thing) -> Thing | None:
        """Return the banned class of what a library class keeps or returns: `type(Counter().elements())`."""
        home = home_of(thing.path)
        makers = library.makers(home) if home and home != thing.path else {}
        names = thing.path.removeprefix(home).replace("()", "").split(".")
        return next((Thing(makers[name]) for name in names if self._ban(Thing(makers.get(name, "")))), None)

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Values:
        bases = self.values(node.value, scope)
        keys = self.values(node.slice, scope)
        if isinstance(node.slice, ast.Slice):
            bounds = [self.values(part, scope)[:1] for part in (node.slice.lower, node.slice.upper, node.slice.step)]
            keys = (slice(*(bound[0] if bound else None for bound in bounds)),)
        if not any(isinstance(key, str | slice) for key in keys):
            self._read_unknown(node, bases)
        return self._entered(node, bases, self._items(bases, keys))

    def _items(self, bases: Values, keys: Values) -> Values:
        found: list[object] = []
        texts = [key for key in keys if isinstance(key, str)]
        for base in bases:
            if isinstance(base, Thing) and base.path == _MODULES:
                found += map(resolved, texts)
            elif isinstance(base, Thing) and base.path.endswith(VARS):
                found += [self._step(Thing(base.path.removesuffix(VARS)), text) for text in texts]
            elif isinstance(base, Bag):
                found += self._read(base.parts, texts) or base.parts
            else:
                found += self._folded(fold.item, ((base, key) for key in keys))
        return tuple(found)

    def _entered(self, node: ast.expr, before: Values, after: Values) -> Values:
        """Report a step from outside into what is banned."""
        thing = next((value for value in after if isinstance(value, Thing) and self._ban(value)), None)
        if thing and not any(isinstance(value, Thing) and self._ban(value) for value in before):
            start = f"`{short(node)}` is"
            base = next((value.path for value in before if isinstance(value, Thing)), "")
            if base and isinstance(node, ast.Attribute) and short(node.value) != base:
                start = f"`{short(node.value)}` is `{base}`, whose attribute `{node.attr}` is"
            self._reach(node, self._ban(thing), f"{start} {told(self.program, thing.path)}")
        return after

    # calls

    def _call(self, node: ast.Call, scope: Scope) -> Values:
        given = islice((*node.args, *(word.value for word in node.keywords)), BAG)
        arguments = [self.values(part, scope) for part in given]
        if isinstance(node.func, ast.Attribute):
            bases = self.values(node.func.value, scope)
            done = self._method(node, bases, node.func.attr, arguments) if bases else ()
            if done:
                return self._entered(node, bases, done)
        functions = self.values(node.func, scope)
        bag = tuple(islice(flat((*functions, *(v for values in arguments for v in values))), BAG))
        ways = {found.kind: found for part in bag if isinstance(part, Thing) and (found := way(part.path))}
        if ways:
            direct = next((w for f in functions if isinstance(f, Thing) and (w := way(f.path))), None)
            return self._by(node, scope, (ways, direct), bag)
        called = [function.path for function in functions if isinstance(function, Thing)]
        if "builtins.type" in called and len(arguments) == 1:
            made = [self._made(value) for value in arguments[0] if isinstance(value, Thing)]
            return self._entered(node, (), tuple(thing for thing in made if thing))
        pure = [path for path in called if path.rpartition(".")[2] in fold.PURE]
        if pure and arguments and all(arguments):
            return self._folded(fold.call, [(path, [plain(values[0]) for values in arguments]) for path in pure])
        return tuple(Thing(f"{path}()") for path in called if len(path) < BAG)

    def _method(self, node: ast.AST, bases: Values, name: str, arguments: list[Values]) -> Values:
        if name in {"items", "values", "copy"} and any(
            isinstance(b, Thing) and b.path.endswith(_SPACES) for b in bases
        ):
            self._searches.setdefault("", Reach(node, "", "goes through the names of modules"))
        if name in {"get", "pop", "setdefault", "__getitem__"}:
            return self._items(bases, arguments[0] if arguments else ())
        values = [plain(values[0]) if values else fold.HOLE for values in arguments]
        return self._folded(fold.method, ((base, name, values) for base in bases if isinstance(base, str | bytes)))

    def _by(self, node: ast.Call, scope: Scope, how: tuple[dict[str, Way], Way | None], bag: Values) -> Values:
        """Go where the ways in a call lead with what else is in it."""
        ways, direct = how
        texts = [str(t, "utf-8", "replace") if isinstance(t, bytes) else t for t in bag if isinstance(t, str | bytes)]
        found: Values = ()
        if IMPORTS in ways:
            below = islice(ast.walk(node), 0 if texts else BAG)
            texts += [value for part in below for value in self.values(part, scope) if isinstance(value, str)]
            self.imported |= dict.fromkeys(texts, node)
            found = tuple(resolved(name) for text in texts if (name := self.program.module(text)))
        if READS in ways and not found:
            found = self._read(bag, texts)
            if not texts and Thing("builtins.vars") not in bag:
                self._read_unknown(node, tuple(Thing(f"{p.path}{VARS}") for p in bag if isinstance(p, Thing)))
        for text in texts if RUNS in ways or STARTS in ways else ():
            self._execute(node, scope, text.partition(" -c ")[2].strip(" \"'") or text)
        if SEARCHES in ways:
            self._searches.setdefault("", Reach(node, "", ways[SEARCHES].words))
        is_open = not any(fold.HOLE not in text for text in texts)
        self.hides |= direct is not None and direct.kind in {IMPORTS, RUNS} and is_open
        if (
            direct
            and (direct.kind in {HIDES, STARTS} or is_open)
            and not (direct.kind == STARTS and _is_known(texts))
        ):
            self._reach(node, "", "" if direct.kind == SEARCHES else direct.words)
        return self._entered(node, (), found) or ((Bag(bag),) if {READS, IMPORTS} & ways.keys() else ())

    def _read(self, bag: Values, texts: list[str]) -> Values:
        """Return what a reader such as `getattr` finds: each thing in the bag, by each name in it."""
        bases = [part for part in bag if isinstance(part, Thing) and not way(part.path)]
        if Thing("inspect.getclosurevars") in bag:
            bases = [Thing(home_of(base.path)) for base in bases]
        if Thing("builtins.vars") in bag:
            return tuple(Thing(f"{base.path}{VARS}") for base in bases)
        found = []
        for thing in bases if texts else ():
            for name in (name for text in texts for name in text.split(".")):
                thing = self._step(thing, name)  # noqa: PLW2901  # one step after the other
            found.append(thing)
        return tuple(found) or tuple(Thing(_KNOWN[text]) for text in texts if text in _KNOWN)

    def _execute(self, node: ast.Call, scope: Scope, text: str) -> None:
        """Trace a text that the program runs, in turn."""
        self.program.spend(len(text))
        tree = parse(text.replace(fold.HOLE, " hole ").strip() + "\n") if self._level < _TEXTS_IN_TEXTS else None
        if isinstance(tree, ast.Module):
            inner = Trace(self.program, self.path, Scopes(tree, self.scopes.package, scope), self._level + 1).run()
            for _, ban, how in inner.reaches[:1]:
                self._reach(node, ban, f"in the text that is executed here, {how}" if ban else how)

    def _read_unknown(self, node: ast.AST, spaces: Values) -> None:
        """Keep in mind that a name of a library module is read which isn't known."""
        for space in spaces:
            if isinstance(space, Thing) and space.path.endswith(VARS):
                home = space.path.removesuffix(VARS)
                self._searches.setdefault(home, Reach(node, "", f"reads a name of `{home}` that can't be told"))

    # words

    def _ban(self, thing: Thing) -> str:
        return self.program.ban_of(thing.path)

    def _reach(self, node: ast.AST, ban: str, how: str) -> None:
        if how:
            self.reaches.append(Reach(node, ban, how))


def _is_known(texts: list[str]) -> bool:
    """Tell whether a program that is started is known, and isn't Python."""
    return bool(texts) and not any(fold.HOLE in text or "py" in text for text in texts)


_KNOWN = {
    "__subclasses__": "builtins.type.__subclasses__",
    "__import__": "builtins.__import__",
    "__builtins__": f"builtins{VARS}",
    "f_builtins": f"builtins{VARS}",
}
"""Attributes that are the same on whatever they are read."""
