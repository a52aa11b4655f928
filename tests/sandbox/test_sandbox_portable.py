"""Promises of the portable sandbox: the same facts as the strong ones give, on any system."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.model.run import Calls, File, Limits, Program, RunRecord, RunRequest
from grader.model.verdict import Ending
from grader.policy.shipped import watcher_source
from grader.sandbox.portable.sandbox import PortableSandbox

ROOT = Path(__file__).parents[2]
LIMITS = Limits(cpu_s=0.5, wall_s=30, memory_mib=256, output_mib=0.1)


def run(source: str, limits: Limits = LIMITS, **more: object) -> RunRecord:
    how = more.pop("how", Program(main="main.py", argv=("a", "b"), stdin=b"hello\n"))
    files = (File(path="main.py", content=source.encode()),)
    request = RunRequest(how=how, files=files, limits=limits, **more)  # type: ignore[arg-type]
    return PortableSandbox(watcher_source=watcher_source()).run(request)


def test_a_program_finds_what_it_finds_at_home() -> None:
    """Its name, arguments, input, folder and files; both streams come back apart."""
    source = (
        "import os, sys\n"
        "print(__name__, os.path.basename(__file__), sys.argv, input('? '), os.path.basename(os.getcwd()))\n"
        "print(open('maze.txt').read(), 'ä', 'inside' in sys.modules, 'grader' in sys.modules)\n"
        "sys.exit('that was it')\n"
    )
    record = run(source, inputs=(File(path="maze.txt", content=b"###"),))
    assert record.stdout.content().decode() == (
        "? __main__ main.py ['main.py', 'a', 'b'] hello work\n### ä False False\n"
    )
    assert (record.ending, record.exit_status) == (Ending.EXITED, 1)
    assert record.stderr.content() == b"that was it\n"


@pytest.mark.parametrize(
    ("source", "ending"),
    [
        ("while True: pass", Ending.CPU_LIMIT),
        ("while True: print('x' * 1000)", Ending.OUTPUT_LIMIT),
        ("import sys\nwhile True: print('x' * 1000, file=sys.stderr)", Ending.OUTPUT_LIMIT),
        ("x = [0] * 10**9", Ending.MEMORY_LIMIT),
    ],
)
def test_a_limit_ends_it(source: str, ending: Ending) -> None:
    """What runs, prints or takes too much is stopped, and the record says why."""
    record = run(source)
    assert record.ending is ending
    if ending is Ending.CPU_LIMIT:
        assert [place.line for place in record.stopped_at] == [1]


def test_one_that_waits_is_stopped_by_the_clock() -> None:
    """A program that sleeps has only itself to blame, so it needs no second run."""
    record = run("import time; time.sleep(60)", Limits(cpu_s=5, wall_s=0.5))
    assert (record.ending, record.waited) == (Ending.WALL_LIMIT, True)


def test_an_exception_is_told_without_our_frames() -> None:
    """Its type, message and the student's lines; on standard error as the interpreter prints it."""
    record = run("def f():\n    return 1 / 0\nf()\n")
    assert record.raised is not None
    assert (record.raised.type, record.exit_status) == ("ZeroDivisionError", 1)
    assert record.raised.traceback.count('  File "') == 2
    assert record.raised.traceback == record.stderr.content().decode()


def test_calls_are_answered_one_by_one() -> None:
    """Values, exceptions and prints of a function, as over any other channel."""
    source = "def f(a):\n    print('called')\n    return [a, 10 // a]\n"
    record = run(source, how=Calls(module="main.py", function="f", arguments=((5,), (0,), (2,))))
    assert [reply.value for reply in record.replies] == [[5, 2], None, [2, 5]]
    assert record.replies[1].raised is not None
    assert record.stdout.content() == b"called\n" * 3


def test_bans_are_seen_and_processes_refused() -> None:
    """The watch and the refusal are the course's own."""
    record = run("import copy\ncopy.copy([])\nimport os\nos.system('true')\n", watch=("copy",))
    assert [(use.module, use.line) for use in record.ban_uses] == [("copy", 2)]
    assert record.raised is not None
    assert record.raised.type == "PermissionError"


_STOPPED = """
import os, signal, tempfile, threading
from grader.model.run import File, Limits, Program, RunRequest
from grader.sandbox.portable.sandbox import PortableSandbox

request = RunRequest(
    how=Program(main="a.py"), files=(File(path="a.py", content=b"import time; time.sleep(60)"),), limits=Limits()
)
for delay_ms in range(0, 16, 2):
    try:
        threading.Timer(delay_ms / 1000, os.kill, (os.getpid(), signal.SIGINT)).start()
        PortableSandbox().run(request)
    except KeyboardInterrupt:
        pass
    else:
        raise SystemExit("it went on")
    assert not os.listdir(tempfile.gettempdir()), delay_ms
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        continue
    raise SystemExit("a process is left")
"""


def test_ctrl_c_at_any_moment_of_the_start_leaves_nothing_behind(tmp_path: Path) -> None:
    """No process that was just being started, and no folder of its case."""
    environment = os.environ | {"TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", _STOPPED], env=environment, check=True, timeout=100)
