"""Says why a program printed nothing, or less than it meant to: never called, or left before it was written."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from grader.judge.reasons.program import Function, Reason
from grader.model.assignment import RunAs
from grader.model.run import Place

if TYPE_CHECKING:
    from grader.judge.reasons.program import Run, Source


def why_silent(run: Run) -> Reason | None:
    """Prove it by the source: a file that only defines things prints nothing, `os._exit` writes nothing out."""
    source, record = run.main, run.record
    if source is not None and source.tree is not None and run.case.kind.run.run_as is RunAs.PROGRAM:
        left = _left_early(source)
        if left is not None:
            return left
    is_silent = not record.stdout.size and not record.stderr.size
    if source is None or source.tree is None or not is_silent or run.case.kind.run.run_as is not RunAs.PROGRAM:
        return None
    if not source.content.strip():
        return Reason(kind="not-called", text=f"{source.path} is an empty file: there is nothing to run.")
    return _wrong_guard(source) or _only_named(source) or _never_called(source)


def _left_early(source: Source) -> Reason | None:
    for node in ast.walk(source.tree) if source.tree else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "_exit":
            line = f"line {node.lineno} (`{source.line(node.lineno)}`)"
            text = f"{line} ends the program at once and throws away what `print` hasn't written yet: leave it out."
            return Reason(kind="unwritten", text=text, place=Place(path=source.path, line=node.lineno))
    return None


def _wrong_guard(source: Source) -> Reason | None:
    """Find `if __name__ == "main":`, which is never true."""
    for node in source.tree.body if source.tree else ():
        if isinstance(node, ast.If) and isinstance(node.test, ast.Compare):
            sides = [node.test.left, *node.test.comparators]
            texts = [side.value for side in sides if isinstance(side, ast.Constant)]
            if (
                any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
                and "__main__" not in texts
            ):
                line = f"line {node.lineno} (`{source.line(node.lineno)}`)"
                text = f"your program printed nothing: {line} must compare with '__main__', or it is never true."
                return _at(source, node.lineno, text)
    return None


def _only_named(source: Source) -> Reason | None:
    """Find a line such as `main`, which names the function and doesn't call it."""
    names = {defined.node.name for defined in source.functions() if not defined.inside}
    for node in source.tree.body if source.tree else ():
        for inner in node.body if isinstance(node, ast.If) else [node]:
            if isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Name) and inner.value.id in names:
                name = inner.value.id
                text = f"line {inner.lineno} is `{name}`, which only names the function: `{name}()` calls it."
                return _at(source, inner.lineno, text)
    return None


def _never_called(source: Source) -> Reason | None:
    body = source.tree.body if source.tree else []
    defined = [node for node in body if isinstance(node, Function | ast.ClassDef)]
    if not defined or any(_does_something(node) for node in body):
        return None
    main = next((node for node in defined if node.name == "main"), defined[-1])
    wanted = f"calls it; add `{main.name}()` at the end" if isinstance(main, Function) else "uses it"
    text = f"your program printed nothing: it defines {main.name} (line {main.lineno}) and never {wanted}."
    return _at(source, main.lineno, text)


def _does_something(node: ast.stmt) -> bool:
    """Tell whether a statement of the file itself may print: anything that calls, loops or has a block."""
    if isinstance(node, Function | ast.ClassDef | ast.Import | ast.ImportFrom | ast.Pass):
        return False
    return not isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr) or any(
        isinstance(inner, ast.Call | ast.Await) for inner in ast.walk(node)
    )


def _at(source: Source, line: int, text: str) -> Reason:
    return Reason(kind="not-called", text=text, place=Place(path=source.path, line=line))
