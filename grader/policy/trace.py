"""Traces one file: what its expressions may be, and where they step into what is banned.

The trace is light on purpose: a name is whatever was bound to it so far, a list is all that is in it, own functions
aren't followed, and a call is a bag of what is called and given. The bag decides: an importer beside a banned
module's name, a reader beside a module that keeps it, a runner beside a text.
"""

from __future__ import annotations

import ast
import re
from itertools import islice, product
from typing import TYPE_CHECKING, Any, NamedTuple

from grader.policy import library
from grader.policy.fold import HOLE, fold, is_constant
from grader.policy.source import parse
from grader.policy.walk import LONGEST, Own, Scope, Thing, Values, Walk, out_of, resolved
from grader.policy.ways import HIDES, IMPORTS, READS, RUNS, SAME, SEARCHES, STARTS, Way, way

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from grader.policy.program import Program

_TEXTS_IN_TEXTS = 3
_PAIRS = 8
_TELLING, _LONG = 4, 6
"""Letters of a name: a longer part of it, and a longer name, are no chance likeness."""


class Reach(NamedTuple):
    """One step from outside into what is banned, or with no `ban` a doubt."""

    node: ast.AST
    ban: str
    how: str
    """The step in one clause, with the code in back quotes."""


class Trace(Walk):
    """One file, or one text that a file executes."""

    def __init__(self, program: Program, path: str, package: str, top: Scope, level: int = 0) -> None:
        super().__init__(program, path, package, top)
        self.reaches: list[Reach] = []
        self.calls: list[tuple[ast.Call, Scope]] = []
        self.imported: dict[str, ast.AST] = {}
        """Texts that an importer is handed."""
        self.hides = False
        """It imports or runs what can't be read."""
        self._level = level
        self._searches: dict[str, Reach] = {}
        """Library module whose names are gone through, or "" for everything alive → the first place."""
        self._texts: set[str] = set()
        self._compared: set[str] = set()

    def run(self) -> None:
        """Look at the whole file; only then is known what a search in it may look for."""
        super().run()
        for home, search in self._searches.items():
            self._searched(home, search)

    def look(self, node: ast.AST, scope: Scope) -> Values:
        looks = _LOOKS.get(type(node))
        return getattr(self, looks)(node, scope) if looks else super().look(node, scope)

    # names and constants

    def _name(self, node: ast.Name, scope: Scope) -> Values:
        self.used.add(node.id)
        holder = scope.holder(node.id)
        if holder:
            return holder.names[node.id]
        if node.id == "__builtins__":
            return (Thing("builtins"), Thing("builtins.__dict__"))
        return self._entered(node, (), (Thing(f"builtins.{node.id}"),) if node.id in library.BUILTINS else ())

    def _constant(self, node: ast.Constant, _: Scope) -> Values:
        self._texts.update([node.value] if isinstance(node.value, str) else ())
        return (node.value,) if is_constant(node.value) else ()

    def _container(self, node: ast.List | ast.Tuple | ast.Set | ast.Dict, scope: Scope) -> Values:
        for key in getattr(node, "keys", ()):
            self.values(key, scope)
        parts = node.values if isinstance(node, ast.Dict) else node.elts
        return _held([value for part in parts for value in self.values(part, scope) or (HOLE,)])

    def _negative(self, node: ast.UnaryOp, scope: Scope) -> Values:
        values = self.values(node.operand, scope)
        return tuple(-value for value in values if type(value) is int) if isinstance(node.op, ast.USub) else values

    def _walrus(self, node: ast.NamedExpr, scope: Scope) -> Values:
        values = self.values(node.value, scope)
        self.bind(node.target, values, scope)
        return values

    def _binary(self, node: ast.BinOp, scope: Scope) -> Values:
        return self._operate(node.op, self.values(node.left, scope), self.values(node.right, scope))

    def _augment(self, node: ast.AugAssign, scope: Scope) -> None:
        before = self.values(node.target, scope)
        self.bind(node.target, self._operate(node.op, before, self.values(node.value, scope)), scope)

    def _operate(self, operator: ast.operator, left: Values, right: Values) -> Values:
        if isinstance(operator, ast.Mod):
            return self._fold("Mod", (*left[:1], *(right or (HOLE,))))
        pairs = islice(product(left or (HOLE,), right or (HOLE,)), _PAIRS if left or right else 0)
        found = tuple(value for pair in pairs for value in self._fold(type(operator).__name__, pair))
        return found or (*left, *right)

    def _fold(self, name: str, values: Iterable[object]) -> Values:
        """Apply one of our own operations, and pay for the size of what comes out."""
        made = fold(name, [value if is_constant(value) else HOLE for value in values])
        self.program.spend(1 + sum(len(value) // 64 for value in made if isinstance(value, str | bytes)))
        self._texts.update(value for value in made if isinstance(value, str))
        return made

    def _text(self, node: ast.JoinedStr, scope: Scope) -> Values:
        parts = [self.values(part, scope)[:1] or (HOLE,) for part in node.values]
        return self._fold("join", ("", *(str(p) if isinstance(p, int) else p for (p,) in parts)))

    def _comprehension(self, node: Any, scope: Scope) -> Values:
        inner = Scope(node, scope)
        for part in node.generators:
            self.bind(part.target, out_of(self.values(part.iter, inner)), inner)
        for test in (test for part in node.generators for test in part.ifs):
            self.values(test, inner)
        results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        return _held([value for result in results for value in self.values(result, inner)])

    def _compare(self, node: ast.AST, scope: Scope) -> Values:
        self._compared.update(v for v in Walk.look(self, node, scope) if isinstance(v, str))
        return ()

    # from one thing to the next

    def _import(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        """Look at what a statement imports."""
        self.imports.append(node)
        program, is_plain = self.program, isinstance(node, ast.Import)
        for name, path in library.bindings(node, self.package):
            scope.bind(name, (Own() if program.own(path, self.path) else resolved(path),))
        for alias, path in zip(node.names, library.modules(node, self.package), strict=True):
            home = path if is_plain or alias.name == "*" else path.rpartition(".")[0]
            real = resolved(path).path
            ban = "" if program.own(path, self.path) else program.ban_of(path) or program.ban_of(real)
            if ban and (program.ban_of(home) or program.ban_of(path)):
                start = "import" if is_plain else f"from {home} import"
                self._reach(alias, ban, f"`{start} {alias.name}` brings in {library.called(ban)}")
            elif ban:
                self._reach(alias, ban, f"`{alias.name}` in `{home}` is {program.told(real)}")

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Values:
        return self._read_from(node, self.values(node.value, scope))

    def _read_from(self, node: ast.Attribute, bases: Values) -> Values:
        found = tuple(_step(base, node.attr) for base in bases if isinstance(base, Thing))
        if not found and node.attr in SAME and not any(isinstance(base, Own) for base in bases):
            found = (Thing(SAME[node.attr]),)
        if node.attr in {"__class__", "__reduce__", "__reduce_ex__"}:
            found = tuple(self._made(bases)) or found
        doubt = next((w.words for thing in found if (w := way(thing.path)) and w.kind == HIDES), "")
        self._reach(node, "", doubt)
        return self._entered(node, bases, found)

    def _made(self, bases: Values) -> Iterator[Thing]:
        """Return the banned class of what a library class keeps or returns: `type(Counter().elements())`."""
        for path in (base.path for base in bases if isinstance(base, Thing)):
            home = _home_of(path)
            makers = library.makers(home) if home and home != path else {}
            names = path.removeprefix(home).replace("()", "").split(".")
            yield from (Thing(makers[name]) for name in names if self.program.ban_of(makers.get(name, "")))

    def _subscript(self, node: ast.Subscript, scope: Scope) -> Values:
        bases, part = self.values(node.value, scope), node.slice
        if isinstance(part, ast.Slice):
            bounds = [self.values(bound, scope)[:1] or (None,) for bound in (part.lower, part.upper, part.step)]
            cut = [self._fold("cut", (base, *(b for (b,) in bounds))) for base in bases[:_PAIRS] if is_constant(base)]
            return tuple(value for values in cut for value in values) or bases
        keys = self.values(part, scope)
        self._read_unknown(node, bases, keys)
        return self._entered(node, bases, _items(bases, keys))

    def _entered(self, node: ast.expr, before: Values, after: Values) -> Values:
        """Report a step from outside into what is banned."""
        ban_of = self.program.ban_of
        thing = next((value for value in after if isinstance(value, Thing) and ban_of(value.path)), None)
        if thing and not any(isinstance(value, Thing) and ban_of(value.path) for value in before):
            start = f"`{_short(node)}` is"
            base = next((value.path for value in before if isinstance(value, Thing)), "")
            if base and isinstance(node, ast.Attribute) and _short(node.value) != base:
                start = f"`{_short(node.value)}` is `{base}`, whose attribute `{node.attr}` is"
            self._reach(node, ban_of(thing.path), f"{start} {self.program.told(thing.path)}")
        return after

    # calls

    def _call(self, node: ast.Call, scope: Scope) -> Values:
        self.calls.append((node, scope))
        parts = (*node.args, *(word.value for word in node.keywords))
        given = out_of(tuple(value for part in parts for value in self.values(part, scope) or (HOLE,))[:LONGEST])
        if isinstance(node.func, ast.Attribute):
            bases = self.values(node.func.value, scope)
            done = self._method(node, bases, node.func.attr, given)
            if done:
                return self._entered(node, bases, done)
            functions = self._read_from(node.func, bases)
        else:
            functions = self.values(node.func, scope)
        called = [function.path for function in functions if isinstance(function, Thing)]
        bag = (*out_of(functions), *given)
        ways = {found.kind: found for part in bag if isinstance(part, Thing) and (found := way(part.path))}
        if ways:
            return self._by(node, scope, (ways, next(filter(None, map(way, called)), None)), bag)
        if called == ["builtins.type"]:
            return self._entered(node, given, tuple(self._made(given)))
        made = tuple(value for path in called[:_PAIRS] for value in self._fold(path.rpartition(".")[2], given))
        spaces = _held([part for part in bag if _is_space(part)])
        free = [path for path in called if len(path) < LONGEST and not self.program.ban_of(path)]
        return made or spaces or tuple(Thing(f"{path}()") for path in free)

    def _method(self, node: ast.AST, bases: Values, name: str, given: Values) -> Values:
        """Return what a method of a text, a list or a namespace gives."""
        if name in {"startswith", "endswith", "find"}:
            self._compared.update(value for value in given if isinstance(value, str))
        if name in {"items", "values", "copy"} and any(_is_space(base) for base in bases):
            self._searches.setdefault("", Reach(node, "", "goes through the names of modules"))
        if name in {"get", "pop", "setdefault", "__getitem__"}:
            return _items(bases, given)
        texts = [base for base in bases[:_PAIRS] if isinstance(base, str | bytes)]
        return tuple(value for text in texts for value in self._fold(name, (text, *given)))

    def _by(self, node: ast.Call, scope: Scope, how: tuple[dict[str, Way], Way | None], bag: Values) -> Values:
        """Go where the ways in a call lead with what else is in it."""
        ways, direct = how
        told = [value for value in bag if isinstance(value, str | bytes) and value != HOLE]
        texts = [str(value, "utf-8", "replace") if isinstance(value, bytes) else value for value in told]
        found: Values = ()
        if IMPORTS in ways:
            below = [part.value for part in islice(ast.walk(node), LONGEST) if isinstance(part, ast.Constant)]
            texts = texts or [value for value in below if isinstance(value, str)]
            names = [text for text in texts if len(text) < LONGEST]
            self.imported |= dict.fromkeys(names, node)
            found = tuple(resolved(name) for text in names if (name := self.program.module(text)))
        if READS in ways and not found:
            found = _read(bag, [text for text in texts if len(text) < LONGEST])
            spaces = [Thing(f"{part.path}.__dict__") for part in bag if isinstance(part, Thing)]
            self._read_unknown(node, spaces, texts)
        for text in texts if RUNS in ways or STARTS in ways else ():
            self._execute(node, scope, text.partition(" -c ")[2].strip(" \"'") or text)
        if SEARCHES in ways:
            self._searches.setdefault("", Reach(node, "", ways[SEARCHES].words))
        if direct:
            self._doubt(node, direct, texts)
        return self._entered(node, bag, found) or (_held(bag) if {READS, IMPORTS} & ways.keys() else ())

    def _doubt(self, node: ast.Call, direct: Way, texts: list[str]) -> None:
        """Note a way that is called with what can't be read."""
        is_open = all(HOLE in text for text in texts)
        self.hides |= direct.kind in {IMPORTS, RUNS} and is_open
        is_python = direct.kind == STARTS and any("py" in text for text in texts)
        if (is_python or is_open) and direct.kind not in {SEARCHES, HIDES}:
            self._reach(node, "", direct.words)

    def _execute(self, node: ast.Call, scope: Scope, text: str) -> None:
        """Trace a text that the program runs, in turn."""
        self.program.spend(len(text))
        tree = parse(text.replace(HOLE, " hole ").strip() + "\n") if self._level < _TEXTS_IN_TEXTS else None
        if isinstance(tree, ast.Module):
            inner = Trace(self.program, self.path, self.package, Scope(tree, scope), self._level + 1)
            inner.depth = self.depth  # one stack for both
            inner.run()
            for _, ban, how in inner.reaches[:1]:
                self._reach(node, ban, f"in the text that is executed here, {how}" if ban else how)

    def _read_unknown(self, node: ast.AST, spaces: Iterable[object], names: Iterable[object]) -> None:
        """Keep in mind that a name of a library module is read which isn't known."""
        for space in () if any(isinstance(name, str) for name in names) else spaces:
            if isinstance(space, Thing) and space.path.endswith(".__dict__"):
                home = space.path.removesuffix(".__dict__")
                self._searches.setdefault(home, Reach(node, "", f"reads a name of `{home}` that can't be told"))

    def _searched(self, home: str, search: Reach) -> None:
        """Look at a search through a module's names, or through everything alive, beside the texts of the file."""
        if home:
            held = {name: ban for name, real in library.holds(home).items() if (ban := self.program.ban_of(real))}
            meant = [name for name in held if name in self._texts and (name[0] == "_" or len(name) > _LONG)]
        else:
            parts = [part for text in self._compared if len(part := text.strip("_")) > _TELLING]
            held = {name: ban for ban in self.program.bans for name in library.telling(ban)}
            meant = [name for name in held if any(part in name and 2 * len(part) >= len(name) for part in parts)]
        for name in meant[:1]:
            how = f"this {search.how}, and `{name}` is a name of {library.called(held[name])}"
            self._reach(search.node, held[name], how)
        self.reaches += [search] if held and not meant else []

    def _reach(self, node: ast.AST, ban: str, how: str) -> None:
        if how:
            self.reaches.append(Reach(node, ban, how))


def _held(values: Sequence[object]) -> Values:
    """Return values as a list or dict holds them."""
    some = values[:LONGEST]
    return tuple(Thing(f"{value.path.removesuffix('[]')}[]") if isinstance(value, Thing) else value for value in some)


def _is_space(value: object) -> bool:
    return isinstance(value, Thing) and value.path.removesuffix("[]").endswith((".__dict__", "sys.modules"))


def _step(base: Thing, name: str) -> Thing:
    """Return what a thing has as an attribute."""
    if base.path.endswith("[]"):
        return _item(base, name) if _is_space(base) and not hasattr(dict, name) else base
    if name in {"__globals__", "f_globals"}:
        return Thing(f"{_home_of(base.path)}.__dict__")
    if name in SAME:
        return Thing(SAME[name])
    if name == "__self__" and base.path.startswith("builtins."):
        return Thing("builtins")
    return Thing(f"{base.path}.{name}") if _is_space(base) else resolved(f"{base.path}.{name}")


def _item(space: Thing, name: str) -> Thing:
    """Return what a namespace, or `sys.modules`, has under a name."""
    path = space.path.removesuffix("[]")
    return resolved(name) if path == "sys.modules" else _step(Thing(path.removesuffix(".__dict__")), name)


def _items(bases: Values, keys: Values) -> Values:
    """Return what is in lists, dicts and namespaces under these keys."""
    texts = [key for key in keys if isinstance(key, str)]
    spaces = [base for base in bases if isinstance(base, Thing) and _is_space(base)]
    found = tuple(_item(space, text) for space in spaces for text in texts)
    return found or out_of(bases)


def _read(bag: Values, texts: list[str]) -> Values:
    """Return what a reader such as `getattr` finds: each thing in the bag, by each name in it."""
    bases = [part for part in bag if isinstance(part, Thing) and not way(part.path)]
    if Thing("builtins.vars") in bag:
        return tuple(Thing(f"{base.path}.__dict__") for base in bases)
    found = []
    for thing in bases if texts else ():
        for name in (name for text in texts for name in text.split(".")):
            thing = (_item if _is_space(thing) else _step)(thing, name)  # noqa: PLW2901  # one step after the other
        found.append(thing)
    return tuple(found) or tuple(Thing(SAME[text]) for text in texts if text in SAME)


def _home_of(path: str) -> str:
    """Return the library module that a path leads through."""
    while path and not library.is_module(path):
        path = path.rpartition(".")[0]
    return path


def _short(node: ast.AST) -> str:
    """Return an expression as one short line."""
    is_short = sum(1 for _ in islice(ast.walk(node), LONGEST)) < LONGEST
    text = re.sub(r"\s+", " ", ast.unparse(node)) if is_short else "…"
    return text if len(text) <= 60 else f"{text[:57]}…"


_LOOKS: dict[type[ast.AST], str] = {
    ast.Name: "_name",
    ast.Constant: "_constant",
    ast.BinOp: "_binary",
    ast.UnaryOp: "_negative",
    ast.NamedExpr: "_walrus",
    ast.JoinedStr: "_text",
    ast.Lambda: "function",
    ast.Compare: "_compare",
    ast.Attribute: "_attribute",
    ast.Subscript: "_subscript",
    ast.Call: "_call",
    **dict.fromkeys((ast.List, ast.Tuple, ast.Set, ast.Dict), "_container"),
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp), "_comprehension"),
}
