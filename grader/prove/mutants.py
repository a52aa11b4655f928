"""Makes mutants of a program: the same text with one small fault."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from grader.prove.operators import ConfusedNames, changes, exchanged, removal

if TYPE_CHECKING:
    from collections.abc import Iterator

_QUIET = (ast.Import, ast.ImportFrom, ast.Raise, ast.Assert)
"""Statements whose faults show in no answer."""
_TYPES = frozenset({"annotation", "returns", "decorator_list", "bases", "type_params"})


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
            names_like = ConfusedNames(statement)
            for slot in _slots(_Slot(parent=tree, field="body", index=index, piece=statement)):
                yield from _faults_at(slot, names_like)


def _faults_at(slot: _Slot, names_like: ConfusedNames) -> Iterator[tuple[_Slot, str, Any]]:
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
