"""Starts the students' kit: the one file in it that any Python 3 must be able to read.

It refuses a Python that is too old with a sentence, lays the modules out in a scratch folder, where they find their
data files beside them, and ends without a traceback when it is stopped.
"""

import os
import signal
import sys
import tempfile
import zipfile


def start() -> int:
    """Check the interpreter, unpack, run."""
    if sys.version_info < (3, 11):
        return _refuse("it needs Python 3.11 or newer; this is Python %d.%d" % sys.version_info[:2])
    try:
        with tempfile.TemporaryDirectory(prefix="grader-kit-", ignore_cleanup_errors=True) as folder:
            try:
                return _run(folder)
            finally:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C leaves nothing behind, either
    except KeyboardInterrupt:
        print("\ncheck: stopped", file=sys.stderr)
        return 130


def _run(folder: str) -> int:
    with zipfile.ZipFile(os.path.dirname(os.path.abspath(__file__))) as archive:
        archive.extractall(folder)
    sys.path[0] = folder
    try:
        from grader.handout.program import main  # noqa: PLC0415 - it isn't there before it is unpacked

        status = main(scratch=folder)
        sys.stdout.flush()
    except BrokenPipeError:  # `| head` has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def _refuse(reason: str) -> int:
    print("check: " + reason, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(start())
