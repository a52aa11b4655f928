"""Values as bytes, for other processes, machines and times.

The form is msgpack, never pickle. Whole numbers beyond 64 bits, which msgpack lacks, travel as an extension.
"""

from __future__ import annotations

from typing import Any

import msgspec

from grader.model.run import RunRecord, RunRequest

_BIG = 1  # code of the extension: the number's bytes, signed, the highest first
_LOWEST, _HIGHEST = -(1 << 63), (1 << 64) - 1
_LARGEST = (1 << 63) - 1

_encode = msgspec.msgpack.Encoder().encode


def encode(value: Any) -> bytes:
    """Return a struct or plain data as msgpack."""
    try:
        return _encode(value)
    except OverflowError:
        return _encode(_widened(msgspec.to_builtins(value, builtin_types=(bytes,))))


def encode_bounded(value: Any) -> bytes:
    """Return plain msgpack; a number or text that it can't hold is brought within its bounds."""
    try:
        return _encode(value)
    except (OverflowError, UnicodeError):
        return _encode(_bounded(msgspec.to_builtins(value, builtin_types=(bytes,))))


def _bounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {_bounded(key): _bounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_bounded(each) for each in value]
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    return max(-_LARGEST, min(value, _LARGEST)) if type(value) is int else value


def _widened(value: Any) -> Any:
    if isinstance(value, dict):
        return {_widened(key): _widened(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_widened(part) for part in value]
    if isinstance(value, int) and not _LOWEST <= value <= _HIGHEST:
        return msgspec.msgpack.Ext(_BIG, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))
    return value


def _narrowed(code: int, data: memoryview) -> Any:
    if code != _BIG:
        raise ValueError(f"unknown extension {code}")
    return int.from_bytes(data, "big", signed=True)


def decoder(kind: Any) -> msgspec.msgpack.Decoder[Any]:
    """Return what reads such a value, and nothing else."""
    return msgspec.msgpack.Decoder(kind, ext_hook=_narrowed)


decode_request = decoder(RunRequest).decode
decode_record = decoder(RunRecord).decode
