"""Something that could lead to a banned module and can't be decided."""

from __future__ import annotations

import re

from grader.policy.rule import Findings, Page, PolicySpec, Program

PAGE = Page(
    name="hidden-way",
    what="The program does something by which a banned module could be reached, and reading it can't tell whether it "
    "is. A note for staff: it costs nothing.",
    why="Such code is seldom needed in homework and hides what the program does.",
    example='module = __import__(input("Which one? "))',
    instead="Import modules by their name at the top of the file, and write the steps out.",
    written="ban: [itertools, copy]",
)
_MOST = 20
"""Notes on one file; who reads twenty looks at the whole."""


def check(program: Program, _: PolicySpec) -> Findings:
    tops = "|".join(re.escape(ban.partition(".")[0]) for ban in program.bans)
    for source in program.python() if tops else ():
        doubts = [reach for reach in program.trace(source).reaches if not reach.ban]
        for reach in doubts[:_MOST]:
            message = f"This {reach.how}; whether it reaches a banned module can't be told by reading."
            yield PAGE.note(source, reach.node, message)
        for number, line in enumerate(source.lines, 1):
            if ">>>" in line and re.match(rf"\s*>>>\s*(?:from|import)\s+(?:{tops})\b", line):
                yield PAGE.note(source, (number, line.index(">") + 1), "This doctest imports what is banned.")
                break
