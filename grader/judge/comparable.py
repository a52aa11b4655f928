"""Writes answers as bytes that are equal when the answers count as the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


def text_bytes(lines: Iterable[str]) -> bytes:
    return "\n".join(lines).encode()


def json_bytes(value: Any) -> bytes:
    """Write plain data so that numbers and numeric text, lists and tuples come out alike."""
    import json  # noqa: PLC0415 - few judges compare so

    return json.dumps(_alike(value), sort_keys=True, separators=(",", ":")).encode()


def _alike(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_alike(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _alike(item) for key, item in value.items()}
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value
