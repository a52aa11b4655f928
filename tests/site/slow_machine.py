"""Makes a browser slow as a phone is: stops all its processes for most of the time.

The throttling of Chromium's own tools reaches only the page's thread, and the programs run in workers.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

_TURN_S = 0.04
_LOOK_S = 1.0
"""How often it looks for new processes."""


@contextmanager
def slowed(browser: Browser, times: int) -> Iterator[None]:
    """Give every process that draws pages or runs programs one share of the time in so many."""
    session = browser.new_browser_cdp_session()
    told = session.send("SystemInfo.getProcessInfo")["processInfo"]
    root = next(each["id"] for each in told if each["type"] == "browser")
    over = threading.Event()
    thread = threading.Thread(target=_slow, args=(root, times, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _slow(root: int, times: int, over: threading.Event) -> None:
    looked, pids = 0.0, []
    while not over.is_set():
        if time.monotonic() - looked > _LOOK_S:
            looked, pids = time.monotonic(), list(_renderers(root))
        _send(pids, signal.SIGSTOP)
        over.wait(_TURN_S * (times - 1) / times)
        _send(pids, signal.SIGCONT)
        over.wait(_TURN_S / times)


def _send(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _renderers(root: int) -> Iterator[int]:
    parents = {}
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(path.name)] = int((path / "stat").read_text().rpartition(")")[2].split()[1])
    for pid in parents:
        above = pid
        while above in parents and above != root:
            above = parents[above]
        with contextlib.suppress(OSError):
            if above == root and b"--type=renderer" in (Path("/proc") / str(pid) / "cmdline").read_bytes():
                yield pid
