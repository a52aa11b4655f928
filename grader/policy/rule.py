"""What a rule is: its page, and the findings it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.model.assignment import Clause
from grader.model.result import Finding, Severity

if TYPE_CHECKING:
    import ast

    from grader.model.assignment import PolicySpec
    from grader.policy.sources import Source


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A rule in the fixed form; findings and docs/policy take their words from here."""

    name: str
    what: str
    why: str
    example: str
    """A few lines of Python that give the finding."""
    instead: str
    written: str
    """How an assignment asks for it, in YAML."""

    def find(self, source: Source, place: ast.AST | tuple[int, int], message: str, **extra: str) -> Finding:
        """Make a finding of this rule at a node, or at a line and column."""
        line, column, end = _span(place, source)
        return Finding(
            rule=self.name,
            path=source.path,
            line=line,
            column=column,
            end_column=end,
            message=message,
            source=source.line(line)[:300],
            severity=Severity(extra.get("severity", Severity.CERTAIN)),
            why=extra.get("why") or self.why,
            instead=extra.get("instead") or self.instead,
        )


def clauses(entries: tuple[str | Clause, ...], policy: PolicySpec) -> tuple[Clause, ...]:
    """Give every entry of a list with the course's own message, wherever it stood."""
    plain = [entry if isinstance(entry, Clause) else Clause(name=entry) for entry in entries]
    return tuple(Clause(name=c.name.strip(), message=c.message or policy.messages.get(c.name, "")) for c in plain)


def _span(place: ast.AST | tuple[int, int], source: Source) -> tuple[int, int, int]:
    if isinstance(place, tuple):
        return (*place, 0)
    line = getattr(place, "lineno", 1)
    text = source.line(line)
    start = _characters(text, getattr(place, "col_offset", 0))
    same = getattr(place, "end_lineno", line) == line
    end = _characters(text, getattr(place, "end_col_offset", 0)) if same else len(text)
    return line, start + 1, end + 1 if end > start else 0


def _characters(text: str, offset: int) -> int:
    """Turn an offset in UTF-8 bytes, as the parser counts, into one in characters."""
    return offset if text.isascii() else len(text.encode()[:offset].decode(errors="ignore"))
