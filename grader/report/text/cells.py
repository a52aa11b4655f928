"""Lays text out in the columns of a terminal: widths, cutting, wrapping."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"\s*\S+")


def cells(text: str) -> int:
    """Count the columns that a text takes: two for East Asian letters and emoji, none for marks above a letter."""
    return len(text) if text.isascii() else sum(map(_cell, text))


def padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def cut(text: str, width: int) -> str:
    """Return the text in at most so many columns; what is missing shows as an ellipsis."""
    if cells(text) <= width:
        return text
    head = _fitting(text, width - 1)
    return f"{text[:head]}…"


def wrapped(text: str, width: int) -> list[str]:
    """Break prose into lines of so many columns; a line's indentation stays, and so does a short line."""
    lines: list[str] = []
    for line in text.split("\n"):
        lines += [line.rstrip()] if cells(line) <= width else _broken(line, width)
    return lines


def _broken(line: str, width: int) -> list[str]:
    indent = line[: len(line) - len(line.lstrip())][: width // 2]
    lines = [""]
    for word in _WORD.findall(line):
        if lines[-1] and cells(lines[-1] + word) > width:
            lines.append("")
        lines[-1] += word if lines[-1] else indent + word.lstrip()
        while cells(lines[-1]) > width:
            head = _fitting(lines[-1], width)
            lines[-1:] = [lines[-1][:head], indent + lines[-1][head:]]
    return lines


def _fitting(text: str, width: int) -> int:
    """Count the letters that fit; at least one, so that there is progress."""
    taken = 0
    for place, letter in enumerate(text):
        taken += _cell(letter)
        if taken > width:
            return max(place, 1)
    return len(text)


def _cell(letter: str) -> int:
    if unicodedata.category(letter) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"W", "F"} else 1
