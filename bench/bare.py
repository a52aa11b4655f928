"""Runs programs in bare forks of a warm interpreter, with no wall, no limits, no record: the least that can be done.

python3 -I -S bare.py STDIN [once] <list    with a program in each line; `once` compiles each program once
"""

from __future__ import annotations

import gc
import os
import sys
from types import CodeType  # noqa: TC003 - `typing` would make every fork dearer


def main() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    stdin, is_once = sys.argv[1], "once" in sys.argv
    asked = sys.stdin.read().splitlines()
    compiled = {path: _compiled(path) for path in asked} if is_once else {}
    gc.freeze()
    for path in asked:
        pid = os.fork()
        if not pid:
            os.dup2(os.open(stdin, os.O_RDONLY), 0)
            os.dup2(nowhere, 1)
            exec(compiled[path] if is_once else _compiled(path), {"__name__": "__main__"})
            sys.stdout.flush()
            os._exit(0)
        if os.waitpid(pid, 0)[1]:
            sys.exit(f"{path} failed")


def _compiled(path: str) -> CodeType:
    with open(path, "rb") as file:  # noqa: PTH123 - nothing is imported that the fork would have to copy
        code: CodeType = compile(file.read(), path, "exec")
    return code


if __name__ == "__main__":
    main()
