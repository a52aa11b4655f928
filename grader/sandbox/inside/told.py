"""Tells an exception as plain data: type, message, traceback."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any

from . import limits, plain, warm

if TYPE_CHECKING:
    from types import TracebackType

MESSAGE = 4000
"""Characters of a message: a screenful or two."""
TRACEBACK = 16000
"""Characters of a traceback; the middle of a longer one is left out."""


def raised(error: BaseException, own: TracebackType | None) -> bytes:
    """Give the exception's JSON; `own` is its traceback without the harness's frames."""
    if isinstance(error, MemoryError):
        limits.use_reserve()
    return plain.write(
        {
            "type": _name(type(error)),
            "message": _message(error)[:MESSAGE],
            "traceback": _cut(text(error, own)),
            "memory": isinstance(error, MemoryError) and not _raised_by_statement(own),
        }
    )


def _name(kind: type) -> str:
    module = kind.__module__
    return kind.__qualname__ if module in {"builtins", "__main__"} else f"{module}.{kind.__qualname__}"


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 -- the student's own __str__
        return "<exception str() failed>"


def text(error: BaseException, own: TracebackType | None) -> str:
    """Give the traceback as the interpreter prints it."""
    try:
        with warm.shown("traceback"):
            return "".join(traceback.format_exception(type(error), error, own))
    except Exception:  # noqa: BLE001 -- the same
        return ""


def _cut(text: str) -> str:
    if len(text) <= TRACEBACK:
        return text
    half = TRACEBACK // 2
    return f"{text[:half]}\n  …\n{text[-half:]}"


def _raised_by_statement(own: Any) -> bool:
    """Tell whether a `raise` statement raised it: then no allocation failed."""
    import opcode  # noqa: PLC0415 -- only on this rare way

    while own is not None and own.tb_next is not None:
        own = own.tb_next
    if own is None:
        return False
    code = own.tb_frame.f_code.co_code
    return bool(code[own.tb_lasti] == opcode.opmap["RAISE_VARARGS"])
