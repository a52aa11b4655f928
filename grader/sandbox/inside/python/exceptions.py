"""Tells an exception as plain data: type, message, traceback."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any

from ..loop import wire
from ..wall import rlimits
from . import json_value

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType


def raised(error: BaseException, own: TracebackType | None) -> bytes:
    """Return the exception's JSON; `own` is its traceback without the harness's frames.

    Names, texts and formatting are the student's own code, which may raise anything: that changes no ending.
    """
    if isinstance(error, MemoryError):
        rlimits.use_reserve()
    facts: dict[str, Any] = {
        "type": _asked(lambda: _name(type(error)), "an exception without a name"),
        "message": _asked(lambda: str(error), "<exception str() failed>")[: wire.MESSAGE],
        "traceback": _cut(text(error, own)),
        "memory": _is_short_of_memory(error, own),
    }
    return json_value.write(facts)


def text(error: BaseException, own: TracebackType | None) -> str:
    """Return the traceback as the interpreter prints it."""
    return _asked(lambda: "".join(traceback.format_exception(type(error), error, own)), "")


def _asked(question: Callable[[], str], otherwise: str) -> str:
    """Return the answer as a plain text, whatever the student's code makes of the question."""
    try:
        return str.__str__(question())
    except BaseException:  # noqa: BLE001 -- SystemExit included, which would end the process as if all were well
        return otherwise


def _name(kind: type) -> str:
    module = kind.__module__
    return kind.__qualname__ if module in {"builtins", "__main__"} else f"{module}.{kind.__qualname__}"


def _cut(text: str) -> str:
    if len(text) <= wire.TRACEBACK:
        return text
    half = wire.TRACEBACK // 2
    return f"{text[:half]}\n  …\n{text[-half:]}"


def _is_short_of_memory(error: BaseException, own: Any) -> bool:
    """Tell whether an allocation failed; a `raise` statement and the parser, at its own depth, raise it as well."""
    if not isinstance(error, MemoryError):
        return False
    import opcode  # noqa: PLC0415 -- only on this rare way

    while own is not None and own.tb_next is not None:
        own = own.tb_next
    deed = "" if own is None else opcode.opname[own.tb_frame.f_code.co_code[own.tb_lasti]]
    is_parsing = deed in {"", "IMPORT_NAME"}
    return rlimits.is_half_used() if is_parsing else deed != "RAISE_VARARGS"
