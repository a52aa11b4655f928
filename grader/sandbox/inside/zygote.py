"""The zygote's life in order: prepare the wall once, then a child per case.

Started by grader.sandbox.zygote as a script. `main` never comes back: it serves, and in a child hands over.
"""

from __future__ import annotations

import _socket
import contextlib
import gc
import os
import sys
from typing import Any

from . import curtain, depth, descriptors, finish, plain, refuse, serve, stage, sweep, ticks, warm, watching, wire


def main() -> None:
    """Prepare, serve, and in each child: enclose, set the stage, hand over."""
    os.setsid()
    os.umask(0o022)
    control = _socket.socket(fileno=3)
    plan = _take_plan(control)
    wall = _wall(plan)
    wall.prepare(control)
    sys.path += plan["package_folders"]
    warm.load(plan["warm"])
    watching.prepare(plan["watcher_source"], plan["watch"])
    depth.find()
    stage.pose_as_plain()
    warm.hide()
    gc.collect()
    gc.freeze()
    control.sendall(b"R")
    zygote = os.getpid()
    channel = serve.serve(control, wall)
    warm.tidy()  # the zygote's wait4 has imported a module
    with Reporting(channel.fileno()):
        wall.approach(zygote)
    play(wall, plan, channel)


def _take_plan(control: _socket.socket) -> Any:
    """Read the plan; remove what only the interpreter's start needed, and everything if the supervisor is gone."""
    folder = os.path.dirname(sys.prefix)
    sweep.empty(sys.prefix)
    os.rmdir(sys.prefix)
    try:
        plan = wire.read_data(control.fileno())
    except EOFError:
        sweep.empty(folder)
        os.rmdir(folder)
        os._exit(0)
    with contextlib.suppress(OSError):
        os.rmdir(folder)  # empty where a container has the box
    return plan


def _wall(plan: dict[str, Any]) -> Any:
    """Give the wall of the plan's level; only Linux has the calls of the stronger two."""
    if plan["level"] == "isolated":
        from .isolated import Isolated as Wall  # noqa: PLC0415
    elif plan["level"] == "confined":
        from .confined import Confined as Wall  # type: ignore[assignment]  # noqa: PLC0415
    else:
        from .limited import Limited as Wall  # type: ignore[assignment]  # noqa: PLC0415
    return Wall(plan)


class Reporting:
    """Tells the supervisor of whatever fails within, for it is ours, and ends: no case may run on."""

    def __init__(self, channel: int) -> None:
        self._channel = channel

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        if error is not None:
            wire.write_frame(self._channel, b"S", plain.write(f"{type(error).__name__}: {error}"))
            os._exit(0)


def play(wall: Any, plan: dict[str, Any], channel: _socket.socket) -> None:
    """Become one case: from here on this process is the student's."""
    streams = wire.receive_fds(channel, 3)
    if not streams:
        os._exit(0)
    descriptors.settle(streams, channel.detach())
    home = plan["home"]
    case = wire.read_data(wire.CHANNEL)
    with Reporting(wire.CHANNEL):
        wall.enclose(case)
        descriptors.close_others()
        stage.write_files(home, plan["temporary"], case["files"])
        stage.set_arguments(home, case["how"])
        warm.begin(home)
        watching.begin(home)
        if not case["limits"]["processes"]:
            refuse.explain()
    wire.write_frame(wire.CHANNEL, b"G", b"null")
    if "main" in case["how"]:
        curtain.rise(os.path.join(home, case["how"]["main"]))
    finish.end(ticks.run(case["how"]))
