"""A sandbox that needs nothing but Python: each case is a process with the limits that the system has."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from grader.errors import SandboxError
from grader.model.result import Isolation
from grader.model.run import Program
from grader.model.verdict import Ending, Level
from grader.sandbox.portable import child
from grader.sandbox.protocol import payload
from grader.sandbox.protocol.dialogue import Dialogue
from grader.sandbox.protocol.record import Capture, End, failed, places, record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.model.run import RunRecord, RunRequest

MIB = 1 << 20
PIECE = 1 << 16
GLANCE_S = 0.05
"""Between two looks at the limits that the case itself doesn't watch."""
BACKSTOP_S = 2.0
"""The case ends itself at its limits; so much later it is killed."""
AFTER_KILL_S = 5.0
OWN_WAITING = 0.02
"""Share of the wall limit: a program that computed less has waited by itself, whatever else the machine did."""
_KEPT = ("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""What some interpreters don't start without."""
AT_HOME = Isolation(
    level=Level.NONE.value,
    mechanisms=("wall clock", "processor time", "output caps", "clean environment"),
    missing=(
        {
            "what": "a sandbox",
            "why": "this is your own computer",
            "consequence": "Your program runs with your own rights. Your mark comes from the course's run.",
            "remedy": "",
        },
    ),
)
"""What the students' package says of itself."""


class PortableSandbox:
    """Runs each request in a new interpreter. One at a time; not shared between threads."""

    def __init__(
        self, *, watcher_source: str = "", scratch: str | None = None, isolation: Isolation = AT_HOME
    ) -> None:
        if not sys.executable:
            raise SandboxError("this Python doesn't say where its program is, so it can't start another")
        self._watcher_source = watcher_source
        self.isolation = isolation
        self._scratch = scratch  # where the cases' folders go; None: where the system keeps temporary files

    def run(self, request: RunRequest) -> RunRecord:
        """Run it; whatever fails on our side fails this case alone."""
        try:
            with tempfile.TemporaryDirectory(
                prefix="grader-case-", dir=self._scratch, ignore_cleanup_errors=True
            ) as folder:
                return _Case(request, os.path.realpath(folder)).run(self._watcher_source)
        except (OSError, ValueError) as error:
            return failed(f"{type(error).__name__}: {error}", Level.NONE)

    def close(self) -> None:
        """Nothing outlives a case."""


class _Case:
    """One process under watch."""

    def __init__(self, request: RunRequest, folder: str) -> None:
        self._request = request
        self._folder = Path(folder)
        self._cap = int(request.limits.output_mib * MIB)
        self._stdout = Capture(self._cap)
        self._channel = Capture(0)
        self._dialogue = Dialogue(request, send=self._send, size_limit=self._cap)
        self._limit: Ending | None = None
        self._detail = ""
        self._over = threading.Event()
        self._stopped = False

    def run(self, watcher_source: str) -> RunRecord:
        how = self._request.how
        (self._folder / child.STDIN).write_bytes(how.stdin if isinstance(how, Program) else b"")
        (self._folder / child.STDERR).touch()
        began = time.monotonic()
        with _ctrl_c_held() as let_go:  # what is just being started has no name yet to be ended by
            self._process = subprocess.Popen(  # noqa: S603 - the interpreter that runs us
                self._command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._folder,
                env=self._environment(),
                **_apart(),
            )
            try:
                let_go()
                self._watch(self._start(watcher_source), began + self._request.limits.wall_s + BACKSTOP_S)
            finally:
                _kill_tree(self._process)
                self._process.wait(AFTER_KILL_S)
                self._close()
        return self._record(time.monotonic() - began)

    def _command(self) -> list[str]:
        flags = ("-P", "-X", "utf8") if self._request.packages else ("-P", "-s", "-X", "utf8")
        return [sys.executable, *flags, child.__file__, str(self._folder)]

    def _environment(self) -> dict[str, str]:
        """Return the whole environment of a student's program, the same on every machine but for where it is."""
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        homes = dict.fromkeys(("HOME", "USERPROFILE"), str(self._folder))
        temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(self._folder / "tmp"))
        return {**kept, "PATH": os.defpath, **homes, **temporary, **payload.ENVIRONMENT}

    def _start(self, watcher_source: str) -> list[threading.Thread]:
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        threads = [
            threading.Thread(target=self._drain, args=(self._process.stdout, self._take), daemon=True),
            threading.Thread(target=self._drain, args=(self._process.stderr, self._hear), daemon=True),
        ]
        for thread in threads:
            thread.start()
        request = self._request
        told = {
            "case": payload.told(request, tasks=None),
            "cpu_s": request.limits.cpu_s,
            "wall_s": request.limits.wall_s,
            "packages": bool(request.packages),
            "watcher": watcher_source,
            "watch": request.watch,
        }
        self._send(payload.frame(told))
        return threads

    def _watch(self, threads: list[threading.Thread], due: float) -> None:
        """Wait for the end; both pipes end with the process, unless it closed them before."""
        while self._process.poll() is None and not self._stopped:
            if self._over.wait(GLANCE_S):
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(GLANCE_S)
            self._check(time.monotonic(), due)
        if self._stopped:
            _kill_tree(self._process)
        for thread in threads:
            thread.join(AFTER_KILL_S)

    def _check(self, now: float, due: float) -> None:
        limits, tick = self._request.limits, self._dialogue.tick_began
        if now > due:
            self._stop(Ending.WALL_LIMIT)
        elif tick is not None and limits.tick_s is not None and now - tick > limits.tick_s:
            call = len(self._dialogue.replies) + 1
            self._stop(Ending.WALL_LIMIT, f"call {call} took longer than {limits.tick_s:g} s")
        elif (self._folder / child.STDERR).stat().st_size > self._cap:
            self._stop(Ending.OUTPUT_LIMIT)

    def _stop(self, limit: Ending | None, detail: str = "") -> None:
        """Let the main thread kill the case; the first reason is the one that counts."""
        if not self._stopped:
            self._limit, self._detail = limit, detail
            self._stopped = True
        self._over.set()

    def _drain(self, pipe: IO[bytes], take: Callable[[bytes], None]) -> None:
        with contextlib.suppress(OSError, ValueError):  # closed under us
            while piece := os.read(pipe.fileno(), PIECE):
                if not self._stopped:
                    take(piece)
        self._over.set()

    def _take(self, piece: bytes) -> None:
        self._stdout.take(piece)
        if self._stdout.cut:
            self._stop(Ending.OUTPUT_LIMIT)

    def _hear(self, piece: bytes) -> None:
        self._channel.take(piece)
        if self._channel.seen > self._cap:
            self._stop(Ending.OUTPUT_LIMIT, "the values returned are larger than the output may be")
        elif not self._dialogue.hear(piece):
            self._stop(Ending.OUTPUT_LIMIT if self._dialogue.oversized else None)

    def _send(self, data: bytes) -> None:
        """Write to the child; one that no longer listens is seen at its end."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def _close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):  # what wasn't read is lost
                pipe.close()  # type: ignore[union-attr]  # each was asked for

    def _record(self, wall_s: float) -> RunRecord:
        dialogue, code = self._dialogue, self._process.returncode
        used = self._used()
        dialogue.close(killed=self._stopped or code < 0 or bool(used["limit"]))
        stderr = (self._folder / child.STDERR).read_bytes()[:MIB]
        if not dialogue.begun:
            return failed(dialogue.broken_set_up or stderr.decode("utf-8", "replace")[-2000:], Level.NONE)
        kept = Capture(MIB)
        kept.take(stderr)
        end = End(
            limit=self._limit_of(used["limit"], code),
            code=code,
            cpu_s=used["cpu_s"],
            wall_s=wall_s,
            peak_mib=used["peak_mib"],
            stopped_at=places(self._request, f"{self._folder}/work".replace(os.sep, "/"), used["stack"]),
            waited=used["cpu_s"] < OWN_WAITING * self._request.limits.wall_s and bool(used["limit"]),
            detail=self._detail,
        )
        return record(dialogue, self._stdout, kept, end, Level.NONE)

    def _used(self) -> dict[str, Any]:
        """Read what the case said at its end; one that was killed says nothing."""
        used: dict[str, Any] = {"limit": "", "cpu_s": 0.0, "peak_mib": 0.0, "stack": ""}
        with contextlib.suppress(OSError, ValueError):
            used |= json.loads((self._folder / child.ENDED).read_text("utf-8"))
        return used

    def _limit_of(self, said: str, code: int) -> Ending | None:
        if self._limit is not None or said:
            return self._limit or Ending(said)
        is_backstop = code == -getattr(signal, "SIGXCPU", 0) != 0
        return Ending.CPU_LIMIT if is_backstop else None


@contextlib.contextmanager
def _ctrl_c_held() -> Iterator[Callable[[], None]]:
    """Hold Ctrl-C back until the function that is given is called; other threads never get it."""
    held = threading.current_thread() is threading.main_thread()
    if not held or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: None
        return
    came: list[int] = []

    def let_go() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if came:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield let_go
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _apart() -> dict[str, Any]:
    """Start a case so that Ctrl-C doesn't reach it, and that all it starts can be found."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def _kill_tree(process: subprocess.Popen[bytes]) -> None:
    """Kill the case and, as far as the system lets us, what it started."""
    if sys.platform == "win32" and process.poll() is None:
        command = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
        subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - the system's own program
    elif hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
