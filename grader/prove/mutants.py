"""Makes mutants of a program: the same text with one small fault."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Change = tuple[str, ast.AST]


_QUIET = (ast.Import, ast.ImportFrom, ast.Raise, ast.Assert)
"""Statements whose faults show in no answer."""
_TYPES = frozenset({"annotation", "returns", "decorator_list", "bases", "type_params"})
_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr, ast.BitAnd),
}
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_WRAPPERS = frozenset({"reversed", "sorted", "abs"})


class Mutant(msgspec.Struct, frozen=True, kw_only=True):
    """One faulty program, named by the place and the kind of its fault."""

    module: str
    line: int
    column: int
    operator: str
    source: str
    """The original line, without its indentation."""
    removed: tuple[str, ...]
    """Lines of the program, written uniformly, that the fault takes away."""
    added: tuple[str, ...]
    code: str
    """The whole faulty program."""

    @property
    def id(self) -> str:
        return f"{self.module}:{self.line}:{self.column}:{self.operator}"

    @property
    def about(self) -> str:
        """Say the fault in one line."""
        old, new = " ".join(map(str.strip, self.removed)), " ".join(map(str.strip, self.added))
        return f"{old or 'nothing'}  →  {new or 'nothing'}"


def mutants(source: str, module: str, names: frozenset[str] = frozenset()) -> Iterator[Mutant]:
    """Yield every mutant of a module, or only of these functions, classes and tables of it."""
    tree = ast.parse(source)
    writer = _Writer(source, module, tree)
    seen: Counter[str] = Counter()
    for slot, operator, replacement in _faults(tree, names):
        mutant = writer.make(slot, operator, replacement)
        seen[mutant.id] += 1
        if mutant.removed == mutant.added:
            continue
        again = seen[mutant.id]
        yield msgspec.structs.replace(mutant, operator=f"{operator}.{again}") if again > 1 else mutant


class _Slot(msgspec.Struct, frozen=True, kw_only=True):
    """The place of one piece in the tree."""

    parent: Any
    field: str
    index: int | None
    piece: Any
    at: Any = None
    """Where the fault is, when it isn't the piece itself."""

    def fill(self, piece: Any) -> None:
        if self.index is None:
            setattr(self.parent, self.field, piece)
        else:
            getattr(self.parent, self.field)[self.index] = piece


class _Writer:
    """Writes the program anew with one piece exchanged."""

    def __init__(self, source: str, module: str, tree: ast.Module) -> None:
        self._lines = source.splitlines()
        self._module = module
        self._tree = tree
        self._whole = ast.unparse(tree).splitlines()

    def make(self, slot: _Slot, operator: str, replacement: Any) -> Mutant:
        slot.fill(replacement)
        code = ast.unparse(ast.fix_missing_locations(self._tree))
        slot.fill(slot.piece)
        line, column = _place(slot.at or slot.piece, slot.parent)
        removed, added = _difference(self._whole, code.splitlines())
        return Mutant(
            module=self._module,
            line=line,
            column=column,
            operator=operator,
            source=self._lines[line - 1].strip(),
            removed=removed,
            added=added,
            code=code,
        )


def _place(piece: Any, parent: Any) -> tuple[int, int]:
    """Return line and column from 1; a piece without a place of its own has that of a part, or of its parent."""
    for node in (piece, *ast.iter_child_nodes(piece), parent):
        if hasattr(node, "lineno"):
            return node.lineno, node.col_offset + 1
    return 1, 1


