"""Compares what a program asks for with what it is given: function, arguments, input, file."""

from __future__ import annotations

import ast
import difflib
import re
from typing import TYPE_CHECKING

from grader.judge.reasons.program import Reason
from grader.model.assignment import RunAs
from grader.model.run import Place

if TYPE_CHECKING:
    from grader.judge.reasons.crash import Crash
    from grader.judge.reasons.program import Defined, Run, Source

_NEAR = 0.6
_MOST_NAMED = 5
_COUNTS = ("no", "one", "two", "three", "four")


def refused(crash: Crash) -> Reason | None:
    """Explain a call that never came about: no such function, or other parameters."""
    if crash.run.case.kind.run.run_as is RunAs.PROGRAM or crash.frames:
        return None
    name = crash.run.case.kind.run.function
    if crash.raised.type == "AttributeError" and crash.raised.message.endswith(f"has no attribute '{name}'"):
        return _no_function(crash.run, name)
    if crash.raised.type == "TypeError" and crash.raised.message.startswith(f"{name}() "):
        return _other_parameters(crash)
    return None


def _no_function(run: Run, name: str) -> Reason:
    source = run.main
    path = run.case.kind.run.module
    found = source and _misplaced(run, source, name)
    if found:
        return found
    names = [defined for defined in source.functions() if not defined.inside] if source else []
    if not names:
        return Reason(kind="no-function", text=f"{path} defines no function; `def {name}(…):` is looked for.")
    near = max(names, key=lambda defined: _likeness(defined.node.name, name))
    if _likeness(near.node.name, name) >= _NEAR:
        line = f"line {near.node.lineno} (`{source.line(near.node.lineno) if source else ''}`)"
        text = f"{path} has no function {name}: rename {near.node.name} in {line} to {name}."
        return Reason(kind="no-function", text=text, place=Place(path=path, line=near.node.lineno))
    several = ", ".join(f"{defined.node.name} (line {defined.node.lineno})" for defined in names[:_MOST_NAMED])
    text = f"{path} has no function {name}; it has {several}. Which of them is meant?"
    return Reason(kind="no-function", text=text, place=Place(path=path, line=names[0].node.lineno))


def _misplaced(run: Run, source: Source, name: str) -> Reason | None:
    """Find the function where an import of the file doesn't: in a class, a function, another file."""
    for defined in source.functions():
        if defined.node.name == name and defined.inside is not None:
            where = f"{name} is defined inside {_holder(defined)} (line {defined.node.lineno} of {source.path})"
            text = f"{where}; it is looked for at the left margin, as a function of the file itself."
            return Reason(kind="no-function", text=text, place=Place(path=source.path, line=defined.node.lineno))
    for other in run.program:
        function = other.function(name) if other.path.endswith(".py") else None
        if function is not None and other is not source:
            text = f"{name} is in {other.path} (line {function.lineno}); it is looked for in {source.path}."
            return Reason(kind="no-function", text=text, place=Place(path=other.path, line=function.lineno))
    return None


def _holder(defined: Defined) -> str:
    if isinstance(defined.inside, ast.ClassDef):
        return f"the class {defined.inside.name}"
    return getattr(defined.inside, "name", "") or "`if __name__ …`, which is not run here,"


def _likeness(one: str, other: str) -> float:
    """Compare names as people read them, without underscores, numbers and case."""
    first, second = (re.sub(r"[_\d]", "", name[:80]).lower() for name in (one, other))
    return difflib.SequenceMatcher(None, first, second).ratio()


def _other_parameters(crash: Crash) -> Reason | None:
    run = crash.run
    name = run.case.kind.run.function
    function = run.main.function(name) if run.main else None
    if function is None or run.main is None:
        return None
    parameters = len(function.args.posonlyargs) + len(function.args.args)
    needed = parameters - len(function.args.defaults)
    passed = _passed(crash.raised.message, needed)
    if passed is None:
        return None
    place = Place(path=run.main.path, line=function.lineno)
    takes = f"{_counted(parameters, 'parameter')}" if needed == parameters else f"{needed} to {parameters} parameters"
    where = f"line {place.line} of {place.path}{run.program.quoted(place)}"
    text = f"{name} is called with {_counted(passed, 'argument')}; {where} has {takes}."
    return Reason(kind="TypeError", text=text, place=place)


def _passed(message: str, needed: int) -> int | None:
    """Read from Python's own words how many arguments there were."""
    given = re.search(r"but (\d{1,3}) (?:was|were) given", message)
    if given:
        return int(given[1])
    missing = re.search(r"missing (\d{1,3}) required positional", message)
    return needed - int(missing[1]) if missing else None


def _counted(number: int, noun: str) -> str:
    count = _COUNTS[number] if number < len(_COUNTS) else str(number)
    return f"{count} {noun}{'' if number == 1 else 's'}"


def own_path(crash: Crash) -> str:
    """Name the file that was tried and the one that is given."""
    spec = crash.run.case.kind.run
    tried = re.search(r"No such file or directory: '(.{1,200})'$", crash.raised.message)
    if tried is None or not spec.file:
        return ""
    if tried[1] == f"{spec.file}\\n":
        return f"The name ends in a line end: `.strip()` takes it away, and {spec.file!r} is left."
    if tried[1] == spec.file:
        return ""
    return f"Open the name that it is given, here {spec.file!r} ({_by(crash.run)}), not one of your own."


def _by(run: Run) -> str:
    spec = run.case.kind.run
    if spec.run_as is not RunAs.PROGRAM:
        return f"the parameter of {spec.function}"
    return "from `input()`" if "{file}" in spec.stdin else "in `sys.argv[1]`"


def argument_missing(crash: Crash) -> str:
    """Explain a look into `sys.argv` beyond what is there; only where the line shows it."""
    spec = crash.run.case.kind.run
    beyond = [int(index) for index in re.findall(r"argv\s*\[\s*(\d{1,3})\s*\]", crash.line)]
    is_unpacked = "argv" in crash.line and "unpack" in crash.raised.message
    if spec.run_as is not RunAs.PROGRAM or not (is_unpacked or max(beyond, default=0) > len(spec.argv)):
        return ""
    if not spec.argv:
        name = ": the file's name comes from `input()`" if "{file}" in spec.stdin else ""
        return f"It gets no argument{name}."
    what = "the name of the file, " if spec.argv == ("{file}",) else ""
    return f"It gets {_counted(len(spec.argv), 'argument')}, {what}in `sys.argv[1]`."


def too_much_input(crash: Crash) -> str:
    """Count what there is to read; a function is given its parameters and nothing else."""
    spec = crash.run.case.kind.run
    if spec.run_as is not RunAs.PROGRAM:
        if crash.run.record.raised is not None:
            return "It asks for input as soon as it is imported: move that below `if __name__ == '__main__':`."
        return f"Nobody types anything when {spec.function} is called: use its parameters instead of `input()`."
    lines = spec.stdin.replace("{file}", spec.file).splitlines()
    if not lines:
        return "It is given no input" + (": the file's name is in `sys.argv[1]`." if spec.argv else ".")
    return f"It asks for more input than it is given, which is {_counted(len(lines), 'line')}: {lines[0]!r}."
