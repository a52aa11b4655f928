"""Says what is wrong with what a function returned: nothing, or the right thing as another type.

A type is blamed only where the judge itself proves it: with the values converted, the same answer goes right, or
goes wrong only later.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from grader.judge.reasons.program import Function, Reason
from grader.model.assignment import RunAs
from grader.model.run import Place, python_text
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.judge.reasons.program import Run, Source
    from grader.model.judgement import Judgement
    from grader.model.run import RunRecord


_SHOWN = 60
_MOST_PRINTED = 4000


def why_wrong(run: Run, judged: Judgement, again: Callable[[RunRecord], Judgement]) -> Reason | None:
    """Look at the first wrong answer; `again` judges another record of the same run."""
    if run.case.kind.run.run_as is RunAs.PROGRAM or judged.mismatch is None or not run.record.replies:
        return None
    step = judged.mismatch.step or 0
    reply = run.record.replies[min(step, len(run.record.replies) - 1)]
    if reply.value is None and reply.raised is None:
        return _nothing(run)
    return next(_other_types(run, judged, again, reply.value), None) or _printed(run, judged, again, step)


def _printed(run: Run, judged: Judgement, again: Callable[[RunRecord], Judgement], step: int) -> Reason | None:
    """Find answers that were printed, one for each call, while something else was returned."""
    name, record = run.case.kind.run.function, run.record
    lines = record.stdout.head(_MOST_PRINTED).decode("utf-8", "replace").splitlines()
    if len(lines) != len(record.replies):
        return None
    told = tuple(replace(reply, value=_number(line)) for reply, line in zip(record.replies, lines, strict=True))
    if not _goes_further(judged, again(replace(record, replies=told))):
        return None
    both = f"printed {lines[step][:_SHOWN]} and returned {python_text(record.replies[step].value)}"
    return Reason(kind="printed", text=f"{name} {both}: what you print is right; `return` it instead.")


def _nothing(run: Run) -> Reason | None:
    name, source = run.case.kind.run.function, run.main
    function = source.function(name) if source else None
    if source is None or function is None or _is_generator(function):
        return None
    returns = [node for node in _own(function) if isinstance(node, ast.Return) and node.value is not None]
    prints = [node for node in _own(function) if _is_print(node)]
    place = Place(path=source.path, line=function.lineno)
    printed = run.record.stdout.head(2000).decode("utf-8", "replace").strip().partition("\n")[0][:_SHOWN]
    if printed and not returns:
        if prints:
            place = replace(place, line=prints[-1].lineno)
        text = f"{name} printed {printed!r} and returned nothing (None): line {place.line}{run.program.quoted(place)}"
        ask = "must return the answer" if not prints else "prints; write `return` instead"
        return Reason(kind="printed", text=f"{text} {ask}.", place=place)
    where = f"line {place.line} of {place.path}{run.program.quoted(place)}"
    if returns:
        text = f"{name} returned nothing (None): some way through it reaches no `return` with a value; see {where}."
    else:
        text = f"{name} returned nothing (None): it has no `return` with a value; see {where}."
    return Reason(kind="no-return", text=text, place=place)


def _own(function: ast.AST) -> Iterator[Any]:
    """Give the nodes of a function, without those of functions and classes inside it."""
    waiting = [*ast.iter_child_nodes(function)]
    for node in waiting:
        yield node
        if not isinstance(node, Function | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def _is_print(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"


def _is_generator(function: ast.AST) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in _own(function))


class _Type(NamedTuple):
    """A type that is taken for another: how to convert it, and what to say."""

    kind: str
    convert: Callable[[Any], Any]
    words: str


def _other_types(
    run: Run, judged: Judgement, again: Callable[[RunRecord], Judgement], value: Any
) -> Iterator[Reason]:
    for kind in _TYPES:
        wanted = kind.convert(value)
        if wanted is not value and _goes_further(judged, again(_converted(run.record, kind))):
            name = run.case.kind.run.function
            text = f"{name} returned {kind.words.format(python_text(value)[:_SHOWN], python_text(wanted)[:_SHOWN])}"
            place = _returning(run)
            at = f"; see line {place.line} of {place.path}{run.program.quoted(place)}" if place else ""
            yield Reason(kind=kind.kind, text=f"{text}{at}.", place=place)


def _converted(record: RunRecord, kind: _Type) -> RunRecord:
    return replace(record, replies=tuple(replace(reply, value=kind.convert(reply.value)) for reply in record.replies))


def _goes_further(judged: Judgement, other: Judgement) -> bool:
    if other.verdict is Verdict.AC or judged.mismatch is None or other.mismatch is None:
        return other.verdict is Verdict.AC
    steps = judged.mismatch.step, other.mismatch.step
    return steps[0] is not None and steps[1] is not None and steps[1] > steps[0]


def _returning(run: Run) -> Place | None:
    """Return the function's only `return`, else its head."""
    source = run.main
    function = source.function(run.case.kind.run.function) if source else None
    if source is None or function is None:
        return None
    returns = [node for node in _own(function) if isinstance(node, ast.Return)]
    return Place(path=source.path, line=returns[0].lineno if len(returns) == 1 else function.lineno)


def _number(value: Any) -> Any:
    try:
        return int(value) if isinstance(value, str) and len(value) < _SHOWN else value
    except ValueError:
        return value


def _text(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _truth(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


def _only_item(value: Any) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


_TYPES = (
    _Type("text-not-number", _number, "the text {}, not the number {}: leave out the quotes, or use `int(…)`"),
    _Type("number-not-text", _text, "the number {}, not the text {}: `str(…)` makes text of it"),
    _Type("truth-not-number", _truth, "{}, which is a truth value, not the number {}"),
    _Type("list-not-value", _only_item, "the list {}, not its only item {}"),
)


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
