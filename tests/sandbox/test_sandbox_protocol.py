"""Promises about the talk with a child: one frame per call, and every breach is a fact."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from sandbox_bench import LEVELS, QUICK, Bench

from grader.model.run import Agent, File, Program, RunRecord, RunRequest
from grader.model.verdict import Ending
from grader.policy import watch
from grader.sandbox.open import open_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.seams import Sandbox

LATE_S = 60.0
"""When a program's clock is first looked at, if it may use so many seconds on each core."""
FRAME = "import os, struct\ndef send(text):\n    os.write(3, struct.pack('>I', len(text)) + text)\n"


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    bench = Bench(LEVELS[-1])
    yield bench
    bench.sandbox.close()


class Counting:
    """A world that counts to its setup, told so by the agent."""

    def __init__(self, setup: Any) -> None:
        self.left = setup
        self.seen: list[Any] = []

    def observe(self) -> tuple[Any, ...] | None:
        return (self.left, [1, 2]) if self.left else None

    def act(self, value: Any) -> None:
        self.left -= value


class Broken(Counting):
    def act(self, value: Any) -> None:
        raise RuntimeError(f"the world ends at {value}")


def agent(bench: Bench, source: str, world: str = "Counting") -> RunRecord:
    how = Agent(module="solution.py", function="solve", world=f"{__name__}:{world}", setup=5)
    files = (File(path="solution.py", content=source.encode()),)
    return bench.sandbox.run(RunRequest(how=how, files=files, limits=QUICK))


@pytest.mark.parametrize("frames", ["send(b'X[]')", "os.write(3, b'no frame')", "send(b'G')"])
def test_a_flood_of_the_channel_ends_at_once(frames: str, bench: Bench) -> None:
    """A program that does nothing else is stopped long before its limits let anybody look at a clock."""
    minutes = msgspec.structs.replace(QUICK, cpu_s=LATE_S * (os.cpu_count() or 1), wall_s=4 * LATE_S)
    record = bench.program(f"{FRAME}while True:\n    {frames}\n", limits=minutes)
    assert record.irregularities
    assert record.usage.wall_s < LATE_S / 2


def test_an_agent_acts_until_its_world_is_over(bench: Bench) -> None:
    """The trusted side simulates; the agent is asked once per tick, with fresh arguments each time."""
    record = agent(
        bench, "def solve(left, board):\n    board.append(3)\n    return 2 if left > 2 and len(board) == 3 else 1\n"
    )
    assert [reply.value for reply in record.replies] == [2, 2, 1]
    assert (record.ending, record.irregularities) == (Ending.EXITED, ())


def test_an_agent_that_raises_ends_the_play(bench: Bench) -> None:
    """The exception is the last reply."""
    record = agent(bench, "def solve(left, board):\n    return board[left]\n")
    assert record.replies[-1].raised is not None
    assert (len(record.replies), record.replies[-1].raised.type) == (1, "IndexError")


def test_a_move_that_is_no_move_reaches_no_world(bench: Bench) -> None:
    """A world runs in our own process: what it is given is small."""
    record = agent(bench, "def solve(left, board):\n    return 'x' * 70000\n", "Broken")
    assert (record.ending, record.replies) == (Ending.OUTPUT_LIMIT, ())


def test_a_broken_world_is_our_failure(bench: Bench) -> None:
    """What fails on the trusted side is told as such, and the next case runs."""
    record = agent(bench, "def solve(left, board):\n    return 1\n", "Broken")
    assert record.ending is Ending.SANDBOX_FAILED
    assert "the world ends at 1" in record.detail
    assert bench.program("print(1)").ending is Ending.EXITED


def test_an_error_at_import_is_told(bench: Bench) -> None:
    """Type and traceback of the import come as data; no harness frame is in them."""
    record = bench.calls("import no_such_thing\ndef solve(): pass\n", ())
    assert record.raised is not None
    assert (record.raised.type, record.exit_status, record.replies) == ("ModuleNotFoundError", 1, ())
    assert "inside" not in record.raised.traceback


def test_a_missing_function_is_told(bench: Bench) -> None:
    """It reads as it would at home."""
    record = bench.calls("def solved(): pass\n", ())
    assert record.raised is not None
    assert record.raised.message.startswith("module 'solution' has no attribute 'solve'")


