"""Promises about the facts of a run, at every level."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sandbox_bench import LEVELS, Bench, err, out

from grader.model.run import File, Limits
from grader.model.verdict import Ending
from grader.sandbox.inside.wall import rlimits

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(params=LEVELS, scope="module")
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    bench = Bench(request.param)
    yield bench
    bench.sandbox.close()


def test_an_ordinary_program_exits(bench: Bench) -> None:
    """Its output, its status and its use are told."""
    record = bench.program("print(input('? ').upper())", stdin=b"hello\n")
    assert (record.ending, record.exit_status, record.signal) == (Ending.EXITED, 0, None)
    assert out(record) == "? HELLO\n"
    assert record.usage.bytes_written == 8
    assert record.usage.cpu_s > 0
    assert record.usage.peak_mib > 1
    assert record.level == bench.level


@pytest.mark.parametrize(("source", "status"), [("import sys; sys.exit(3)", 3), ("1/0", 1), ("raise SystemExit", 0)])
def test_the_exit_status_is_the_programs_own(bench: Bench, source: str, status: int) -> None:
    """Whatever way it ends, the status is what a shell would see."""
    record = bench.program(source)
    assert (record.ending, record.exit_status) == (Ending.EXITED, status)


def test_an_uncaught_exception_is_told(bench: Bench) -> None:
    """Type, message and traceback come as data and on stderr."""
    record = bench.program("def f():\n    raise ValueError('bad map')\nf()\n")
    assert record.raised is not None
    assert (record.raised.type, record.raised.message) == ("ValueError", "bad map")
    assert record.raised.traceback == err(record)


def test_a_loop_hits_the_cpu_limit(bench: Bench) -> None:
    """The limit is finer than the kernel's second; the lines in which it was are told, innermost first."""
    record = bench.program("def f():\n  while True: pass\nf()", limits=Limits(cpu_s=0.2, wall_s=30))
    assert record.ending == Ending.CPU_LIMIT
    assert 0.2 <= record.usage.cpu_s < 1
    assert [(place.path, place.line) for place in record.stopped_at] == [("solution.py", 2), ("solution.py", 3)]


def test_a_sleeper_hits_the_wall_limit(bench: Bench) -> None:
    """Waiting costs no CPU, and is ended all the same; it says where it sleeps."""
    record = bench.program("import time\ntime.sleep(60)", limits=Limits(wall_s=0.5))
    assert (record.ending, record.waited) == (Ending.WALL_LIMIT, True)
    assert [place.line for place in record.stopped_at] == [2]


@pytest.mark.parametrize(
    "trick",
    [
        "signal.pthread_sigmask(signal.SIG_BLOCK, {64})",
        "signal.signal(64, signal.SIG_DFL)",
        "signal.signal(64, lambda *_: os.write(3, b'  File \"/etc/passwd\", line 1 in <module>\\n' * 99))",
        "signal.signal(64, lambda *_: os.write(3, b'  File \"%s\", line 99 in <module>\\n' % __file__.encode()))",
    ],
)
def test_a_program_that_hides_or_forges_its_place_is_stopped_all_the_same(bench: Bench, trick: str) -> None:
    """Only a line that its files have is ever told."""
    record = bench.program(f"import os, signal\n{trick}\nwhile True: pass", limits=Limits(cpu_s=0.1, wall_s=30))
    assert (record.ending, record.stopped_at) == (Ending.CPU_LIMIT, ())


def test_a_run_that_took_half_of_its_time_was_long(bench: Bench) -> None:
    """By the clock or by the processor, however it ends."""
    limits = Limits(cpu_s=0.4, wall_s=2)
    sources = ("pass", "import time; time.sleep(1.2)", "import time\nwhile time.process_time() < 0.3: pass")
    assert [bench.program(source, limits=limits).was_long for source in sources] == [False, True, True]


def test_the_kernels_count_of_ticks_comes_after_our_clocks() -> None:
    """The kernel charges whole ticks: it must not end what ran a moment in each of them until the wall limit."""
    soft, hard = rlimits.wanted(Limits(cpu_s=10, wall_s=15), tasks=None)["RLIMIT_CPU"]
    assert min(soft, hard) > 10 + 15


