"""The machine's line: first come, first graded; pushes before what staff grade in bulk; the dead hold nobody up."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

from grader.submit.queue import Queue, Rank, bulk

if TYPE_CHECKING:
    from pathlib import Path

_STAND = """
import sys, time
from pathlib import Path
from grader.submit.queue import Queue
queue = Queue(Path(sys.argv[1]), 1)
with queue.slot(arrived_ns=int(sys.argv[2]), waiting=lambda: print("waits", flush=True)):
    print("held", flush=True)
    time.sleep(600)
"""


def stand(folder: Path, arrived_ns: int = 1) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _STAND, str(folder), str(arrived_ns)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def until(claim: object) -> None:
    while not claim():  # type: ignore[operator]
        time.sleep(0.01)


def test_a_full_machine_lets_the_next_wait(tmp_path: Path) -> None:
    """With both slots held a third worker is told to wait, and goes on when one is free."""
    queue = Queue(tmp_path, 2)
    waiting, entered = threading.Event(), threading.Event()

    def third() -> None:
        with queue.slot(waiting=waiting.set):
            entered.set()

    with queue.slot():
        with queue.slot():
            worker = threading.Thread(target=third)
            worker.start()
            assert waiting.wait(60)
            assert not entered.is_set()
        assert entered.wait(60)
        worker.join()
    assert queue.length() == 0


def test_those_in_line_are_served_as_they_came(tmp_path: Path) -> None:
    """Whatever the order in which they step up, the earliest arrival goes first, and bulk work last."""
    queue, served = Queue(tmp_path, 1), []
    places = [(rank, arrived) for rank in Rank for arrived in range(1, 21)]

    def one(rank: Rank, arrived: int) -> None:
        with queue.slot(rank=rank, arrived_ns=arrived):
            served.append((rank, arrived))

    with queue.slot():
        workers = [threading.Thread(target=one, args=each) for each in random.Random(7).sample(places, len(places))]
        for worker in workers:
            worker.start()
        until(lambda: queue.length() == len(places))
    for worker in workers:
        worker.join()
    assert served == places


def test_a_killed_holder_frees_its_slot(tmp_path: Path) -> None:
    """Kill -9 leaves no slot taken for ever."""
    with stand(tmp_path) as holder:
        assert said(holder) == "held"
        holder.kill()
    with Queue(tmp_path, 1).slot():
        pass


def test_a_killed_waiter_holds_nobody_up(tmp_path: Path) -> None:
    """Whoever stands behind a dead one goes on; the ticket is taken away."""
    queue = Queue(tmp_path, 1)
    with queue.slot(), stand(tmp_path) as waiter:
        assert said(waiter) == "waits"
        waiter.kill()
        waiter.wait()
    with queue.slot(arrived_ns=2):
        pass
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith("slot")] == []


def test_bulk_work_lends_its_slot_to_a_push(tmp_path: Path) -> None:
    """Between two submissions a regrade lets whoever watches go first, and then goes on."""
    queue, order = Queue(tmp_path, 1), []

    def push() -> None:
        with queue.slot():
            order.append("push")

    with bulk(queue) as give_way:
        give_way()
        worker = threading.Thread(target=push)
        worker.start()
        until(queue.is_awaited)
        give_way()
        order.append("regrade")
        worker.join()
    assert order == ["push", "regrade"]
