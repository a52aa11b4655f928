"""The command line's front door."""

from __future__ import annotations


def main() -> None:
    raise SystemExit("grader: no command is built yet")
