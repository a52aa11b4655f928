"""A file isn't Python."""

from __future__ import annotations

import re

from grader.policy.rule import Findings, Page, PolicySpec, Program, Source
from grader.policy.source import Unreadable

PAGE = Page(
    name="syntax-error",
    what="Python can't read the file, so it can't run it.",
    why="A program with a syntax error doesn't start: none of its lines is run.",
    example='print "hello"',
    instead="Run the file once yourself before you hand it in: `python3 your_file.py` names the line.",
    written="# always on",
)
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
     "Save it as UTF-8 in your editor, and type quotes and spaces anew if you pasted them."),
    (r"invalid character '(.*?)'", "`{0}` is not a character of Python's.",
     "Type it anew: a pasted quote or minus may look right and be another letter."),
)  # fmt: skip


def check(program: Program, _: PolicySpec) -> Findings:
    for source in program.python():
        problem = source.tree
        if isinstance(problem, Unreadable) and not problem.too_much:
            message, instead = _explain(source, problem)
            yield PAGE.find(source, (problem.line, problem.column), message, instead=instead)


def _explain(source: Source, problem: Unreadable) -> tuple[str, str]:
    """Return what is wrong in one sentence, and what to try."""
    is_print = re.match(r"\s*print\s+[^(=\s]", source.line(problem.line)[:300])
    what = "Missing parentheses in call to 'print'" if is_print else problem.what
    for pattern, told, instead in _KINDS:
        found = re.search(pattern, what)
        if found:
            return told.format(*found.groups()), instead
    return f"Python can't read this line: {what}.", ""
