"""Plays one case in a process of its own, on any system.

    python3 -P child.py FOLDER

Standard input brings the supervisor's frames and standard error takes the case's: the program gets a file of FOLDER
for each of the two instead. Only the standard library and `inside` are needed.
"""

from __future__ import annotations

import sys

FRESH = frozenset(sys.modules)
"""What a fresh interpreter has loaded."""

import _thread  # noqa: E402 - the line above comes first
import atexit  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402
import time  # noqa: E402
from typing import TYPE_CHECKING, Any, NoReturn  # noqa: E402

if __name__ == "__main__":
    sys.path.insert(0, os.path.abspath(__file__).rsplit("grader", 1)[0])

from grader.sandbox.inside.loop import calls, watching, wire  # noqa: E402
from grader.sandbox.inside.python import lay_out, main_file  # noqa: E402
from grader.sandbox.inside.wall import rlimits  # noqa: E402

if TYPE_CHECKING:
    from grader.sandbox.inside.plan import Case

STDIN, STDERR, ENDED = "stdin", "stderr", "ended.json"
"""Files in the case's folder; the last says what it used, and which limit ended it."""
OUT = wire.CHANNEL + 1
GLANCE_S = 0.02
"""Between two looks at the clocks."""
_PACKAGES = ("site-packages", "dist-packages")
_MOST_FRAMES = 100
_frames = sys._current_frames  # noqa: SLF001 - the program may put something else in its place, as in these
_clock, _cpu, _sleep, _exit = time.monotonic, time.process_time, time.sleep, os._exit


def main(folder: str) -> int:
    """Take the case, lay it out, run it; return the exit status."""
    _take_streams(folder)
    told = wire.read_data(wire.CHANNEL)
    case: Case = told["case"]
    home = f"{folder}/work".replace(os.sep, "/")
    lay_out.write_files(home, os.path.join(folder, "tmp"), case["files"])
    lay_out.set_arguments(home, case["how"])
    if not told["packages"]:
        sys.path[1:] = [place for place in sys.path[1:] if not place.endswith(_PACKAGES)]
    watching.prepare(told["watcher"], told["watch"])
    watching.begin(home, case)
    _forget(home)
    if not case["processes"]:
        lay_out.explain_refusals()
    rlimits.apply(case["limits"])
    ending = _Ending(f"{folder}/{ENDED}", told["cpu_s"], told["wall_s"])
    wire.go()
    _thread.start_new_thread(ending.watch, ())
    return main_file.run_program(f"{home}/{case['how']['main']}") if case["how"]["main"] else calls.run(case["how"])


def _take_streams(folder: str) -> None:
    """Keep the pipes for the frames, and give the program files in their place."""
    os.dup2(0, wire.CHANNEL, inheritable=False)
    os.dup2(2, OUT, inheritable=False)
    wire.out = OUT
    binary = getattr(os, "O_BINARY", 0)
    for name, mode, target in ((STDIN, os.O_RDONLY, 0), (STDERR, os.O_WRONLY | os.O_APPEND, 2)):
        fd = os.open(f"{folder}/{name}", mode | binary)
        os.dup2(fd, target)
        os.close(fd)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(newline="\n")  # type: ignore[union-attr]  # on Windows as in the course's run


def _forget(home: str) -> None:
    """Unload our own modules, and those whose names the student's files take."""
    taken = {"grader", *(entry.partition(".")[0] for entry in os.listdir(home))}
    for name in [name for name in sys.modules if name not in FRESH and name.partition(".")[0] in taken]:
        del sys.modules[name]
    sys.dont_write_bytecode = True


class _Ending:
    """Ends the process at its limits; no other process could read its clocks on every system."""

    def __init__(self, path: str, cpu_s: float, wall_s: float) -> None:
        self._path = path
        self._cpu_s, self._wall_s = cpu_s, wall_s
        self._began, self._cpu = _clock(), _cpu()
        self._main = _thread.get_ident()
        atexit.register(self._tell, "")

    def watch(self) -> None:
        while True:
            _sleep(GLANCE_S)
            if _cpu() - self._cpu > self._cpu_s:
                self._stop("cpu_limit")
            if _clock() - self._began > self._wall_s:
                self._stop("wall_limit")

    def _stop(self, limit: str) -> NoReturn:
        self._tell(limit)
        _exit(1)

    def _tell(self, limit: str) -> None:
        facts: dict[str, Any] = {"limit": limit, "cpu_s": _cpu() - self._cpu, "peak_mib": rlimits.peak_mib()}
        facts["stack"] = self._stack() if limit else ""
        with open(self._path, "w", encoding="utf-8") as file:
            json.dump(facts, file)

    def _stack(self) -> str:
        """Write where the program is, the innermost first, as `faulthandler` writes it."""
        frame = _frames().get(self._main)
        lines: list[str] = []
        while frame is not None and len(lines) < _MOST_FRAMES:
            path = frame.f_code.co_filename.replace(os.sep, "/")
            lines.append(f'  File "{path}", line {frame.f_lineno} in {frame.f_code.co_name}\n')
            frame = frame.f_back
        return "".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
