"""The machine's slots: so many gradings at once; pushes before what staff grade in bulk; the dead hold nobody up."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

from grader.submit.slots import Slots

if TYPE_CHECKING:
    from pathlib import Path

_HOLD = """
import sys, time
from pathlib import Path
from grader.submit.slots import Slots
with Slots(Path(sys.argv[1]), 1).slot(waiting=lambda: print("waits", flush=True)):
    print("held", flush=True)
    time.sleep(600)
"""


def stand(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", _HOLD, str(folder)], stdout=subprocess.PIPE, text=True)


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_a_full_machine_lets_the_next_wait(tmp_path: Path) -> None:
    """With both slots held a third worker is told to wait, and goes on when one is free."""
    slots = Slots(tmp_path, 2)
    waiting, entered = threading.Event(), threading.Event()

    def third() -> None:
        with slots.slot(waiting=waiting.set):
            entered.set()

    with slots.slot():
        with slots.slot():
            worker = threading.Thread(target=third)
            worker.start()
            assert waiting.wait(60)
            assert not entered.is_set()
        assert entered.wait(60)
        worker.join()


def test_the_killed_hold_nobody_up(tmp_path: Path) -> None:
    """Kill -9 leaves no slot taken, and no push waiting, for ever."""
    slots = Slots(tmp_path, 1)
    with stand(tmp_path) as holder, stand(tmp_path) as waiter:
        assert {said(holder), said(waiter)} == {"held", "waits"}
        assert slots.is_awaited()
        holder.kill()
        waiter.kill()
    with slots.slot(is_bulk=True):
        assert not slots.is_awaited()


def test_bulk_work_lends_its_slot_to_a_push(tmp_path: Path) -> None:
    """Between two submissions a regrade lets whoever watches go first, and then goes on; so does one that waits."""
    slots, order = Slots(tmp_path, 1), []

    def work(name: str, *, is_bulk: bool) -> None:
        with slots.slot(is_bulk=is_bulk, waiting=started[name].set):
            order.append(name)

    started = {name: threading.Event() for name in ("collect", "push")}
    with slots.bulk() as give_way:
        give_way()
        workers = [
            threading.Thread(target=work, args=[name], kwargs={"is_bulk": name == "collect"}) for name in started
        ]
        for name, worker in zip(started, workers, strict=True):
            worker.start()
            assert started[name].wait(60)
        while "push" not in order:
            give_way()
            time.sleep(0.01)
        order.append("regrade")
    for worker in workers:
        worker.join()
    assert order[0] == "push"
    assert sorted(order) == ["collect", "push", "regrade"]
