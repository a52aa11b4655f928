"""Puts YAML's own syntax errors into plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grader.catalogue.faults import Place

if TYPE_CHECKING:
    import yaml

    from grader.catalogue.faults import Complaints

# what YAML's parsers say → what we say, what to try; the first that fits
_WORDS: tuple[tuple[str, str, str], ...] = (
    (
        "mapping values are not allowed",
        "a second `: ` stands here, where no key can be",
        "put text that holds `: ` in quotes, or mend the indentation of this line",
    ),
    ("unexpected end of stream", "a quoted text begins here and never ends", "add the closing quote"),
    ("document separator", "a quoted text begins here and never ends", "add the closing quote"),
    ("unknown escape", "this backslash means nothing inside double quotes", "use single quotes, or write \\\\"),
    ("',' or ']'", "a list begun with [ isn't closed, or lacks a comma", "check the [ ] and the commas"),
    ("',' or '}'", "a group begun with { isn't closed, or lacks a comma", "check the { } and the commas"),
    ("'-' indicator", "this line is no item of the list above it", "begin it with `- `, or mend its indentation"),
    ("could not find expected ':'", "this line has no `: ` after its key", "write `key: value`"),
    (
        "did not find expected key",
        "this line doesn't fit the ones above it",
        "mend its indentation; a block whose first line begins with blanks needs `|2` instead of `|`",
    ),
    ("<block end>", "this line doesn't fit the ones above it", "mend its indentation"),
    ("alphabetic or numeric", "an & or * stands here without a name", "put the text in quotes"),
    ("<document start>", "something stands here after the document's end", "one file holds one document"),
    ("directive", "a line that begins with % is a directive", "put the text in quotes"),
    ("block scalar", "this block's beginning can't be read", "write `key: |` and begin the text on the next line"),
)


def syntax_fault(error: yaml.YAMLError, complaints: Complaints) -> None:
    """Add one fault for the error, where the reader must look."""
    problem = str(getattr(error, "problem", None) or error)
    context = str(getattr(error, "context", None) or "")
    mark: Any = getattr(error, "problem_mark", None)
    if "quoted scalar" in context and "escape" not in problem:
        mark = getattr(error, "context_mark", None) or mark
    place = Place(mark.line + 1, mark.column + 1) if mark else Place(1, 1)
    message, hint = _character(problem, place, complaints) or _said(problem, context)
    begin: Any = getattr(error, "context_mark", None)
    if "or lacks a comma" in message and begin:
        hint += f"; it begins at {begin.line + 1}:{begin.column + 1}"
    complaints.spot(place, message, hint=hint)


def _said(problem: str, context: str) -> tuple[str, str]:
    for said, message, hint in _WORDS:
        if said in problem or said in context:
            return message, hint
    return f"isn't YAML: {problem} {context}".strip(), ""


def _character(problem: str, place: Place, complaints: Complaints) -> tuple[str, str] | None:
    if "cannot start any token" not in problem:
        return None
    lines = complaints.source.lines()
    line = lines[place.line - 1] if place.line <= len(lines) else ""
    character = line[place.column - 1 : place.column]
    if character == "\t":
        return "a tab stands here; YAML indents with blanks only", "replace the tab by blanks"
    return f"text can't begin with {character}", "put the text in quotes"
