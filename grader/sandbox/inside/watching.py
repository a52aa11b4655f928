"""Watches banned modules by the watcher whose text the supervisor sent, before the student's code."""

from __future__ import annotations

from typing import Any

from . import plain, wire

_prepared: list[tuple[Any, Any]] = []


def prepare(source: str, modules: tuple[str, ...]) -> None:
    """Once per zygote: run the watcher's text, and let it set its guards while every module is in sight."""
    if modules:
        if not source:
            raise LookupError("there is something to watch, but no watcher")
        namespace: dict[str, Any] = {"__name__": "watcher"}
        exec(compile(source, "<watcher>", "exec"), namespace)  # noqa: S102 -- the grader's own text
        _prepared.append((namespace["begin"], namespace["prepare"](modules)))


def begin(home: str) -> None:
    """Once per case: every use is told at once, before the program goes on."""

    def report(fact: dict[str, Any]) -> None:
        path = str(fact.get("path", "")).removeprefix(f"{home}/")
        wire.write_frame(wire.CHANNEL, b"B", plain.write({**fact, "path": path}))

    for start, watch in _prepared:
        start(watch, report)
