"""Cuts Python tracebacks to the student's own code."""

from __future__ import annotations

import re
from typing import NamedTuple

_FRAME = re.compile(
    r'^  File "(?P<path>[^"\n]{1,1024}+)", line (?P<line>\d{1,9}+)(?:, in (?P<name>.{1,256}+))?$', re.MULTILINE
)
_FOREIGN = re.compile(r"/lib/python\d|/site-packages/|^<frozen |^<sandbox>|/grader/|^/usr/lib/")
_LINES_KEPT = 60


class Frame(NamedTuple):
    """One call of the student's own code."""

    path: str
    line: int
    name: str
    """The function; empty for the file itself, and where Python couldn't read the line."""


def own_frames(traceback: str) -> list[Frame]:
    """Return the calls in the student's own code, the innermost last."""
    own = (frame for frame in _FRAME.finditer(traceback) if not _is_foreign(frame) and frame["path"] != "<string>")
    return [Frame(frame["path"], int(frame["line"]), _function(frame["name"])) for frame in own]


def _function(name: str | None) -> str:
    return "" if name is None or name == "<module>" else name


def place_of(traceback: str) -> str:
    """Say where the student's code failed: `at line 12 of maze_solver.py, in solve`."""
    own = own_frames(traceback)
    if not own:
        return ""
    inside = f", in {own[-1].name}" if own[-1].name else ""
    return f"at line {own[-1].line} of {own[-1].path.rsplit('/', 1)[-1]}{inside}"


def summary_of(stderr: str) -> str:
    """Return the last line that says something."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""


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
            foreign = _is_foreign(frame)
            skipped += foreign
        elif foreign and not line.startswith("    "):
            foreign = False
        if foreign:
            continue
        if skipped:
            kept.append(f"  … {skipped} {'call' if skipped == 1 else 'calls'} outside your code …")
            skipped = 0
        kept.append(_shorten(line) if frame else _without_folder(line))
    return "\n".join(_middle_out(kept))


def one_telling(traceback: str, stderr: str) -> tuple[str, str]:
    """Return traceback and standard error without telling the same twice: Python prints what it raised."""
    body = traceback.rstrip("\n").rsplit("\n", 1)[0]
    printed = stderr.rstrip("\n")
    if traceback and printed.startswith(body) and "\n" not in printed[len(body) :].lstrip("\n"):
        return stderr, ""
    return traceback, stderr


def _is_foreign(frame: re.Match[str]) -> bool:
    return _FOREIGN.search(frame["path"]) is not None


def _shorten(line: str) -> str:
    """Return the file by its name alone: the sandbox's folder tells nobody anything."""
    return re.sub(r'File "[^"]*/', 'File "', line, count=1)


def _without_folder(line: str) -> str:
    """Return Python's words on a file that isn't UTF-8 with the file by its name alone."""
    if not line.startswith("SyntaxError: Non-UTF-8 code"):
        return line
    what, _, rest = line.partition(" in file ")
    path, on, where = rest.partition(" on line ")
    return f"{what} in file {path.rsplit('/', 1)[-1]}{on}{where}"


def _middle_out(lines: list[str]) -> list[str]:
    if len(lines) <= _LINES_KEPT:
        return lines
    half = _LINES_KEPT // 2
    return [*lines[:half], f"  … {len(lines) - 2 * half} lines left out …", *lines[-half:]]