def _difference(old: list[str], new: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lines in which two texts differ, without what is the same before and after."""
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    return tuple(old[first : len(old) - last]), tuple(new[first : len(new) - last])


def _faults(tree: ast.Module, names: frozenset[str]) -> Iterator[tuple[_Slot, str, Any]]:
    for index, statement in enumerate(tree.body):
        if _is_chosen(statement, names):
            names_like = _ConfusedNames(statement)
            for slot in _slots(_Slot(parent=tree, field="body", index=index, piece=statement)):
                yield from _faults_at(slot, names_like)


def _faults_at(slot: _Slot, names_like: _ConfusedNames) -> Iterator[tuple[_Slot, str, Any]]:
    piece = slot.piece
    for operator, replacement in (*changes(piece), *names_like.changes(piece)):
        yield slot, operator, replacement
    if isinstance(piece, ast.stmt) and slot.index is not None and not isinstance(slot.parent, ast.Module):
        for operator, replacement in removal(piece):
            yield slot, operator, replacement
        yield from _exchanges(slot)


def _exchanges(slot: _Slot) -> Iterator[tuple[_Slot, str, Any]]:
    """Exchange a statement with its neighbour; the slot is then the whole list of statements."""
    body = getattr(slot.parent, slot.field)
    index = slot.index
    assert index is not None
    if index + 1 < len(body):
        one, two = body[index], body[index + 1]
        is_member = (
            isinstance(slot.parent, ast.ClassDef) and isinstance(one, ast.Assign) and isinstance(two, ast.Assign)
        )
        if is_member or exchanged(one, two):
            whole = _Slot(parent=slot.parent, field=slot.field, index=None, piece=body, at=one)
            yield whole, "swap-lines", [*body[:index], two, one, *body[index + 2 :]]


def _is_chosen(statement: ast.stmt, names: frozenset[str]) -> bool:
    """Leave out imports, texts, names of types, and what isn't asked for."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return not names or name in names
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return (not names or name in names) and not isinstance(statement.value, ast.Subscript)
        case _:
            return False


def _slots(slot: _Slot) -> Iterator[_Slot]:
    """Yield the piece and everything inside it, but types and texts that no answer depends on."""
    yield slot
    for field, value in ast.iter_fields(slot.piece):
        if field in _TYPES or (field == "keywords" and isinstance(slot.piece, ast.ClassDef)):
            continue
        children = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for index, child in children:
            if isinstance(child, ast.AST) and not _is_quiet(child):
                yield from _slots(_Slot(parent=slot.piece, field=field, index=index, piece=child))


def _is_quiet(node: ast.AST) -> bool:
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    is_guard = isinstance(node, ast.If) and len(node.body) == 1 and isinstance(node.body[0], ast.Raise)
    return is_text or is_guard or isinstance(node, (*_QUIET, ast.expr_context, ast.operator, ast.cmpop, ast.boolop))


def changes(node: ast.AST) -> Iterator[Change]:
    """Yield everything that one expression or statement can turn into by itself."""
    match node:
        case ast.Compare():
            yield from _compare(node)
        case ast.BinOp():
            yield from _arithmetic(node)
        case ast.AugAssign():
            for other in _ARITHMETIC.get(type(node.op), ()):
                yield _named(node.op, other), ast.AugAssign(target=node.target, op=other(), value=node.value)
        case ast.BoolOp():
            yield from _logic(node)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield f"drop-{type(node.op).__name__.lower()}", node.operand
        case ast.Constant():
            yield from _constant(node)
        case ast.Call():
            yield from _call(node)
        case ast.Tuple() | ast.List():
            yield from _order(node)
        case ast.Dict():
            yield from _values(node)
        case ast.Slice():
            yield from _slice(node)
        case ast.IfExp():
            yield "negate", ast.IfExp(test=_negated(node.test), body=node.body, orelse=node.orelse)
        case ast.If():
            yield "negate", ast.If(test=_negated(node.test), body=node.body, orelse=node.orelse)
            yield "always", ast.If(test=ast.Constant(value=True), body=node.body, orelse=node.orelse)
        case ast.While():
            yield "never", ast.While(test=ast.Constant(value=False), body=node.body, orelse=node.orelse)
        case ast.comprehension():
            yield from _filters(node)
        case ast.Break():
            yield "continue", ast.Continue()
        case ast.Continue():
            yield "break", ast.Break()
        case _:
            pass


def removal(statement: ast.stmt) -> Iterator[Change]:
    """Yield the gap that a removed statement leaves."""
    removable = (ast.Expr, ast.Assign, ast.AugAssign, ast.If, ast.For, ast.While, ast.Continue, ast.Break, ast.Return)
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    if isinstance(statement, removable) and not is_text:
        yield "remove", ast.Pass()


def exchanged(first: ast.stmt, second: ast.stmt) -> bool:
    """Tell whether two neighbours are of a kind whose order can matter without a name going missing."""
    alike = (ast.If, ast.Expr, ast.AugAssign)
    is_text = any(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in (first, second))
    return type(first) is type(second) and isinstance(first, alike) and not is_text


def _named(old: ast.AST, new: type[ast.AST]) -> str:
    return f"{type(old).__name__}-{new.__name__}".lower()


def _compare(node: ast.Compare) -> Iterator[Change]:
    for number, operator in enumerate(node.ops):
        for other in _COMPARISONS.get(type(operator), ()):
            ops = [*node.ops[:number], other(), *node.ops[number + 1 :]]
            name = _named(operator, other) + (f"-{number + 1}" if len(node.ops) > 1 else "")
            yield name, ast.Compare(left=node.left, ops=ops, comparators=node.comparators)


def _arithmetic(node: ast.BinOp) -> Iterator[Change]:
    for other in _ARITHMETIC.get(type(node.op), ()):
        yield _named(node.op, other), ast.BinOp(left=node.left, op=other(), right=node.right)
    if not isinstance(node.left, ast.Constant) and not isinstance(node.right, ast.Constant):
        yield "left-only", node.left
        yield "right-only", node.right


def _logic(node: ast.BoolOp) -> Iterator[Change]:
    other = ast.Or if isinstance(node.op, ast.And) else ast.And
    yield _named(node.op, other), ast.BoolOp(op=other(), values=node.values)
    for number in range(len(node.values)):
        rest = node.values[:number] + node.values[number + 1 :]
        yield f"drop-{number + 1}", rest[0] if len(rest) == 1 else ast.BoolOp(op=node.op, values=rest)


def _constant(node: ast.Constant) -> Iterator[Change]:
    value = node.value
    if isinstance(value, bool):
        yield "negate", ast.Constant(value=not value)
    elif isinstance(value, int):
        yield "plus-one", ast.Constant(value=value + 1)
        yield "minus-one", ast.Constant(value=value - 1)
    elif isinstance(value, str) and value:
        yield "no-text", ast.Constant(value="")
        if len(value) > 1:
            yield "turned-text", ast.Constant(value=value[::-1])


def _call(node: ast.Call) -> Iterator[Change]:
    arguments = node.args
    is_plain = not any(isinstance(each, ast.Starred) for each in arguments)
    for number, swapped in _neighbours(arguments) if is_plain else ():
        yield f"swap-{number}", ast.Call(func=node.func, args=swapped, keywords=node.keywords)
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name in _CALLS:
        yield _CALLS[name], ast.Call(func=ast.Name(id=_CALLS[name]), args=arguments, keywords=node.keywords)
    if name in _WRAPPERS and len(arguments) == 1:
        yield f"drop-{name}", arguments[0]


def _order(node: ast.Tuple | ast.List) -> Iterator[Change]:
    for number, swapped in _neighbours(node.elts):
        yield f"swap-{number}", type(node)(elts=swapped, ctx=node.ctx)


def _values(node: ast.Dict) -> Iterator[Change]:
    for number, swapped in _neighbours(node.values):
        yield f"swap-{number}", ast.Dict(keys=node.keys, values=swapped)


def _neighbours(items: Sequence[ast.expr]) -> Iterator[tuple[int, list[ast.expr]]]:
    """Exchange each item with the one after it, where that makes a difference."""
    for number in range(len(items) - 1):
        one, two = items[number], items[number + 1]
        if ast.dump(one) != ast.dump(two):
            yield number + 1, [*items[:number], two, one, *items[number + 2 :]]


def _slice(node: ast.Slice) -> Iterator[Change]:
    for part in ("lower", "upper", "step"):
        if getattr(node, part) is not None:
            kept = {name: getattr(node, name) for name in ("lower", "upper", "step") if name != part}
            yield f"no-{part}", ast.Slice(**kept)


def _filters(node: ast.comprehension) -> Iterator[Change]:
    for number in range(len(node.ifs)):
        rest = node.ifs[:number] + node.ifs[number + 1 :]
        yield (
            f"no-filter-{number + 1}",
            ast.comprehension(target=node.target, iter=node.iter, ifs=rest, is_async=node.is_async),
        )


def _negated(test: ast.expr) -> ast.expr:
    return test.operand if isinstance(test, ast.UnaryOp) else ast.UnaryOp(op=ast.Not(), operand=test)


class _ConfusedNames:
    """The names that a hasty writer takes for each other: a statement's variables, an object's attributes."""

    def __init__(self, top: ast.stmt) -> None:
        self._names: dict[int, list[str]] = {}
        self._attributes: dict[str, dict[str, None]] = {}
        self._called = {id(node.func) for node in ast.walk(top) if isinstance(node, ast.Call)}
        own = _own_names(top)
        for node in ast.walk(top):
            if isinstance(node, ast.Attribute) and id(node) not in self._called:
                self._attributes.setdefault(ast.dump(node.value), {})[node.attr] = None
            if isinstance(node, ast.stmt):
                self._note_names(node, own)

    def _note_names(self, statement: ast.stmt, own: set[str]) -> None:
        """Let each variable of a statement know the others of the same statement."""
        loaded = [node for node in _expressions(statement) if isinstance(node, ast.Name) and node.id in own]
        names = list(dict.fromkeys(node.id for node in loaded if isinstance(node.ctx, ast.Load)))
        for node in loaded:
            self._names[id(node)] = names

    def changes(self, node: ast.AST) -> Iterator[Change]:
        """Yield the next of the names that could stand here instead."""
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            names = self._names.get(id(node), [])
            if len(names) > 1:
                other = names[(names.index(node.id) + 1) % len(names)]
                yield f"name-{other}", ast.Name(id=other, ctx=ast.Load())
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and id(node) not in self._called:
            attributes = list(self._attributes[ast.dump(node.value)])
            if len(attributes) > 1:
                other = attributes[(attributes.index(node.attr) + 1) % len(attributes)]
                yield f"attribute-{other}", ast.Attribute(value=node.value, attr=other, ctx=ast.Load())


def _own_names(top: ast.stmt) -> set[str]:
    """Return parameters and everything that is assigned inside."""
    parameters = {node.arg for node in ast.walk(top) if isinstance(node, ast.arg)}
    stored = {node.id for node in ast.walk(top) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return (parameters | stored) - {"self", "cls"}


def _expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield what belongs to the statement itself, not to statements inside it."""
    waiting: list[ast.AST] = [node for node in ast.iter_child_nodes(statement) if not isinstance(node, ast.stmt)]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.arguments):
            continue
        yield node
        waiting += ast.iter_child_nodes(node)
