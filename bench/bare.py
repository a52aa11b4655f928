"""Runs programs in bare forks of a warm interpreter, with no wall, no limits, no record: the least that can be done.

python3 -I -S bare.py STDIN <list    with a program in each line
"""

from __future__ import annotations

import gc
import os
import sys
from types import CodeType  # noqa: TC003 - `typing` would make every fork dearer


def main() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    stdin = sys.argv[1]
    asked = sys.stdin.read().splitlines()
    gc.freeze()
    for path in asked:
        pid = os.fork()
        if not pid:
            os.dup2(os.open(stdin, os.O_RDONLY), 0)
            os.dup2(nowhere, 1)
            exec(_compiled(path), {"__name__": "__main__"})
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
