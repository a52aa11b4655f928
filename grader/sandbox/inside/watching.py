"""Arms the watcher of banned modules, whose text the supervisor sent, before the student's code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import plain, warm, wire

if TYPE_CHECKING:
    from collections.abc import Callable

_arm: list[Callable[[tuple[str, ...], Callable[[dict[str, Any]], None]], None]] = []


def load(source: str) -> None:
    """Once per zygote: run the watcher's text, which defines `arm(modules, report)`."""
    if source:
        namespace: dict[str, Any] = {"__name__": "watcher"}
        exec(compile(source, "<watcher>", "exec"), namespace)  # noqa: S102 -- the grader's own text
        _arm.append(namespace["arm"])


def arm(modules: tuple[str, ...], home: str) -> None:
    """Once per case: watch these modules; every use is told at once, before the program goes on."""
    if not modules:
        return
    if not _arm:
        raise LookupError("there is something to watch, but no watcher")

    def report(fact: dict[str, Any]) -> None:
        path = str(fact.get("path", "")).removeprefix(f"{home}/")
        wire.write_frame(wire.CHANNEL, b"B", plain.write({**fact, "path": path}))

    with warm.everything_shown():
        _arm[0](modules, report)
