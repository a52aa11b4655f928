"""What a rule is: its page, and the findings it makes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

import msgspec

from grader.model.assignment import Clause, PolicySpec, RuleName
from grader.model.result import Finding, Severity
from grader.policy.program import Program
from grader.policy.source import Source

__all__ = [
    "TOP",
    "Finding",
    "Findings",
    "PolicySpec",
    "Program",
    "Rule",
    "RuleName",
    "Source",
    "advice",
    "clauses",
    "rule",
]

Findings = Iterator[Finding]
Check = Callable[["Rule", Program, PolicySpec], Findings]
Place = ast.AST | tuple[int, int]
TOP = (1, 1)
_ADVICE = {
    "itertools": "Write the loop: two nested `for` loops for `product`, a recursive function for `permutations`.",
    "copy": "Copy it with plain Python: `grid.copy()` or `[row[:] for row in grid]`.",
    "heapq": "Keep the list in order yourself: `min(queue)` and `queue.remove(…)` are enough for a maze.",
    "collections": "A list or dict does it: `queue.append(…)` and `queue.pop(0)`, `counts.get(key, 0)`.",
    "functools": "Write the loop, or keep results in a dict of your own.",
    "operator": "Write the expression, or a small function of your own.",
    "bisect": "Write the search: halve the range until one place is left.",
    "random": "Do without chance here: the same input must give the same answer.",
    "re": "Go through the text with `split`, `find` and a loop.",
    "os": "Files are opened with `open(name)`; nothing else of the machine is needed.",
    "sys": "Use `input()` and `print()`, and return from your functions.",
    "subprocess": "Call your own functions; no other program is needed.",
    "threading": "Do one step after the other; no thread is needed.",
    "numpy": "A list of lists and loops do it.",
    "networkx": "Keep the graph in a dict: each cell with the list of its neighbours.",
    "eval": "Read the value for what it is: `int(text)` for a number, a dict for names.",
    "exec": "Write the statements into your program.",
    "sorted": "Write the sort as a loop of your own.",
    "sum": "Add up in a loop.",
    "max": "Keep the largest so far in a loop.",
    "min": "Keep the smallest so far in a loop.",
}
"""Entry of a ban, or its module → what to do instead."""


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """A rule in the fixed form; findings and docs/policy take their words from here."""

    name: str
    what: str
    why: str
    example: str
    """A few lines of Python that give the finding."""
    instead: str
    written: str
    """How an assignment asks for it, in YAML."""
    check: Check

    def find(self, source: Source, place: Place, message: str, *, why: str = "", instead: str = "") -> Finding:
        """Make a certain finding of this rule at a node, or at a line and column."""
        line, column, end = _span(place, source)
        return Finding(
            rule=str(self.name),
            path=source.path,
            line=line,
            column=column,
            end_column=end,
            message=message,
            source=source.line(line)[:300],
            why=why or self.why,
            instead=instead or self.instead,
        )

    def reason(self, policy: PolicySpec) -> str:
        """Return the course's own words for the reason; "" for none."""
        return policy.messages.get(self.name, "") if isinstance(self.name, RuleName) else ""

    def note(self, source: Source, place: Place, message: str) -> Finding:
        """Make a note for staff, which costs nothing."""
        return msgspec.structs.replace(self.find(source, place, message), severity=Severity.REVIEW)


def rule(**words: str) -> Callable[[Check], Rule]:
    """Make a rule of its words and of the function below them."""
    return lambda check: Rule(check=check, **words)


def clauses(entries: tuple[str | Clause, ...], policy: PolicySpec) -> tuple[Clause, ...]:
    """Return every entry of a list with the course's own message, wherever it stood."""
    plain = [entry if isinstance(entry, Clause) else Clause(name=entry) for entry in entries]
    return tuple(Clause(name=c.name.strip(), message=c.message or policy.messages.get(c.name, "")) for c in plain)


def advice(ban: str) -> str:
    """Return what to do instead of what is banned; "" where nothing better is known than the rule's own words."""
    return _ADVICE.get(ban) or _ADVICE.get(ban.partition(".")[0], "")


def _span(place: Place, source: Source) -> tuple[int, int, int]:
    if isinstance(place, tuple):
        return (*place, 0)
    line = getattr(place, "lineno", 1)
    content = source.line(line).encode()  # the parser counts bytes of UTF-8
    is_one_line = getattr(place, "end_lineno", line) == line
    ends = (getattr(place, "col_offset", 0), getattr(place, "end_col_offset", 0) if is_one_line else len(content))
    start, end = (len(content[:offset].decode(errors="ignore")) for offset in ends)
    return line, start + 1, end + 1 if end > start else 0
