"""Takes all Python files of a submission as one program, so that moving code to another file hides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.model.similarity import SourceLine

if TYPE_CHECKING:
    from grader.model.submission import Submission

SourceText = tuple[tuple[str, str], ...]
"""Path and text of each Python file, by path."""
_MOST_CHARACTERS = 300_000


def text_of(submission: Submission) -> SourceText:
    files = sorted(submission.files, key=lambda file: file.path)
    return tuple((file.path, _text(file.content)) for file in files if file.path.endswith(".py"))


def lines_of(text: SourceText) -> tuple[SourceLine, ...]:
    lines = [
        SourceLine(path=path, number=number, text=line)
        for path, content in text
        for number, line in enumerate(content.split("\n"), 1)
    ]
    first = next((place for place, line in enumerate(lines) if line.text), 0)
    return tuple(lines[first:])  # the lexer drops empty lines at the top, and places would shift


def why_unfit(lines: tuple[SourceLine, ...]) -> str:
    """Say why a program is not compared; empty when it is."""
    characters = sum(len(line.text) + 1 for line in lines)
    return f"its {characters} characters are too many to compare" if characters > _MOST_CHARACTERS else ""


def _text(content: bytes) -> str:
    text = content.decode("utf-8-sig", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")
