"""Promises about the talk with a child: one frame per call, and every breach is a fact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sandbox_bench import LEVELS, QUICK, Bench

from grader.model.run import Agent, File, RunRecord, RunRequest
from grader.model.verdict import Ending

if TYPE_CHECKING:
    from collections.abc import Iterator

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
        ("w = os.write; os.write = lambda fd, b: (w(fd, b), w(fd, b))[1]; return 2", "a frame that answers no call"),
        ("send(b'Znull'); return 2", "bytes that are no frame"),
        ("send(b'Vxxxxxxxx{'); return 2", "a frame that holds no JSON"),
        ("send(b'S\"broken\"'); return 2", "a frame that answers no call"),
        ("send(b'Gnull'); return 2", "a frame that answers no call"),
        ("os.write(3, b'\\0\\0\\0\\x09V1'); os._exit(0)", "a frame that was cut short"),
        ("os.write(3, b'\\xff\\xff\\xff\\xffV'); return 2", "a frame larger than the output may be"),
        ("os._exit(0)", "no frame for call 1"),
        ("os.close(3); return 2", "no frame for call 1"),
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
        ("10**30", 10**30),
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
