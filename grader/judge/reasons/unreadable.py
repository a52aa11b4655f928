"""Says why Python can't read a file: its letters, its syntax."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from grader.judge.reasons.program import Reason
from grader.model.run import Place

if TYPE_CHECKING:
    from grader.judge.reasons.crash import Crash
    from grader.judge.reasons.program import Source

_SYNTAX = frozenset({"SyntaxError", "IndentationError", "TabError"})
_TABS = "Tabs and spaces are mixed: indent with spaces alone."
_ADVICE = (
    (r"Missing parentheses in call to 'print'", "In Python 3 it is a function: write `print(…)`."),
    (r"inconsistent use of tabs", _TABS),
    (r"unindent does not match", "It is indented by more or fewer spaces than the lines that it belongs to."),
    (r"expected an indented block", "Indent the lines below it by four spaces."),
    (r"unexpected indent", "Nothing above asks for this indentation."),
)


def unreadable(crash: Crash) -> Reason | None:
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
    advice = next((words for pattern, words in _ADVICE if re.search(pattern, what)), "")
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
