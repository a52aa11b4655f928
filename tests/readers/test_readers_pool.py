"""Promises of the readers: whatever a job does, its neighbours are answered and the grader learns why."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader.readers.job import Cause, Failed, Job, ask, run
from grader.readers.pool import Readers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.readers.job import Errand


def act(word: str) -> str:
    """Do what a hostile word makes a careless reader do."""
    kind, _, rest = word.partition(" ")
    deeds: dict[str, Callable[[], Any]] = {
        "echo": lambda: rest,
        "loop": _loop,
        "bomb": lambda: "x" * (1 << 40),
        "list": lambda: str([0] * (1 << 33)),
        "grow": _grow,
        "wait": lambda: str(signal.sigwait({signal.SIGUSR2})),
        "exit": lambda: os._exit(0),
        "kill": _kill,
        "raise": lambda: str(1 / 0),
        "deep": _deep,
        "huge": lambda: "x" * (65 << 20),
        "surrogate": lambda: "\ud800",
        "wrong": lambda: 7,
        "stdin": lambda: os.read(0, 9).decode(),
        "files": lambda: ",".join(sorted(path.name for path in Path("/proc/self/fd").iterdir())),
        "pid": lambda: f"{os.getpid()} {os.getppid()}",
        "hold": lambda: _hold(int(rest)),
    }
    found: str = deeds[kind]()
    return found


_HELD: list[bytearray] = []


def _hold(mib: int) -> str:
    _HELD.append(bytearray(mib << 20))
    return "held"


def _kill() -> str:
    os.kill(os.getpid(), signal.SIGSEGV)
    return "alive"


def _loop() -> str:
    while True:
        pass


def _grow() -> str:
    parts: list[Any] = []
    while True:
        parts = [parts, bytearray(1 << 20)]


def _deep() -> str:
    return _deep() + "x"


ACT: Job[str, str] = Job(act, takes=str, gives=str, cpu_s=0, slack=50)
WAIT: Job[str, str] = Job(act, takes=str, gives=str, slack=0.1)
DOUBLE: Job[int, int] = Job(lambda number: 2 * number, takes=int, gives=int)


@pytest.fixture
def readers() -> Iterator[Readers]:
    opened = Readers([ACT, WAIT, DOUBLE], count=2)
    yield opened
    opened.close()


def answers(readers: Readers, words: list[str]) -> dict[int, str | Failed]:
    asked = ((number, ask(WAIT if word == "wait" else ACT, word)) for number, word in enumerate(words))
    return dict(readers.map(asked))


@pytest.mark.parametrize(
    ("word", "cause"),
    [
        ("loop", Cause.CPU),
        ("bomb", Cause.MEMORY),
        ("list", Cause.MEMORY),
        ("grow", Cause.MEMORY),
        ("wait", Cause.WALL),
        ("exit", Cause.CRASH),
        ("kill", Cause.CRASH),
        ("raise", Cause.RAISED),
        ("deep", Cause.RAISED),
        ("huge", Cause.RAISED),
        ("surrogate", Cause.RAISED),
        ("wrong", Cause.RAISED),
    ],
)
def test_a_hostile_word_fails_alone(readers: Readers, word: str, cause: Cause) -> None:
    """Its cause is told, with something for staff to read; words before and after it are answered."""
    others = [f"echo {number}" for number in range(5)]
    found = answers(readers, [*others, word, *others])
    failed = found.pop(5)
    assert isinstance(failed, Failed)
    assert failed.cause is cause
    assert failed.detail
    assert [found[number] for number in sorted(found)] == [str(number) for number in range(5)] * 2


def test_every_errand_comes_back_once_with_its_key(readers: Readers) -> None:
    """None is lost, doubled or given to another's key, however many there are."""
    found = readers.map((number, ask(DOUBLE, number)) for number in range(500))
    assert sorted(found) == [(number, 2 * number) for number in range(500)]


def test_errands_are_drawn_only_a_few_ahead(readers: Readers) -> None:
    """Memory stays flat however long the list is."""
    drawn = 0

    def endless() -> Iterator[tuple[int, Errand[int | Failed]]]:
        nonlocal drawn
        while True:
            drawn += 1
            yield drawn, ask(DOUBLE, drawn)

    results = readers.map(endless())
    for given in range(1, 101):
        next(results)
        assert drawn <= given + 4


def test_an_errand_goes_on_after_a_failure(readers: Readers) -> None:
    """What to ask next can depend on how the first question ended."""

    def errand() -> Errand[str]:
        first = yield ACT, "exit"
        second = yield ACT, f"echo after {first.cause}"
        return str(second)

    assert readers.ask(errand()) == "after crash"
    assert run(ask(ACT, "echo here")) == "here"
    assert isinstance(run(ask(ACT, "raise")), Failed)


