"""Counts the files of grader/ whose functions run in the grader's own process while one submission is graded.

python -m bench.walk          their number
python -m bench.walk --names  the files, with how many calls each got
"""

from __future__ import annotations

import inspect
import os
import sys
import threading
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from grader.cache import touched

if TYPE_CHECKING:
    from types import FrameType

ROOT = Path(__file__).parents[1]
_SUBMISSION = ROOT / "reference" / "solutions" / "lefthand" / "WA" / "right_hand"


def walked() -> Counter[str]:
    """Grade one submission for the first time; return the files, each with its calls."""
    calls: Counter[str] = Counter()
    ours = str(ROOT / "grader") + os.sep

    def hear(frame: FrameType, event: str, _: Any) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(ours) and not _is_importing(frame) and not _is_importing(frame.f_back):
            calls[path.removeprefix(ours)] += 1

    with TemporaryDirectory() as out:
        os.environ["XDG_CACHE_HOME"] = f"{out}/cache"
        touched.watch()
        from grader.cli.group import run  # noqa: PLC0415 - importing counts for nothing

        words = ["grade", str(_SUBMISSION), "-a", "lefthand", "-o", f"{out}/out", "--progress", "none"]
        threading.setprofile(hear)
        sys.setprofile(hear)
        try:
            run(words)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    return calls


def _is_importing(frame: FrameType | None) -> bool:
    """Tell the body of a module or a class from a function."""
    return frame is not None and not frame.f_code.co_flags & inspect.CO_OPTIMIZED


if __name__ == "__main__":
    found = walked()
    if "--names" in sys.argv:
        print("\n".join(f"{times:7} {name}" for name, times in sorted(found.items())))
    print(f"{len(found)} files of grader/ run in the parent")