def test_a_program_that_computes_until_the_wall_did_not_wait(bench: Bench) -> None:
    """Only waiting of its own needs no second run: this one might have been slowed down by others."""
    record = bench.program("while True: pass", limits=Limits(cpu_s=30, wall_s=0.5))
    assert (record.ending, record.waited) == (Ending.WALL_LIMIT, False)


def test_a_flood_hits_the_output_limit(bench: Bench) -> None:
    """No more than the limit is kept, and the cut is told."""
    record = bench.program("while True: print('x' * 999)", limits=Limits(output_mib=1))
    assert (record.ending, record.stopped_at[0].line) == (Ending.OUTPUT_LIMIT, 1)
    assert record.stdout.cut
    assert record.stdout.size == 1 << 20


def test_much_on_stderr_is_cut_without_an_ending(bench: Bench) -> None:
    """A chatty stderr costs nothing until it passes the output limit."""
    record = bench.program("import sys\nfor _ in range(1500): sys.stderr.write('e' * 1023 + '\\n')")
    assert (record.ending, record.stderr.cut, record.stderr.size) == (Ending.EXITED, True, 1 << 20)


def test_too_much_memory_hits_the_memory_limit(bench: Bench) -> None:
    """An allocation that the limit refused is told apart from a MemoryError that the program raised itself."""
    limits = Limits(memory_mib=64)
    assert bench.program("x = [0] * 10**8", limits=limits).ending == Ending.MEMORY_LIMIT
    assert bench.program("x = []\nwhile True: x.append(bytes(10**6))", limits=limits).ending == Ending.MEMORY_LIMIT
    own = bench.program("raise MemoryError", limits=limits)
    assert (own.ending, own.exit_status) == (Ending.EXITED, 1)


@pytest.mark.parametrize("kind", ["main", "imported"])
def test_a_text_too_nested_for_the_parser_is_not_short_of_memory(bench: Bench, kind: str) -> None:
    """The parser's own limit shows as a MemoryError, too; the program has used next to none."""
    text = f"x = {'-' * 200_000}1\n"
    files = (File(path="deep.py", content=text.encode()),)
    record = bench.program(text) if kind == "main" else bench.program("import deep\n", files=files)
    assert (record.ending, record.raised and record.raised.type) == (Ending.EXITED, "MemoryError")


def test_a_signal_is_told(bench: Bench) -> None:
    """A crash of the interpreter is a signal, not an exit."""
    record = bench.program("import ctypes; ctypes.string_at(0)")
    assert (record.ending, record.signal) == (Ending.SIGNALLED, 11)


def test_a_large_stdin_arrives_whole(bench: Bench) -> None:
    """Input beyond a pipe's capacity is fed as it is read."""
    record = bench.program("import sys; print(len(sys.stdin.read()))", stdin=b"y" * 3_000_000)
    assert out(record) == "3000000\n"


def test_a_program_that_ignores_its_stdin_ends_well(bench: Bench) -> None:
    """Unread input is no error."""
    assert bench.program("print('done')", stdin=b"y" * 3_000_000).ending == Ending.EXITED


def test_calls_are_answered_one_by_one(bench: Bench) -> None:
    """Values come back as plain data, exceptions as data, prints on stdout."""
    record = bench.calls("def solve(n):\n    print('got', n)\n    return [1 // n, {2, 1}, (3,)]\n", (1,), (0,), (2,))
    assert record.ending == Ending.EXITED
    assert [reply.value for reply in record.replies] == [[1, {"$set": [1, 2]}, [3]], None, [0, {"$set": [1, 2]}, [3]]]
    assert record.replies[1].raised is not None
    assert record.replies[1].raised.type == "ZeroDivisionError"
    assert out(record) == "got 1\ngot 0\ngot 2\n"
    assert record.irregularities == ()


def test_a_slow_call_hits_the_tick_limit(bench: Bench) -> None:
    """The calls before it keep their answers."""
    source = "import time\ndef solve(s):\n    time.sleep(s)\n    return s\n"
    record = bench.calls(source, (0,), (30,), limits=Limits(tick_s=0.3, wall_s=60))
    assert (record.ending, len(record.replies)) == (Ending.WALL_LIMIT, 1)
    assert "call 2" in record.detail
