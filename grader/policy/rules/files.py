"""Rules on whole files: not Python, not to be scanned, not to be handed in."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from grader.policy.rule import TOP, Findings, PolicySpec, Program, Rule, rule

if TYPE_CHECKING:
    from grader.policy.source import Source, Unreadable

_STRAY = {
    "compiled Python": {".pyc", ".pyo"},
    "a compiled library": {".so", ".pyd", ".dll", ".dylib"},
    "run when Python starts": {".pth", "sitecustomize.py", "usercustomize.py"},
}
_KINDS = (
    (r"Missing parentheses in call to '(print|exec)'",
     "`{0}` is written as in Python 2; in Python 3 it is a function.",
     'Put what is printed in brackets: `print("hello")`.'),
    (r"inconsistent use of tabs and spaces|unindent does not match",
     "The indentation mixes tabs and spaces, or goes back to a depth that no line above has.",
     "Indent with four spaces everywhere; most editors can turn tabs into spaces."),
    (r"'(.)' was never closed", "The bracket `{0}` is opened here and never closed.",
     "Close it, or take it away; count the brackets of this line and the next ones."),
    (r"unmatched '(.)'", "The bracket `{0}` closes nothing.", "Take it away, or open it earlier in the line."),
    (r"closing parenthesis '(.)' does not match opening parenthesis '(.)'",
     "The bracket `{0}` closes what `{1}` opened.",
     "Close brackets in the reverse order of opening, each with its own kind."),
    (r"expected an indented block after (.*)", "The lines inside {0} must be indented.",
     "Indent them by four spaces, or write `pass` if there is nothing to do yet."),
    (r"unexpected indent", "This line is indented, and nothing above asks for it.", "Move it to the left."),
    (r"expected ':'", "A `:` is missing at the end of this line's head.", "Add `:` after the condition or the name."),
    (r"unterminated (?:f-)?string literal|unterminated triple-quoted|EOL while scanning",
     "A text is opened with a quote and not closed.", "Close it with the same quote on the same line."),
    (r"cannot assign to .* Maybe you meant '=='|invalid syntax. Maybe you meant '=='",
     "`=` gives a name a value; to compare, write `==`.", "Write `==` here."),
    (r"source code string cannot contain null bytes|null byte",
     "The file holds zero bytes: it is not a text file.", ""),
    (r"unknown encoding|encoding problem|codec can't decode|not UTF-8|Non-UTF-8|invalid non-printable",
     "The file's letters can't be read: it isn't saved as UTF-8, or holds an invisible character.",
     "Save it as UTF-8 in your editor, and type quotes and spaces again if you pasted them."),
    (r"invalid character '(.*?)'", "`{0}` is not a character of Python's.",
     "Type it again: a pasted quote or minus may look right and be another letter."),
)  # fmt: skip


@rule(
    name="syntax-error",
    what="Python can't read the file, so it can't run it.",
    why="A program with a syntax error doesn't start: none of its lines is run.",
    example='print "hello"',
    instead="Run the file once yourself before you hand it in: `python3 your_file.py` names the line.",
    written="# always on",
)
def syntax_error(page: Rule, program: Program, _: PolicySpec) -> Findings:
    for source in program.python():
        if source.problem and not source.problem.too_much:
            message, instead = _explain(source, source.problem)
            yield page.find(source, (source.problem.line, source.problem.column), message, instead=instead)


def _explain(source: Source, problem: Unreadable) -> tuple[str, str]:
    """Return what is wrong in one sentence, and what to try."""
    is_print = re.match(r"\s*print\s+[^(=\s]", source.line(problem.line)[:300])
    what = "Missing parentheses in call to 'print'" if is_print else problem.what
    for pattern, told, instead in _KINDS:
        found = re.search(pattern, what)
        if found:
            return told.format(*found.groups()), instead
    return f"Python can't read this line: {what}.", ""


@rule(
    name="scan-error",
    what="The scan couldn't read a file to its end: it is too large, nested too deeply, or the grader itself failed. "
    "The file is run all the same. A note for staff: it costs nothing.",
    why="What wasn't read may hold what the homework rules out.",
    example="# 2 MB of numbers in a .py file",
    instead="Hand in the program itself; keep data in a data file.",
    written="# always on",
)
def scan_error(page: Rule, program: Program, _: PolicySpec) -> Findings:
    for source in program.python():
        if source.problem and source.problem.too_much:
            yield page.note(source, TOP, source.problem.what)
    for path, what in program.limited.items():
        yield page.note(program.sources[path], TOP, f"The program {what}; staff read it themselves.")


@rule(
    name="stray-file",
    what="The submission has a compiled file or one that Python runs at its start: `.pyc`, `.so`, `.pth`, "
    "`sitecustomize.py`. It is left out of the run. A note for staff: it costs nothing.",
    why="Such files can't be read, or change how every program starts. They mostly come from a folder packed whole.",
    example="# __pycache__/maze.cpython-311.pyc",
    instead="Hand in the `.py` files only; delete `__pycache__` before you pack the folder.",
    written="# always on",
)
def stray_file(page: Rule, program: Program, _: PolicySpec) -> Findings:
    for source in program.sources.values():
        path = PurePosixPath(source.path)
        for what, names in _STRAY.items():
            if path.name in names or path.suffix.lower() in names:
                yield page.note(source, TOP, f"`{path.name}` is {what}.")
