"""Cuts a Python traceback to the student's own code."""

from __future__ import annotations

import re

_FRAME = re.compile(r'^  File "(?P<path>[^"]+)", line (?P<line>\d+)(?:, in (?P<name>.+))?$', re.MULTILINE)
_LIBRARY = ("/lib/python", "<frozen", "<string>")


def place_of(traceback: str) -> str:
    """Say where the student's code failed: `at line 12 of maze_solver.py, in solve`."""
    frames = [match for match in _FRAME.finditer(traceback) if not any(part in match["path"] for part in _LIBRARY)]
    if not frames:
        return ""
    last = frames[-1]
    name = last["path"].rsplit("/", 1)[-1]
    inside = f", in {last['name']}" if last["name"] and last["name"] != "<module>" else ""
    return f"at line {last['line']} of {name}{inside}"


def summary_of(stderr: str) -> str:
    """Give the last line that says something."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""
