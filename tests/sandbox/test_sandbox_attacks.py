"""Promises that hostile programs are stopped, at every level, while a neighbour's case goes right."""

from __future__ import annotations

import json
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sandbox_bench import LEVELS, Bench, out

import grader
from grader.model.run import Limits
from grader.model.verdict import Ending, Level
from grader.sandbox.inside.wall.numbers import CALLS
from grader.sandbox.supervisor.users import FIRST, SLOTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.run import RunRecord

SOURCE = (Path(__file__).parent.parent / "data" / "sandbox-attacks" / "attack.py").read_bytes()
GROUPS = {
    title: re.findall(r"^def (\w+)\(\):", text, re.MULTILINE)
    for title, text in re.findall(r"^# ([a-z ]+)$(.*?)(?=^# [a-z ]+$|\Z)", SOURCE.decode(), re.MULTILINE | re.DOTALL)
}
PATIENT = Limits(cpu_s=10, wall_s=60, memory_mib=128, output_mib=1, disk_mib=4, threads=8)
SHORT_CPU = Limits(cpu_s=0.2, wall_s=60, memory_mib=128)
SHORT_WALL = Limits(cpu_s=10, wall_s=0.3, memory_mib=128)
CLOCKS = {
    "cpu": SHORT_CPU,
    "cpu_with_signals_blocked": SHORT_CPU,
    "cpu_in_threads": SHORT_CPU,
    "sleep": SHORT_WALL,
    "sleep_with_signals_ignored": SHORT_WALL,
}
"""These run into a clock; all others get time enough for a machine under load."""

EXPECTED = {
    "cpu": {"cpu_limit"},
    "cpu_with_signals_blocked": {"cpu_limit"},
    "cpu_in_threads": {"cpu_limit"},
    "sleep": {"wall_limit"},
    "sleep_with_signals_ignored": {"wall_limit"},
    "flood": {"output_limit"},
    "flood_stderr": {"output_limit"},
    "flood_channel": {"output_limit", "signal 9"},
    "thread_bomb": {"stopped", "signal 9"},  # where only a look bounds threads, the whole program is ended
    "many_files": {"stopped", "output_limit"},
    "many_inodes": {"stopped", "output_limit"},
    "deep_folders": {"stopped", "output_limit"},
    "segfault": {"signal 11"},
    "abort": {"signal 6", "signal 11"},
    "terminate_itself": {"signal 15", "stopped"},
    "recursion": {"signal 11", "stopped", "memory_limit"},
    "forge_failed_set_up": {"exited 0", "signal 9"},
    "forge_no_begin": {"signal 9", "stopped"},
    "fill_with_unlinked_files": {"output_limit", "stopped"},
    "fill_with_nameless_files": {"output_limit", "stopped"},
    "fill_with_mapped_files": {"output_limit", "stopped"},
    "close_the_folder_above": {"stopped", "output_limit"},
    "folders_without_rights": {"stopped", "output_limit"},
    "small_threads": {"signal 9", "stopped"},
}
"""What may come of an attack; all others must be stopped."""
GAPS = {
    Level.ISOLATED: set[str](),
    Level.CONFINED: {"stat_outside"},
}


class Outside:
    """Targets beyond the wall, and how they look untouched."""

    def __init__(self, bench: Bench) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="outside-"))
        self.folder.chmod(0o777)
        for name, mode in (("secret", 0o644), ("writable", 0o666), ("own", 0o666)):
            (self.folder / name).write_text(secrets.token_hex(16))
            (self.folder / name).chmod(mode)
        self.sockets = [socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)]
        self.sockets[1].bind(("127.0.0.1", 0))
        self.abstract = f"outside-{os.getpid()}-{secrets.token_hex(4)}"
        for kind, address in (
            (socket.SOCK_STREAM, str(self.folder / "socket")),
            (socket.SOCK_DGRAM, str(self.folder / "socket.datagram")),
            (socket.SOCK_STREAM, "\0" + self.abstract),
        ):
            server = socket.socket(socket.AF_UNIX, kind)
            server.bind(address)
            if kind == socket.SOCK_STREAM:
                server.listen()
            self.sockets.append(server)
        for name in ("socket", "socket.datagram"):
            (self.folder / name).chmod(0o777)
        self.victim, self.address = victim(case_user(bench))
        self.before = self.look()

    def targets(self) -> dict[str, Any]:
        return {
            "victim": self.victim.pid,
            "address": self.address,
            "supervisor": os.getpid(),
            "folder": str(self.folder),
            "secret": str(self.folder / "secret"),
            "writable": str(self.folder / "writable"),
            "own": str(self.folder / "own"),
            "grader": grader.__file__,
            "tcp": self.sockets[0].getsockname()[1],
            "udp": self.sockets[1].getsockname()[1],
            "unix": str(self.folder / "socket"),
            "abstract": self.abstract,
            "container": ["bin", "dev", "etc", "home", "lib", "lib32", "lib64", "packages", "root", "tmp", "usr"],
            "allowed": sorted(CALLS[os.uname().machine].values()),
        }

    def look(self) -> list[tuple[Any, ...]]:
        """Return everything that an attack could have changed."""
        entries = sorted(self.folder.iterdir())
        facts = [(path.name, path.stat().st_mode, path.stat().st_size, path.stat().st_mtime_ns) for path in entries]
        return [*facts, ("victim", self.victim.poll())]

    def close(self) -> None:
        self.victim.kill()
        self.victim.wait()
        assert self.victim.stdout is not None
        self.victim.stdout.close()
        for server in self.sockets:
            server.close()
        subprocess.run(["rm", "-rf", self.folder], check=True)


