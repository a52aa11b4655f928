"""Watches banned modules by the watcher whose text the supervisor sent, before the student's code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..python import json_value
from . import wire

if TYPE_CHECKING:
    from ..plan import Case

MOST = 64
"""Uses that are told of one process: enough for any report, few enough for every reader."""

_prepared: list[tuple[Any, Any]] = []


def prepare(source: str, modules: tuple[str, ...]) -> None:
    """Once per zygote: run the watcher, and let it set its guards while every module is in sight."""
    if modules:
        namespace: dict[str, Any] = {"__name__": "watcher"}
        exec(compile(source, "<watcher>", "exec"), namespace)  # noqa: S102 -- the grader's own text
        _prepared.append((namespace["begin"], namespace["prepare"](modules)))


def begin(home: str, case: Case) -> None:
    """Once per case: every use is told at once, before the program goes on."""
    told: set[tuple[int, str, int]] = set()
    lines = {f"{home}/{path}": line_count(content) for path, content in case["files"][: case["own"]]}

    def report(index: int, frame: Any) -> None:
        while frame is not None and not 0 < (frame.f_lineno or 0) <= lines.get(frame.f_code.co_filename, 0):
            frame = frame.f_back  # a text that was executed, or a library's frame: its caller is the place
        place = ("", 0) if frame is None else (frame.f_code.co_filename.removeprefix(f"{home}/"), frame.f_lineno)
        use = (index, *place)
        if use not in told and len(told) < MOST:
            told.add(use)
            wire.write_frame(wire.out, b"B", json_value.write(use))

    for begin_watch, watch in _prepared:
        begin_watch(watch, report)


def line_count(content: bytes) -> int:
    """Count lines as the interpreter does, for which a lone carriage return ends one, too."""
    return content.count(b"\n") + content.count(b"\r") - content.count(b"\r\n") + 1
