"""Shows findings and crashes in the student's source, highlighted by Pygments."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING

import msgspec
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String

from grader.model.result import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pygments.token import _TokenType

    from grader.report.view import CaseView, SheetView

_CONTEXT = 3
_STRETCH_LIMIT = 20_000
"""Characters that Pygments may read at once: its patterns take longer than the text on odd ones."""
_LOOKS = (
    (Comment, "c"),
    (String, "s"),
    (Number, "n"),
    (Keyword, "k"),
    (Operator.Word, "k"),
    (Name.Builtin, "b"),
    (Name.Exception, "b"),
    (Name.Function, "f"),
    (Name.Class, "f"),
    (Name.Decorator, "f"),
)


class Token(msgspec.Struct, frozen=True):
    look: str
    text: str
    is_found: bool = False


class SourceLine(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    tokens: tuple[Token, ...]
    findings: tuple[Finding, ...] = ()
    is_marked: bool = False
    follows_gap: bool = False


class SourceFile(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    lines: tuple[SourceLine, ...]


def files(view: SheetView) -> tuple[SourceFile, ...]:
    """Return each file that findings point into, cut to the lines round them."""
    paths = dict.fromkeys(finding.path for finding in view.findings if finding.path)
    return tuple(_file(view, path, _by_line(view, path)) for path in paths)


def cause(view: SheetView, case: CaseView) -> SourceFile | None:
    """Return the lines round the one that shows why a case failed; None where none does."""
    mismatch = case.mismatch
    file = _file(view, mismatch.path, {mismatch.line: []}) if mismatch and mismatch.line else None
    return file if file and file.lines else None


def _by_line(view: SheetView, path: str) -> dict[int, list[Finding]]:
    findings: dict[int, list[Finding]] = {}
    for finding in view.findings:
        if finding.path == path:
            findings.setdefault(max(1, finding.line), []).append(finding)
    return findings


def _file(view: SheetView, path: str, findings: dict[int, list[Finding]]) -> SourceFile:
    text = view.sources.get(path, "")
    lines = _lines(text, findings) if text else {}
    lines |= {line: (Token("", found[0].source),) for line, found in findings.items() if found and line not in lines}
    shown: list[SourceLine] = []
    for number in sorted(lines):
        here = tuple(findings.get(number, ()))
        shown.append(
            SourceLine(
                number=number,
                tokens=_marked(lines.get(number, ()), here),
                findings=here,
                is_marked=number in findings,
                follows_gap=bool(shown) and shown[-1].number != number - 1,
            )
        )
    return SourceFile(path=path, lines=tuple(shown))


def _lines(text: str, found: Iterable[int]) -> dict[int, tuple[Token, ...]]:
    """Return the lines round the found ones; each stretch is read alone, so that a long file costs nothing."""
    written = text.split("\n")
    near = sorted({number + step for number in found for step in range(-_CONTEXT, _CONTEXT + 1)})
    wanted = [number for number in near if 0 < number <= len(written)]
    lines: dict[int, tuple[Token, ...]] = {}
    for _, group in groupby(enumerate(wanted), key=lambda item: item[1] - item[0]):
        numbers = [number for _, number in group]
        stretch = "\n".join(written[number - 1] for number in numbers)
        lines |= dict(zip(numbers, _tokens(stretch), strict=True))
    return lines


def _tokens(text: str) -> list[tuple[Token, ...]]:
    """Return the tokens of each line; of a stretch beyond the bound just the text."""
    if len(text) > _STRETCH_LIMIT:
        return [(Token("", line),) for line in text.split("\n")]
    lines: list[list[Token]] = [[]]
    for kind, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(text):
        for place, part in enumerate(value.split("\n")):
            if place:
                lines.append([])
            if part:
                lines[-1].append(Token(_look(kind), part))
    return [tuple(tokens) for tokens in lines]


def _look(kind: _TokenType) -> str:
    return next((look for family, look in _LOOKS if family in kind.split()), "")


def _marked(tokens: tuple[Token, ...], findings: tuple[Finding, ...]) -> tuple[Token, ...]:
    """Mark the columns that findings name."""
    spans = [(f.column - 1, f.end_column - 1) for f in findings if f.column and f.end_column > f.column]
    if not spans:
        return tokens
    marked: list[Token] = []
    place = 0
    for token in tokens:
        cuts = sorted(
            {0, len(token.text), *(e - place for span in spans for e in span if 0 < e - place < len(token.text))}
        )
        for start, end in pairwise(cuts):
            found = any(first <= place + start < last for first, last in spans)
            marked.append(Token(token.look, token.text[start:end], found))
        place += len(token.text)
    return tuple(marked)
