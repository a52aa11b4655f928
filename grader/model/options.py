"""The judges' tolerances: what the `options` of a kind or a case may say."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta


class Whitespace(StrEnum):
    IGNORE = "ignore"
    KEEP = "keep"


class TextOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The `options` of the judges `transcript` and `stdout`."""

    trailing_blanks: Whitespace = Whitespace.IGNORE
    """Whether blanks at the end of a line count."""
    empty_lines: Whitespace = Whitespace.IGNORE
    """Whether empty lines count."""
    alike: tuple[str, ...] = ()
    """Groups of characters that count as the same, such as `Vv`."""
    frame_end: str = ""
    """Beginning of the line that ends a frame."""
    prompt: str = ""
    """Text that `input()` may leave glued to the first line."""


class ValueOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The `options` of the judge `value`. A tuple always equals a list of the same items."""

    number_as_text: bool = False
    """Whether `24` and `"24"` are the same."""
    tolerance: Annotated[float, Meta(ge=0)] = 0.0
    """How far two numbers may be apart, absolute or relative."""


class NoOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The judges `path`, `moves` and `play` take no `options`."""


OPTIONS: dict[str, type[msgspec.Struct]] = {
    "transcript": TextOptions,
    "stdout": TextOptions,
    "value": ValueOptions,
    "path": NoOptions,
    "moves": NoOptions,
    "play": NoOptions,
}
"""Judge → its options; a judge of one's own checks its options itself."""
