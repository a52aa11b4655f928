"""Says what an exception that ended a program means, and what to do about it."""

from __future__ import annotations

import builtins
import difflib
import re
import sys
from typing import TYPE_CHECKING, NamedTuple

from grader.judge.reasons import given
from grader.judge.reasons.program import Reason
from grader.model.assignment import RunAs
from grader.model.run import Place
from grader.tracebacks import own_frames

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.judge.reasons.program import Run, Source
    from grader.model.run import Raised
    from grader.tracebacks import Frame


_MOST_TOLD = 300
_NEAR = 0.75
"""How alike two names are of which one may be a slip for the other."""
_TYPES = (
    (r"not supported between instances of '(str' and '(int|float)|(int|float)' and 'str)'",
     "Text is compared with a number: `int(…)` makes a number of text such as '3'."),
    (r"can only concatenate str|must be str, not (int|float)|unsupported operand .*'str'",
     "Text and number can't be added: `str(…)` makes text, `int(…)` makes a number."),
    (r"'NoneType' (object is not|has no len|and)|(and|not) 'NoneType'|not NoneType",
     "A value is None there: does a function of yours come to its end without `return`?"),
    (r"'str' object cannot be interpreted as an integer",
     "It is text where a number is needed: `int(…)` makes one of text such as '3'."),
    (r"indices must be integers", "The index isn't a whole number; `int(…)` makes one of text such as '3'."),
    (r"'(list|dict|str|tuple|int)' object is not callable",
     "Round brackets call a function: to look into a list write `a[0]`; or a name of yours hides a function."),
)  # fmt: skip
_SYNTAX = frozenset({"SyntaxError", "IndentationError", "TabError"})
_TABS = "Tabs and spaces are mixed: indent with spaces alone."


class Crash(NamedTuple):
    """An exception, and where in the student's files it came from."""

    run: Run
    raised: Raised
    frames: list[Frame]
    place: Place | None
    line: str


def explain_crash(run: Run, raised: Raised, who: str) -> Reason:
    """Tell type, message and line in one sentence; a second one where the cause is known."""
    frames = own_frames(raised.traceback)
    place = run.program.at(frames[-1] if frames else None)
    crash = Crash(run, raised, frames, place, run.program.line(place))
    whole = next((reason for reason in (given.refused(crash), _unreadable(crash)) if reason), None)
    if whole is not None:
        return whole
    told = f"{raised.type}: {raised.message}" if raised.message else raised.type
    text = f"{who} stopped with {told[:_MOST_TOLD].rstrip('.')}{_where(crash)}."
    advice = next((words for ask in _ADVICE.get(raised.type, ()) if (words := ask(crash))), "")
    return Reason(kind=raised.type, text=f"{text} {advice}".rstrip(), place=place)


def _where(crash: Crash) -> str:
    if not crash.frames:
        return ""
    last = crash.frames[-1]
    inside = f", in {last.name}" if last.name else ""
    return f" at line {last.line} of {last.path.rsplit('/', 1)[-1]}{inside}{crash.run.program.quoted(crash.place)}"


def _recursion(crash: Crash) -> str:
    names = [frame.name for frame in crash.frames if frame.name]
    most = max(names, key=names.count, default="")
    calls = f"{most} calls itself again and again; does it stop anywhere? " if most else ""
    return f"{calls}Recursion goes as deep as the path is long; a list of your own has no such limit."


def _index(crash: Crash) -> str:
    """Speak of edges only where a row of rows is looked into."""
    if re.search(r"\w\[[^\[\]]*\]\s*\[", crash.line):
        return "Does it look beyond the edge of the map, or beyond the end of a shorter row?"
    return "The index is as large as the list is long, or larger: the last item of `a` is `a[len(a) - 1]`."


def _near_name(crash: Crash) -> str:
    """Suggest a name of the file, or one of Python's own."""
    name = re.match(r"name '(\w{1,80})'", crash.raised.message)
    source = crash.run.program.source(crash.place.path) if crash.place else None
    return _suggested(name[1], [*source.names(), *dir(builtins)]) if name and source else ""


def _near_attribute(crash: Crash) -> str:
    found = re.match(
        r"'(list|str|dict|set|tuple|int|float)' object has no attribute '(\w{1,80})'", crash.raised.message
    )
    return _suggested(found[2], dir(getattr(builtins, found[1]))) if found else ""


def _suggested(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, set(known) - {name}, n=1, cutoff=_NEAR)
    return f"Did you mean `{near[0]}`?" if near else ""


def _forgotten_import(crash: Crash) -> str:
    name = re.match(r"name '(\w+)'", crash.raised.message)
    if name and name[1] in sys.stdlib_module_names:
        return f"Is `import {name[1]}` missing at the top?"
    return ""