@pytest.mark.parametrize(
    ("deed", "breach"),
    [
        ("send(b'Vxxxxxxxx1'); return 2", "a frame that answers no call"),
        ("send(b'Znull'); return 2", "bytes that are no frame"),
        ("send(b'Vxxxxxxxx{'); return 2", "a frame that holds no JSON"),
        ("send(b'S\"broken\"'); return 2", "a frame that answers no call"),
        ("send(b'Gnull'); return 2", "a frame that answers no call"),
        ("os.write(3, b'\\0\\0\\0\\x09V1'); os._exit(0)", "a frame that was cut short"),
        ("os.write(3, b'\\xff\\xff\\xff\\xffV'); return 2", "a frame larger than the output may be"),
        (f"send(b'V' + b'x' * 8 + b'{2**64}'); return 2", "a number of more than 64 bits"),
        ("send(b'Vxxxxxxxx[1e400]'); return 2", "a frame that holds no JSON"),
        ("send(b'Vxxxxxxxx\"\\\\ud800\"'); return 2", "a frame that holds no JSON"),
        ("send(b'Vxxxxxxxx' + b'[' * 900 + b']' * 900); return 2", "a value that is nested too deep"),
        ("send(b'Xnull'); return 2", "a frame that answers no call"),
        ("send(b'E' + b'x' * 600000); return 2", "a frame larger than the output may be"),
        ("send(b'B[0, \"solution.py\", 1]'); return 2", "a frame that answers no call"),
        ("os._exit(0)", "no frame for call 1"),
    ],
)
def test_a_breach_of_the_protocol_is_a_fact(bench: Bench, deed: str, breach: str) -> None:
    """Forged, short, missing and surplus frames are all told; none passes for our own failure."""
    record = bench.calls(f"{FRAME}def solve(n):\n    {deed}\n", (1,), (2,))
    assert record.irregularities == (breach,)
    assert record.ending is not Ending.SANDBOX_FAILED


def test_a_frame_after_the_last_call_is_a_fact(bench: Bench) -> None:
    """An atexit callback that sends one more is found out."""
    source = f"{FRAME}import atexit\natexit.register(send, b'Vxxxxxxxx7')\ndef solve(n):\n    return n\n"
    record = bench.calls(source, (1,))
    assert [reply.value for reply in record.replies] == [1]
    assert record.irregularities == ("a frame after the last call",)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("(1, [2.5, None, True], {'a': 'é\\ud800'})", [1, [2.5, None, True], {"a": "é\\ud800"}]),
        ("float('inf')", {"$float": "inf"}),
        ("b'\\x00\\xff'", {"$bytes": "00ff"}),
        ("{3, 1, 2}", {"$set": [1, 2, 3]}),
        ("{1: 'a'}", {"$dict": [[1, "a"]]}),
        ("10**30", {"$int": str(10**30)}),
        ("2**64 - 1", 2**64 - 1),
        ("-2**63 - 1", {"$int": str(-(2**63) - 1)}),
        ("object", {"$object": "type", "repr": "<class 'object'>"}),
        ("10**5000", {"$object": "int", "repr": "a number of very many digits"}),
    ],
)
def test_values_come_back_as_plain_data(bench: Bench, expression: str, value: Any) -> None:
    """What isn't data is told by its type and its repr."""
    record = bench.calls(f"def solve():\n    return {expression}\n", ())
    assert record.replies[0].value == value


def test_endless_and_lying_values_are_bounded(bench: Bench) -> None:
    """A cycle, a deep nest and a hostile repr end, and the next call is answered."""
    source = (
        "class Liar:\n    def __repr__(self): raise ValueError\n    def __index__(self): raise ValueError\n"
        "def solve(n):\n    x = []\n    x.append(x)\n    y = []\n    for _ in range(100000): y = [y]\n"
        "    return [x, y, Liar()][n]\n"
    )
    record = bench.calls(source, (0,), (1,), (2,))
    assert (record.ending, len(record.replies), record.irregularities) == (Ending.EXITED, 3, ())
    assert record.replies[2].value == {"$object": "Liar", "repr": ""}


def test_a_huge_value_hits_the_output_limit(bench: Bench) -> None:
    """The channel has the bound of the output."""
    record = bench.calls("def solve():\n    return 'x' * 3_000_000\n", ())
    assert record.ending is Ending.OUTPUT_LIMIT


