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

from ..python import finish, json_value, lay_out, run_main, warm
from ..wall import sweep
from . import calls, serve, watching, wire

if TYPE_CHECKING:
    from ..plan import Case, Enclosure, First, Plan


def main() -> None:
    """Prepare, serve, and in each child: enclose, set the stage, hand over."""
    gc.disable()  # no pauses for garbage, of which there is hardly any, until the student's program begins
    os.setsid()
    os.umask(0o022)
    control = _socket.socket(fileno=3)
    enclosure = _take_enclosure(control)
    wall = _wall(enclosure)
    wall.prepare(control)
    plan = _take_plan(control, wall)
    wall.furnish(plan["disk_mib"])
    sys.path += enclosure["package_folders"]
    warm.load(plan["warm"])
    watching.prepare(plan["watch"])  # it imports what is banned
    warm.end_loading()
    lay_out.pose_as_plain()
    _answer_whereabouts()
    warm.hide()
    gc.collect()
    gc.freeze()
    gc.enable()
    control.sendall(b"R")
    zygote = os.getpid()
    channel = serve.serve(control, wall)
    warm.tidy()  # the zygote's wait4 has imported a module
    with Reporting(channel.fileno()):
        wall.approach(zygote)
    play(wall, enclosure, channel)


def _take_enclosure(control: _socket.socket) -> Enclosure:
    """Do what comes first; remove what only the interpreter's start needed."""
    folder = os.path.dirname(sys.prefix)
    sweep.remove(sys.prefix)
    try:
        first: First = wire.read_data(control.fileno())
        warm.load(first["warm"])
        watching.compile_watcher(first["watcher_source"])
    except EOFError:  # the supervisor is gone
        sweep.remove(folder)
        os._exit(0)
    with contextlib.suppress(OSError):
        os.rmdir(folder)  # empty where a container has the box
    return first["enclosure"]


def _take_plan(control: _socket.socket, wall: Any) -> Plan:
    """Tell that the wall stands, and read the plan, which may come much later; leave if the supervisor has gone."""
    gc.freeze()  # the collection to come has the less to look at
    try:
        control.sendall(wall.ready)
        plan: Plan = wire.read_data(control.fileno())
    except (EOFError, OSError):
        with contextlib.suppress(OSError):  # what can't be removed now, the next run of the grader finds
            wall.leave()
        os._exit(0)
    return plan


def _answer_whereabouts() -> None:
    """Have every case write its stack to its channel when asked; it inherits this, so no case spends time on it.

    The C function does so in the signal handler itself: it needs neither the interpreter's loop nor any memory.
    """
    faulthandler.register(wire.WHERE, file=wire.CHANNEL, all_threads=False, chain=False)


def _wall(enclosure: Enclosure) -> Any:
    """Return the wall of this level."""
    if enclosure["level"] == "isolated":
        from ..wall.isolated import Isolated as Wall  # noqa: PLC0415
    else:
        from ..wall.confined import Confined as Wall  # type: ignore[assignment]  # noqa: PLC0415
    return Wall(enclosure)


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


def play(wall: Any, enclosure: Enclosure, channel: _socket.socket) -> None:
    """Become one case: from here on this process is the student's."""
    streams = wire.receive_fds(channel, 3)
    if not streams:
        os._exit(0)
    for target, fd in enumerate((*streams, channel.detach())):  # none lies where an earlier one goes
        os.dup2(fd, target, inheritable=target < wire.CHANNEL)
    home = enclosure["home"]
    case: Case = wire.read_data(wire.CHANNEL)
    with Reporting(wire.CHANNEL):
        wall.enclose(case)
        os.closerange(wire.CHANNEL + 1, 4096)
        lay_out.write_files(home, enclosure["temporary"], case["files"])
        lay_out.set_arguments(home, case["how"])
        warm.begin(home)
        watching.begin(home, case)
        if not case["processes"]:
            lay_out.explain_refusals()
    wire.go()
    if case["how"]["main"]:
        run_main.rise(os.path.join(home, case["how"]["main"]))
    finish.end(calls.run(case["how"]))
