"""What counts as the same line: the tolerances of a case."""

from __future__ import annotations

from enum import StrEnum
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_AT_ONCE = 256
"""Lines translated in one step: most of the cost is in each step, whatever its length."""


class Strictness(StrEnum):
    IGNORE = "ignore"
    KEEP = "keep"


class Order(StrEnum):
    KEPT = "kept"
    ANY = "any"


def refuse_contradiction(order: Order, repeats: Strictness, tolerance: float) -> None:
    """Raise ValueError, with the key first, for options that mean nothing together."""
    if tolerance and order is Order.ANY:
        raise ValueError("tolerance needs the order kept: in any order there is no pair of numbers to compare")
    if repeats is Strictness.IGNORE and order is Order.KEPT:
        raise ValueError("repeats are ignored only with `order: any`")


class Tolerance(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The `options` of the judges `transcript` and `stdout`."""

    trailing_blanks: Strictness = Strictness.IGNORE
    """Whether blanks at the end of a line count."""
    empty_lines: Strictness = Strictness.IGNORE
    """Whether empty lines count."""
    alike: tuple[str, ...] = ()
    """Groups of characters that count as the same, such as `Vv`."""
    frame_end: str = ""
    """Beginning of the line that ends a frame."""
    prompt: str = ""
    """Text that `input()` may leave glued to the first line."""

    @classmethod
    def of(cls, options: dict[str, Any]) -> Tolerance:
        return msgspec.convert(options, cls)

    def apply(self, lines: Iterable[str]) -> Iterator[str]:
        """Give the lines that count, in the form in which they are compared."""
        groups = [group.replace("\n", "") for group in self.alike]  # no line has one
        table = {ord(letter): group[0] for group in groups for letter in group}
        if self.trailing_blanks is Strictness.IGNORE:
            lines = map(str.rstrip, lines)
        if self.empty_lines is Strictness.IGNORE:
            lines = filter(None, lines)
        return chain.from_iterable(_translated(iter(lines), table)) if table else iter(lines)


def _translated(lines: Iterator[str], table: dict[int, str]) -> Iterator[list[str]]:
    while group := list(islice(lines, _AT_ONCE)):
        yield "\n".join(group).translate(table).split("\n")


def unglue(lines: Iterable[str], prompt: str, first: str) -> Iterator[str]:
    """Put a line end behind the prompt that `input(prompt)` left on the line `first`.

    A terminal shows one there, because the person pressed Enter; a pipe doesn't. A blank behind the prompt may be the
    prompt's or the line's own: whichever fits is taken.
    """
    iterator = iter(lines)
    return chain(_head(iterator, prompt, first), iterator)


def _head(lines: Iterator[str], prompt: str, first: str) -> Iterator[str]:
    """Give the lines up to the first that says something, without what is glued to the prompt there."""
    for line in lines:
        glued = line[len(prompt) :] if prompt and line.startswith(prompt) else ""
        if glued.strip():
            yield prompt
            yield glued[1:] if glued[0] == " " and glued.rstrip() != first.rstrip() else glued
        else:
            yield line
        if line.strip():
            return


def line_after(prompt: str, lines: Iterable[str]) -> str:
    """Give the first line that says something behind the prompt."""
    return next((line for line in lines if line.strip() and line.rstrip() != prompt), "")
