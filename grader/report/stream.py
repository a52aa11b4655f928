"""Takes bounded, clean excerpts out of a program's output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.report.clean import TEXT_LIMIT, clean

if TYPE_CHECKING:
    from grader.model.run import Stream

_CONTEXT_LINES = 4
_CONTEXT_BYTES = 16_000


def excerpt(stream: Stream, limit: int = TEXT_LIMIT) -> str:
    """Give the stream's beginning, and say how much was left out."""
    if not stream.size and not stream.cut:
        return ""
    lines = [clean(stream.head(limit))]
    if stream.size > limit:
        lines.append(f"⟨{stream.size - limit:,} more bytes left out⟩")
    if stream.cut:
        lines.append("⟨the program wrote more than its output limit; the rest was not kept⟩")
    return "\n".join(lines)


def lines_before(stream: Stream, found: str) -> tuple[str, ...]:
    """Give the few lines of output that come before the text `found`; nothing when it isn't there word for word."""
    needle = found.strip().encode("utf-8", "surrogatepass")
    if not needle or len(needle) > _CONTEXT_BYTES:
        return ()
    window = b""
    for piece in stream.chunks():
        window += piece
        at = window.find(needle)
        if at >= 0:
            lines = clean(window[max(0, at - _CONTEXT_BYTES) : at]).rstrip("\n").split("\n")
            return tuple(lines[-_CONTEXT_LINES:]) if lines != [""] else ()
        window = window[-(_CONTEXT_BYTES + len(needle)) :]
    return ()