TOLD = b'X{"type": "T", "message": "m", "traceback": "t", "memory": false}'


@pytest.mark.parametrize(
    ("frames", "breach"),
    [
        ([b"Rnull"], "a frame after the last call"),
        ([b"V" + b"x" * 8 + b"1"], "a frame after the last call"),
        ([b'B[0, "solution.py", 1]'], "a frame after the last call"),
        ([b"Gnull"], "a frame after the last call"),
        ([b'S"set-up failed"'], "a frame after the last call"),
        ([b"S" + b"1" * 9000], "a frame larger than the output may be"),
        ([TOLD, TOLD], "a frame after the last call"),
        ([b"X[]"], "an exception that isn't told as one"),
        ([b'X{"type": 1, "message": "m", "traceback": "t"}'], "an exception that isn't told as one"),
    ],
)
def test_a_program_that_was_asked_nothing_may_tell_nothing(bench: Bench, frames: list[bytes], breach: str) -> None:
    """Whatever it sends of its own is a fact, the run is over at once, and nothing of it passes for our failure."""
    source = f"{FRAME}import time\nfor frame in {frames!r}: send(frame)\ntime.sleep(600)\n"
    record = bench.program(source)
    assert (record.irregularities, record.ban_uses) == ((breach,), ())
    assert record.ending in {Ending.SIGNALLED, Ending.OUTPUT_LIMIT}
    assert (record.usage.wall_s < QUICK.wall_s, len(msgspec.msgpack.encode(record)) < 2000) == (True, True)


@pytest.mark.parametrize(
    "use",
    [
        '[1, "s.py", 1]',
        '[-1, "s.py", 1]',
        '[true, "s.py", 1]',
        '[99999999999999999999999999, "s.py", 1]',
        '[0, "s.py", 99999999999999999999999999]',
        '[0, "s.py", 0]',
        '[0, "s.py", -1]',
        '[0, "s.py", 1000]',
        '[0, "s.py", "1"]',
        '[0, "/etc/passwd", 1]',
        '[0, "maze.txt", 1]',
        '[0, "../s.py", 1]',
        '[0, "s.py"]',
        '[0, "s.py", 1, "secret"]',
        '{"module": "x", "what": "secret", "path": "s.py", "line": 1}',
        "null",
    ],
)
def test_a_ban_use_is_an_entry_of_our_list_and_a_line_of_the_submission(watching: Sandbox, use: str) -> None:
    """Everything else is a breach; so no text of the child's can reach a finding."""
    source = f"{FRAME}import time\nsend(b'B' + {use.encode()!r})\ntime.sleep(600)\n"
    record = watch_run(watching, source)
    assert (len(record.irregularities), record.ban_uses) == (1, ())
    assert b"secret" not in msgspec.msgpack.encode(record)
    assert record.ending is Ending.SIGNALLED


def test_a_value_of_millions_of_parts_is_a_breach(bench: Bench) -> None:
    """Three bytes become sixty in our memory, so parts are counted before any is made; commas in a text are none."""
    limits = msgspec.structs.replace(QUICK, output_mib=16)
    forged = f"{FRAME}def solve(n):\n    send(b'Vxxxxxxxx[' + b'[],' * 2_000_000 + b'1]')\n    return 2\n"
    assert bench.calls(forged, (1,), limits=limits).irregularities == ("a value of too many parts",)
    whole = bench.calls("def solve(n):\n    return [',' * n, [[0] * 1000] * 1000]\n", (4_000_000,), limits=limits)
    assert (whole.irregularities, len(whole.replies)) == ((), 1)


def test_ban_uses_are_told_once_and_not_without_end(watching: Sandbox) -> None:
    """Each place counts once, at most 64 of them are kept, and a flood ends the run early."""
    lines = "\n" * 100
    source = f"{FRAME}for n in range(10**9): send(b'B[0, \"s.py\", %d]' % (n % 90 + 1)){lines}"
    record = watch_run(watching, source)
    assert (len(record.ban_uses), record.irregularities) == (64, ("a ban use that can't be",))
    assert len({(use.path, use.line) for use in record.ban_uses}) == 64


