"""Errors that a person caused and can mend.

    Exception
    └── GraderError            one or two clear lines, an exit status, never a traceback
        ├── UsageError         the command line asks for something that isn't there   (2)
        │   └── TagError       a pushed tag that its pusher can fix
        ├── CatalogueError     faults in YAML, inputs or kits; carries every fault     (3)
        ├── RefusedError       the regulations say no                                 (4)
        ├── SandboxError       this machine can't isolate as asked; our fault        (70)
        ├── BookError          the gradebook can't be used just now                  (70)
        │   └── LostLeaseError another worker took the attempt over
        ├── HostError          GitLab or GitHub didn't do what was asked             (70)
        └── ReportError        a result is in the book, its files aren't written     (70)

A student's fault is never an exception: it is a Finding or a Verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that staff must mend, with its place."""

    message: str
    path: str = ""
    line: int = 0
    column: int = 0
    hint: str = ""

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part)
        lines = [f"{place}: {self.message}" if place else self.message]
        if self.hint:
            lines.append(f"  {self.hint}")
        return "\n".join(lines)


class GraderError(Exception):
    """Something that a person can mend."""

    exit_status = 70

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  {self.hint}" if self.hint else self.message


class UsageError(GraderError):
    exit_status = 2


class CatalogueError(GraderError):
    """Every fault that a loader found, in the order of the files."""

    exit_status = 3

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class RefusedError(GraderError):
    exit_status = 4


class SandboxError(GraderError):
    exit_status = 70