def case_user(bench: Bench) -> int | None:
    """Return the user as whom cases run here, when it isn't ourselves."""
    if os.getuid() != 0:
        return None
    ids = bench.sandbox._ids  # type: ignore[attr-defined]  # the sandbox's own
    return FIRST + SLOTS + 1000 if bench.level is Level.ISOLATED else int(ids["id"])


def victim(user: int | None) -> tuple[subprocess.Popen[bytes], int]:
    """Start a process of the same user as the cases', and give the address of a word in its memory."""
    source = (
        "import ctypes, time; b = ctypes.create_string_buffer(b'mine', 64)\nprint(ctypes.addressof(b), flush=True)"
    )
    python = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
    process = subprocess.Popen(
        [python, "-I", "-S", "-c", f"{source}\ntime.sleep(600)"], stdout=subprocess.PIPE, user=user, group=user
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline())


class Neighbour:
    """Runs honest cases in a sandbox of its own, one after the other, until it is stopped."""

    SOURCE = "import time\ntime.sleep(0.1)\nprint(sum(range(1000)), 'right')\n"

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.records: list[RunRecord] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            self.records.append(self.bench.program(self.SOURCE, limits=PATIENT))

    def verdicts(self) -> set[tuple[str, str]]:
        self._stop.set()
        self._thread.join()
        return {(record.ending.value, out(record)) for record in self.records}


@pytest.fixture(params=LEVELS, scope="module")
def benches(request: pytest.FixtureRequest) -> Iterator[tuple[Bench, Bench]]:
    pair = (Bench(request.param), Bench(request.param))
    yield pair
    for bench in pair:
        bench.sandbox.close()


@pytest.fixture
def outside(benches: tuple[Bench, Bench]) -> Iterator[Outside]:
    outside = Outside(benches[0])
    yield outside
    outside.close()


@pytest.mark.parametrize("group", GROUPS)
def test_attacks_are_stopped_and_the_neighbour_goes_right(
    benches: tuple[Bench, Bench], outside: Outside, group: str
) -> None:
    """Each attack meets what it must meet; nothing outside changes; the neighbour gets its verdict."""
    attacker, other = benches
    expectation = "EXPECTED-" + secrets.token_hex()
    targets = json.dumps(outside.targets())
    neighbour = Neighbour(other)
    surprises = {}
    for name in GROUPS[group]:
        record = attacker.program(SOURCE, argv=(name, targets), limits=CLOCKS.get(name, PATIENT))
        found = outcome(record)
        if found not in EXPECTED.get(name, {"stopped"}):
            surprises[name] = (found, out(record)[:200], record.detail)
    assert neighbour.verdicts() == {("exited", "499500 right\n")}
    assert {name for name in surprises if name not in GAPS.get(attacker.level, ())} == set(), surprises
    assert outside.look() == outside.before
    assert expectation.startswith("EXPECTED-")


def outcome(record: RunRecord) -> str:
    """Say in a word or two what became of an attack."""
    if record.ending is Ending.SIGNALLED:
        return f"signal {record.signal}"
    if record.ending is not Ending.EXITED:
        return record.ending.value
    last = out(record).splitlines()[-1:] or [""]
    if last[0].startswith("stopped:"):
        return "stopped"
    return "GOT" if last == ["GOT"] else f"exited {record.exit_status}"


def test_the_suite_is_large_enough() -> None:
    """At least the 85 attacks of the study are tried."""
    assert sum(map(len, GROUPS.values())) >= 85


@pytest.mark.parametrize("level", LEVELS)
def test_a_daemon_does_not_outlive_its_case(level: Level) -> None:
    """Processes that a case leaves behind are gone when its record is there."""
    bench = Bench(level)
    try:
        bench.program("pass")
        bench.program(SOURCE, argv=("daemon", "{}"), limits=PATIENT)
        zygotes = list(bench.sandbox._zygotes.values())  # type: ignore[attr-defined]  # the sandbox's own
        waiting = 2 if level is Level.ISOLATED else 1  # the container's first process, and the next case's
        assert all(len(descendants(zygote.pid)) <= waiting for zygote in zygotes)
    finally:
        bench.sandbox.close()


def descendants(pid: int) -> list[int]:
    """Return all processes below one."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
    found = [pid]
    for candidate in found:
        found += [child for child, parent in parents.items() if parent == candidate]
    return found[1:]