def _unbound(crash: Crash) -> str:
    name = re.search(r"local variable '(\w+)'", crash.raised.message)
    if name is None:
        return ""
    owner = crash.frames[-1].name if crash.frames and crash.frames[-1].name else "this function"
    own = f"{owner} gives {name[1]} a value somewhere, so in it {name[1]} is a name of its own, which has none yet"
    return f"{own}: pass it as a parameter, or give it a value first."


def _types(crash: Crash) -> str:
    return next((words for pattern, words in _TYPES if re.search(pattern, crash.raised.message)), "")


def _unpacked(crash: Crash) -> str:
    """Say how many names and parts there are, where a line takes a list apart."""
    if re.search(r"not enough values to unpack|too many values to unpack", crash.raised.message):
        return "The names on the left must be as many as the parts on the right: print the text before it is split."
    text = re.search(r"invalid literal for int\(\) with base 10: (.{1,80})$", crash.raised.message)
    if text:
        return f"It is given {text[1]}, which isn't a whole number: is it the part of the line that you mean?"
    return ""


def _key(crash: Crash) -> str:
    """Recognise a key that is text where the dictionary's keys look like something else."""
    key = crash.raised.message
    if re.fullmatch(r"'[\[(]?-?\d[\d, ]*[\])]?'", key):
        return f"The key is the text {key}, not {key[1:-1]}: they are different keys."
    return f"The dictionary has no key {key[:60]}." if key else ""


def _missing_module(crash: Crash) -> str:
    name = re.search(r"No module named '([\w.]{1,80})'", crash.raised.message)
    if name is None:
        return ""
    top = name[1].partition(".")[0]
    return f"{top} isn't installed here: hand in {top}.py as well if it is a file of yours, else do without it."


def _exit(crash: Crash) -> str:
    is_call = crash.run.case.kind.run.run_as is not RunAs.PROGRAM
    return "A function answers with `return`; `exit` ends the whole program." if is_call else ""


_ADVICE: dict[str, tuple[Callable[[Crash], str], ...]] = {
    "RecursionError": (_recursion,),
    "ModuleNotFoundError": (_missing_module,),
    "FileNotFoundError": (given.own_path,),
    "EOFError": (given.too_much_input,),
    "IndexError": (given.argument_missing, _index),
    "ValueError": (given.argument_missing, _unpacked),
    "KeyError": (_key,),
    "NameError": (_forgotten_import, _near_name),
    "AttributeError": (_near_attribute,),
    "UnboundLocalError": (_unbound,),
    "TypeError": (_types,),
    "SystemExit": (_exit,),
}


_HOW_WRITTEN = (
    (r"Missing parentheses in call to 'print'", "In Python 3 it is a function: write `print(…)`."),
    (r"inconsistent use of tabs", _TABS),
    (r"unindent does not match", "It is indented by more or fewer spaces than the lines that it belongs to."),
    (r"expected an indented block", "Indent the lines below it by four spaces."),
    (r"unexpected indent", "Nothing above asks for this indentation."),
)


def _unreadable(crash: Crash) -> Reason | None:
    """Explain a file that isn't Python, by its bytes before its syntax."""
    run, raised = crash.run, crash.raised
    source = run.program.source(crash.place.path) if crash.place else run.main
    if raised.type not in _SYNTAX and "null bytes" not in raised.message:
        return None
    letters = _letters(source) if source is not None else None
    if letters is not None:
        return letters
    if crash.place is None or raised.type not in _SYNTAX:
        return None
    what = re.sub(r" \([^()\n]*, line \d+\)$", "", raised.message[:200]).rstrip(".")
    advice = next((words for pattern, words in _HOW_WRITTEN if re.search(pattern, what)), "")
    if raised.type == "IndentationError" and source is not None and b"\t" in source.content:
        advice = _TABS
    what = what.partition(". Did you mean")[0] if advice else what
    where = f"line {crash.place.line} of {crash.place.path}{run.program.quoted(crash.place)}"
    return Reason(kind=raised.type, text=f"Python can't read {where}: {what}. {advice}".rstrip(), place=crash.place)


def _letters(source: Source) -> Reason | None:
    if source.is_utf16:
        text = f"{source.path} is saved as UTF-16 or isn't a text file: save it as UTF-8 in your editor."
        return Reason(kind="SyntaxError", text=text, place=Place(path=source.path, line=1))
    start = source.undecodable
    if start is None or re.search(rb"coding[:=]", source.content[:200]):
        return None
    line = source.line_of_byte(start)
    where = f"line {line} (`{source.line(line)}`) has a letter that can't be read"
    text = f"{source.path} isn't saved as UTF-8: {where}. Save the file as UTF-8 in your editor."
    return Reason(kind="SyntaxError", text=text, place=Place(path=source.path, line=line))
