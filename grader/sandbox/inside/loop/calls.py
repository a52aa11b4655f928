"""Calls the student's function once per frame of arguments and answers with one frame."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ..python import exceptions, json_value
from . import wire

if TYPE_CHECKING:
    from ..plan import How


def run(how: How) -> int:
    """Import the module, then answer each call; return the exit status."""
    module, name = how["module"], how["function"]
    try:
        __import__(module)
        function = getattr(sys.modules[module], name)
    except BaseException as error:  # noqa: BLE001 -- import-time sys.exit() included
        return _failed_import(error)
    wire.answer(b"R", b"null")
    while (call := wire.read_data(wire.CHANNEL)) is not None:
        mark, arguments = call
        letter, body = _call(function, arguments)
        wire.answer(letter, mark + body)
    return 0


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
    sys.stderr.write(exceptions.text(error, own))
    return 1
