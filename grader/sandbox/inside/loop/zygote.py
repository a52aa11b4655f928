"""The zygote's life in order: prepare the wall once, then a child per case.

Started by grader.sandbox.zygote as a script. `main` never comes back: it serves, and in a child hands over.
"""

from __future__ import annotations

import _socket
import contextlib
import faulthandler
import gc
import os
import sys
from typing import TYPE_CHECKING, Any

from ..python import finish, json_value, lay_out, main_file, warm
from ..wall import sweep
from . import calls, serve, watching, wire

if TYPE_CHECKING:
    from ..plan import Case, Plan


def main() -> None:
    """Prepare, serve, and in each child: enclose, set the stage, hand over."""
    gc.disable()  # no pauses for garbage, of which there is hardly any, until the student's program begins
    os.setsid()
    os.umask(0o022)
    control = _socket.socket(fileno=3)
    plan = _take_plan(control)
    wall = _build_wall(plan, control)
    sys.path += plan["enclosure"]["package_folders"]
    watching.prepare(plan["watcher_source"], plan["watch"])  # it imports what is banned
    warm.end_loading()
    finish.note_modules()
    lay_out.pose_as_plain()
    _answer_whereabouts()
    gc.collect()
    gc.freeze()
    gc.enable()
    control.sendall(b"R")
    zygote = os.getpid()
    channel = serve.serve(control, wall)
    with Reporting(channel.fileno()):
        wall.approach(zygote)
    play(wall, plan, channel)


def _take_plan(control: _socket.socket) -> Plan:
    """Do what comes first; remove what only the interpreter's start needed."""
    folder = os.path.dirname(sys.prefix)
    sweep.remove(sys.prefix)
    try:
        plan: Plan = wire.read_data(control.fileno())
    except EOFError:  # the supervisor is gone
        sweep.remove(folder)
        os._exit(0)
    with contextlib.suppress(OSError):
        os.rmdir(folder)  # empty where a container has the box
    warm.load(plan["warm"])
    return plan


def _build_wall(plan: Plan, control: _socket.socket) -> Any:
    """Return the wall of the plan's level, built around this process; leave if the supervisor has gone."""
    enclosure = plan["enclosure"]
    if enclosure["level"] == "isolated":
        from ..wall.isolated import Isolated as Wall  # noqa: PLC0415
    else:
        from ..wall.confined import Confined as Wall  # type: ignore[assignment]  # noqa: PLC0415
    wall = Wall(enclosure)
    wall.prepare(control)
    if enclosure["many_ids"]:
        control.sendall(b"M")
        if not control.recv(1):
            os._exit(0)
    wall.furnish(plan["disk_mib"])
    return wall


def _answer_whereabouts() -> None:
    """Have every case write its stack to its channel when asked; it inherits this, so no case spends time on it.

    The C function does so in the signal handler itself: it needs neither the interpreter's loop nor any memory.
    """
    faulthandler.register(wire.WHERE, file=wire.CHANNEL, all_threads=False, chain=False)


class Reporting:
    """Tells the supervisor of whatever fails within, for it is ours, and ends: no case may run on."""

    def __init__(self, channel: int) -> None:
        self._channel = channel

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        if error is not None:
            wire.write_frame(
                self._channel, b"S", json_value.write(f"{type(error).__name__}: {error}"[: wire.MESSAGE])
            )
            os._exit(0)


def play(wall: Any, plan: Plan, channel: _socket.socket) -> None:
    """Become one case: from here on this process is the student's."""
    streams = wire.receive_fds(channel, 3)
    if not streams:
        os._exit(0)
    for target, fd in enumerate((*streams, channel.detach())):  # none lies where an earlier one goes
        os.dup2(fd, target, inheritable=target < wire.CHANNEL)
    home = plan["enclosure"]["home"]
    case: Case = wire.read_data(wire.CHANNEL)
    with Reporting(wire.CHANNEL):
        wall.enclose(case)
        os.closerange(wire.CHANNEL + 1, 4096)
        lay_out.write_files(home, plan["enclosure"]["temporary"], case["files"])
        lay_out.set_arguments(home, case["how"])
        warm.give_way(home, plan["watch"])
        watching.begin(home, case)
        if not case["processes"]:
            lay_out.explain_refusals()
    wire.go()
    main = case["how"]["main"]
    finish.end(main_file.run_program(f"{home}/{main}") if main else calls.run(case["how"]))