def test_streams_share_the_readers(readers: Readers) -> None:
    """A stream that is drawn from inside another one's drawing waits for nothing that only the outer could take."""

    def inner() -> Iterator[tuple[int, Errand[int | Failed]]]:
        for number, doubled in readers.map((n, ask(DOUBLE, n)) for n in range(50)):
            assert isinstance(doubled, int)
            yield number, ask(DOUBLE, doubled)

    assert sorted(readers.map(inner())) == [(number, 4 * number) for number in range(50)]


def test_memory_that_another_job_holds_is_no_reason_to_fail() -> None:
    """A job that doesn't fit beside what its reader kept is tried in a fresh one."""
    readers = Readers([ACT, WAIT], count=1)
    try:
        assert list(answers(readers, ["hold 600", "hold 600", "hold 600"]).values()) == ["held"] * 3
    finally:
        readers.close()


def test_what_cannot_be_sent_fails_alone(readers: Readers) -> None:
    """A word that no message can hold is a failure of its errand, not of the class."""
    found = answers(readers, ["echo a", "echo \ud800", "echo b"])
    assert isinstance(found[1], Failed)
    assert (found[0], found[2]) == ("a", "b")


def test_readers_hold_nothing_of_the_graders(readers: Readers) -> None:
    """Only the standard streams and its own socket are open in a reader; there is nothing to read on the first."""
    with Path(__file__).open() as mine:
        found = answers(readers, ["files", "stdin"])
        assert not mine.closed
    assert isinstance(found[0], str)
    assert len(found[0].split(",")) <= 5  # 0, 1, 2, the socket, and the listing's own
    assert found[1] == ""


def test_closing_leaves_no_process() -> None:
    """Template and readers have ended when `close` returns, whatever they were doing."""
    readers = Readers([ACT, WAIT], count=2)
    stream = readers.map((number, ask(ACT, word)) for number, word in enumerate(["pid", "loop", "loop"]))
    _, told = next(stream)
    assert isinstance(told, str)
    readers.close()
    for pid in map(int, told.split()):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


_GRADER = """
import sys
sys.path[:0] = [{tests!r}]
from test_readers_pool import ACT, WAIT
from grader.readers.job import ask
from grader.readers.pool import Readers
readers = Readers([ACT, WAIT], count=2)
try:
    for _, told in readers.map((n, ask(ACT, word)) for n, word in enumerate(["pid", "echo", "wait", "wait"])):
        print(told, file=open({out!r}, "a"), flush=True)
finally:
    if {closes}:
        readers.close()
"""


@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGKILL])
def test_readers_end_with_the_grader(tmp_path: Path, blow: signal.Signals) -> None:
    """Ctrl-C ends them by way of the grader, which closes them; a killed grader leaves none behind either."""
    out, script = tmp_path / "out", tmp_path / "script.py"
    script.write_text(_GRADER.format(tests=str(Path(__file__).parent), out=str(out), closes=blow is signal.SIGINT))
    process = subprocess.Popen([sys.executable, script], stderr=subprocess.DEVNULL, start_new_session=True)
    while not out.exists() or out.read_text().count("\n") < 2:
        assert process.poll() is None
        time.sleep(0.01)
    pids = [int(pid) for pid in out.read_text().split()]
    if blow is signal.SIGINT:
        os.killpg(process.pid, blow)
    else:
        process.kill()
    assert process.wait(30) != 0
    while any(_is_alive(pid) for pid in pids):
        time.sleep(0.01)


def _is_alive(pid: int) -> bool:
    try:
        return b") Z " not in Path(f"/proc/{pid}/stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_closed_standard_streams_are_no_obstacle(tmp_path: Path) -> None:
    """A grader that a daemon started without them reads as any other."""
    out, script = tmp_path / "out", tmp_path / "script.py"
    source = _GRADER.format(tests=str(Path(__file__).parent), out=str(out), closes=True)
    script.write_text(source.replace('"wait", "wait"', '"exit"'))
    assert subprocess.run(f"{sys.executable} {script} <&- >&- 2>&-", shell=True, check=False).returncode == 0
    assert out.read_text().count("\n") == 3


def test_big_numbers_arrive_whole() -> None:
    """A function's answer beyond 64 bits is read as it was returned."""
    same: Job[Any, Any] = Job(lambda value: [value, type(value).__name__], takes=Any, gives=Any)
    readers = Readers([same], count=1)
    assert readers.ask(ask(same, 10**400)) == [10**400, "int"]
    readers.close()


def test_an_answer_that_comes_while_the_last_errand_is_drawn_is_not_lost() -> None:
    """Who draws may ask readers itself, as the schedule does: answers to others come in meanwhile."""
    readers = Readers((DOUBLE, ACT), count=1)

    def errands() -> Iterator[tuple[int, Errand[Any]]]:
        yield 1, ask(ACT, f"echo {'x' * (8 << 20)}")  # takes the only reader longer than the grader to ask again
        assert readers.ask(ask(DOUBLE, 2)) == 4

    try:
        assert [key for key, _ in readers.map(errands())] == [1]
    finally:
        readers.close()
