"""Cuts evidence to what helps: the lines in which two texts differ, the source round a finding or a crash."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import groupby, pairwise, zip_longest
from typing import TYPE_CHECKING

import msgspec
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String

from grader.model.result import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pygments.token import _TokenType

    from grader.report.view import CaseView, SheetView

_LINES_KEPT = 100
"""Of each text."""
_LINES_MATCHED = 60
_LINES_IN_PAGE = 128
_RUNS = (4, 16)
"""Lines of one kind in a row: of more, only the first are shown. Many comparisons in a page get the fewer."""
_AROUND = 3
"""Equal lines that stay before and after a difference."""
_CONTEXT = 3
"""Lines of source shown before and after the one that matters."""
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


class Piece(msgspec.Struct, frozen=True):
    """A run of characters: `same`, `changed`, `blank` (a dot per blank) or `end` (blanks at the line's end)."""

    kind: str
    text: str


class DiffLine(msgspec.Struct, frozen=True):
    """One line: `before`, `same`, `expected` or `found`."""

    kind: str
    pieces: tuple[Piece, ...]


def compare(expected: str, found: str, before: tuple[str, ...] = (), *, of: int = 1) -> tuple[DiffLine, ...]:
    """Return the lines of both texts in one column, expected above found where they differ.

    It is one `of` so many comparisons in a page, which share its room.
    """
    lines = [DiffLine("before", _visible(line)) for line in before]
    old, new = expected.rstrip("\n").split("\n"), found.rstrip("\n").split("\n")
    left_out = max(len(old), len(new)) - _LINES_KEPT
    old, new = old[:_LINES_KEPT], new[:_LINES_KEPT]
    for is_same, ours, theirs in _blocks(old, new):
        if is_same:
            lines += [DiffLine("same", _visible(line)) for line in ours]
            continue
        pairs = [_pair(one, other) for one, other in zip_longest(ours, theirs)]
        lines += [one for one, _ in pairs if one]
        lines += [other for _, other in pairs if other]
    if left_out > 0:
        lines.append(_note(f"{left_out} more lines left out"))
    most = sorted((*_RUNS, _LINES_IN_PAGE // max(1, of)))[1]
    runs = groupby(lines, lambda line: line.kind)
    return tuple(line for kind, run in runs for line in _folded(kind, list(run), most))


def _folded(kind: str, run: list[DiffLine], most: int) -> list[DiffLine]:
    if len(run) <= (2 * _AROUND if kind == "same" else most) + 1:
        return run
    if kind == "same":
        return [*run[:_AROUND], _note(f"{len(run) - 2 * _AROUND} equal lines"), *run[-_AROUND:]]
    return [*run[:most], _note(f"{len(run) - most} more lines like these")]


def _note(words: str) -> DiffLine:
    return DiffLine("before", (Piece("same", f"⟨{words}⟩"),))


def _blocks(old: list[str], new: list[str]) -> Iterator[tuple[bool, list[str], list[str]]]:
    """Yield stretches of both texts, equal or not. Matching takes cubic time: only a few lines are matched."""
    head = next((i for i, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), None)
    head = min(len(old), len(new)) if head is None else head
    yield True, old[:head], new[:head]
    old, new = old[head:], new[head:]
    if max(len(old), len(new)) > _LINES_MATCHED:
        yield False, old, new
        return
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield tag == "equal", old[i1:i2], new[j1:j2]


def _pair(expected: str | None, found: str | None) -> tuple[DiffLine | None, DiffLine | None]:
    if expected is None or found is None:
        return (
            None if expected is None else DiffLine("expected", _visible(expected)),
            None if found is None else DiffLine("found", _visible(found)),
        )
    changed_old, changed_new = _changes(expected, found)
    return (
        DiffLine("expected", _visible(expected, changed_old)),
        DiffLine("found", _visible(found, changed_new)),
    )


def _changes(expected: str, found: str) -> tuple[frozenset[int], frozenset[int]]:
    """Return the changed places of both lines: square by square when equally long, else between the common ends."""
    if len(expected) == len(found):
        places = frozenset(i for i, (one, other) in enumerate(zip(expected, found, strict=True)) if one != other)
        return places, places
    shorter = min(len(expected), len(found))
    head = next((i for i in range(shorter) if expected[i] != found[i]), shorter)
    rest = shorter - head
    tail = next((i for i in range(rest) if expected[-1 - i] != found[-1 - i]), rest)
    return frozenset(range(head, len(expected) - tail)), frozenset(range(head, len(found) - tail))


def _visible(line: str, changed: frozenset[int] = frozenset()) -> tuple[Piece, ...]:
    end = len(line.rstrip(" \t"))
    return tuple(_runs(line, changed, end))


def _runs(line: str, changed: frozenset[int], end: int) -> Iterator[Piece]:
    run, kind = "", ""
    for place, character in enumerate(line):
        shown, look = _shown(character, place, changed, end)
        if look != kind and run:
            yield Piece(kind, run)
            run = ""
        run, kind = run + shown, look
    if run:
        yield Piece(kind, run)


def _shown(character: str, place: int, changed: frozenset[int], end: int) -> tuple[str, str]:
    shown = {" ": "·", "\t": "→\t"}.get(character, character)
    if place in changed:
        return shown, "changed"
    if shown == character:
        return shown, "same"
    return shown, "end" if place >= end else "blank"


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
