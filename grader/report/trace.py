"""Cuts a traceback to the student's own code."""

from __future__ import annotations

import re

_FRAME = re.compile(r'^  File "(?P<path>[^"\n]*)", line \d+', re.MULTILINE)
_FOREIGN = re.compile(r"/lib/python\d|/site-packages/|^<frozen |/grader/|^/usr/lib/")
_LINES_KEPT = 60


def own_code(text: str) -> str:
    """Leave out the frames of Python's own modules and of the grader, and say how many; other text stays."""
    if 'File "' not in text:
        return text
    kept: list[str] = []
    skipped = 0
    foreign = False
    for line in text.split("\n"):
        frame = _FRAME.match(line)
        if frame:
            foreign = bool(_FOREIGN.search(frame["path"]))
            skipped += foreign
        elif foreign and not line.startswith("    "):
            foreign = False
        if foreign:
            continue
        if skipped:
            kept.append(f"  … {skipped} {'call' if skipped == 1 else 'calls'} outside your code …")
            skipped = 0
        kept.append(_shorten(line) if frame else line)
    return "\n".join(_middle_out(kept))


def one_telling(traceback: str, stderr: str) -> tuple[str, str]:
    """Give traceback and standard error without telling the same twice: Python prints what it raised."""
    body = traceback.rstrip("\n").rsplit("\n", 1)[0]
    printed = stderr.rstrip("\n")
    if traceback and printed.startswith(body) and "\n" not in printed[len(body) :].lstrip("\n"):
        return stderr, ""
    return traceback, stderr


def _shorten(line: str) -> str:
    """Give the file by its name alone: the sandbox's folder tells nobody anything."""
    return re.sub(r'File "[^"]*/', 'File "', line, count=1)


def _middle_out(lines: list[str]) -> list[str]:
    if len(lines) <= _LINES_KEPT:
        return lines
    half = _LINES_KEPT // 2
    return [*lines[:half], f"  … {len(lines) - 2 * half} lines left out …", *lines[-half:]]
