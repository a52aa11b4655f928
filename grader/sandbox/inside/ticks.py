"""Calls the student's function once per frame of arguments and answers with one frame."""

from __future__ import annotations

import sys
from typing import Any

from . import plain, told, wire


def run(how: dict[str, Any]) -> int:
    """Import the module, then answer each call; give the exit status."""
    module, name = how["module"], how["function"]
    try:
        __import__(module)
        function = getattr(sys.modules[module], name)
    except BaseException as error:  # noqa: BLE001 -- import-time sys.exit() included
        return _failed_import(error)
    wire.write_frame(wire.CHANNEL, b"R", b"null")
    while (call := wire.read_data(wire.CHANNEL)) is not None:
        mark, arguments = call
        letter, body = _call(function, arguments)
        wire.write_frame(wire.CHANNEL, letter, mark + body)
    return 0


def _call(function: Any, arguments: tuple[Any, ...]) -> tuple[bytes, bytes]:
    try:
        return b"V", plain.write(function(*arguments))
    except BaseException as error:  # noqa: BLE001 -- sys.exit() in a call is an answer too
        return b"E", told.raised(error, error.__traceback__.tb_next if error.__traceback__ else None)


def _failed_import(error: BaseException) -> int:
    """Tell the exception of the import as the interpreter would, without our own frame."""
    own = error.__traceback__.tb_next if error.__traceback__ else None
    wire.write_frame(wire.CHANNEL, b"I", told.raised(error, own))
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    sys.stderr.write(told.text(error, own))
    return 1