@pytest.mark.parametrize(
    "way",
    ["copy.copy(1)", "exec('copy.copy(1)')", "exec(compile('copy.copy(1)', 'x' * 5000, 'exec'))", "f(7)"],
)
def test_a_use_is_told_at_the_line_that_the_student_wrote(watching: Sandbox, way: str) -> None:
    """Executed texts and odd file names count for the line that executes them."""
    record = watch_run(watching, f"import copy\nf = copy.copy\n\n{way}\n")
    assert {(use.module, use.path) for use in record.ban_uses} == {("copy", "s.py")}
    assert 4 in {use.line for use in record.ban_uses}
    assert (record.ending, record.irregularities) == (Ending.EXITED, ())


@pytest.mark.parametrize(
    "deed",
    [
        "os.close(3)",
        "os.closerange(0, 100)",
        "os.dup2(0, 3)",
        "socket.socket(fileno=os.dup(3)).shutdown(socket.SHUT_RDWR)",
        "socket.socket(fileno=3).shutdown(socket.SHUT_RDWR)",
        "os.write = lambda fd, data: len(data)",
        "os.getpid = lambda: 0",
        "os.set_blocking(3, False)",
    ],
)
def test_a_program_can_not_hang_up(watching: Sandbox, deed: str) -> None:
    """What it does afterwards is told all the same, or the way it hung up is."""
    source = f"import os, socket\ntry:\n    {deed}\nexcept OSError:\n    pass\nimport copy\ncopy.copy(1)\n"
    record = watch_run(watching, source)
    assert record.ban_uses or record.irregularities, record


@pytest.fixture(scope="module")
def watching() -> Iterator[Sandbox]:
    sandbox = open_sandbox(LEVELS[-1], watcher_source=Path(watch.__file__).read_text())
    yield sandbox
    sandbox.close()


def watch_run(sandbox: Sandbox, source: str) -> RunRecord:
    files = (File(path="s.py", content=source.encode()),)
    inputs = (File(path="maze.txt", content=b"#"),)
    how = Program(main="s.py")
    limits = msgspec.structs.replace(QUICK, output_mib=8)
    return sandbox.run(RunRequest(how=how, files=files, inputs=inputs, limits=limits, watch=("copy",)))


HOSTILE = """
class Odd(BaseException):
    def __str__(self): raise SystemExit(0)
    __repr__ = __str__
class Meta(type):
    def __getattribute__(self, name): raise SystemExit(0)
class Nameless(Exception, metaclass=Meta): pass
class Text(str):
    def __getitem__(self, at): raise SystemExit(0)
class Lying(Exception):
    def __str__(self): return Text("lie")
"""


@pytest.mark.parametrize("deed", ["raise Odd", "raise Nameless", "raise Lying", "raise ValueError(Odd())"])
def test_no_exception_can_pass_for_a_good_end(bench: Bench, deed: str) -> None:
    """Whatever its own methods do when it is told, it is an exception that ended the program."""
    program = bench.program(f"{HOSTILE}\n{deed}\n")
    call = bench.calls(f"{HOSTILE}\ndef solve():\n    {deed}\n", ())
    assert (program.exit_status, program.raised is not None, program.irregularities) == (1, True, ())
    assert [reply.raised is not None for reply in call.replies] == [True]


@pytest.mark.parametrize(
    "ending",
    [
        "import sys\nclass S:\n    closed = False\n    def flush(self): raise SystemExit(0)\nsys.stdout = S()\n1 / 0",
        "import atexit, sys\natexit.register(sys.exit, 0)\n1 / 0",
        "import threading\ndef end(): raise SystemExit(0)\nthreading._shutdown = end\n1 / 0",
    ],
)
def test_nothing_after_a_crash_turns_it_into_success(bench: Bench, ending: str) -> None:
    """The last steps of the interpreter are the student's code, too."""
    assert bench.program(ending).exit_status != 0


def test_texts_of_an_exception_are_bounded_and_clean(bench: Bench) -> None:
    """No terminal's control sequence and no megabyte comes out of a message."""
    record = bench.program("raise ValueError('\\x1b[2J\\0' + 'x' * 10**6)")
    assert record.raised is not None
    assert len(record.raised.message) <= 4000
    assert record.raised.message.startswith("\ufffd[2J\ufffdx")
    assert "\x1b" not in record.raised.traceback
