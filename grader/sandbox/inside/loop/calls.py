"""Calls the student's function once per frame of arguments and answers with one frame."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any

from ..python import exceptions, json_value
from . import wire

if TYPE_CHECKING:
    from ..plan import How

_function: list[Any] = []


def run(how: How) -> int:
    """Import the module, then answer each call; return the exit status."""
    status = ready(how)
    while is_ready() and (call := wire.read_data(wire.CHANNEL)) is not None:
        answer(*call)
    return status


def ready(how: How) -> int:
    """Import the module and say so; return the exit status that it has so far."""
    module, name = how["module"], how["function"]
    try:
        __import__(module)
        _function[:] = [getattr(sys.modules[module], name)]
    except BaseException as error:  # noqa: BLE001 -- import-time sys.exit() included
        return _failed_import(error)
    wire.answer(b"R", b"null")
    return 0


def is_ready() -> bool:
    return bool(_function)


def answer(mark: bytes, arguments: tuple[Any, ...]) -> None:
    """Make one call; the mark goes back with its answer."""
    letter, body = _call(_function[0], arguments)
    wire.answer(letter, mark + body)


def _call(function: Any, arguments: tuple[Any, ...]) -> tuple[bytes, bytes]:
    try:
        return b"V", json_value.write(function(*arguments))
    except BaseException as error:  # noqa: BLE001 -- sys.exit() in a call is an answer too
        return b"E", exceptions.raised(error, error.__traceback__.tb_next if error.__traceback__ else None)


def _failed_import(error: BaseException) -> int:
    """Tell the exception of the import as the interpreter would, without our own frame."""
    own = error.__traceback__.tb_next if error.__traceback__ else None
    wire.answer(b"I", exceptions.raised(error, own))
    if isinstance(error, SystemExit):
        return error.code & 0xFF if isinstance(error.code, int) else int(error.code is not None)
    with contextlib.suppress(BaseException):  # the student's own stream
        sys.stderr.write(exceptions.text(error, own))
    return 1
