"""The catalogue's values: an assignment, its kinds of case, its cases.

These structs are what the loader gives to everyone else: paths are read, texts are in place, defaults are filled.
"""

from __future__ import annotations

import builtins
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from grader.model.regulations import Regulations
from grader.model.run import Limits
from grader.model.verdict import Visibility

Json = Any


class RunAs(StrEnum):
    """The three ways to run a solution."""

    PROGRAM = "program"
    FUNCTION = "function"
    AGENT = "agent"


class RunSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one kind of case is run; `{file}` in argv, stdin and args is the input file's name.

    A function's `args` may be left out: then the kit's `calls` gives them.
    """

    run_as: RunAs = msgspec.field(name="as")
    """As a program, as a function called once per tuple of arguments, or as an agent called once per tick."""
    module: str
    """The student's file, such as `maze_solver.py`."""
    argv: tuple[str, ...] = ()
    """A program's arguments."""
    stdin: str = ""
    """What a program reads from standard input."""
    function: str = ""
    """Name of the function to call."""
    args: tuple[Json, ...] | None = None
    """A function's arguments; left out: the kit's."""
    file: str = "maze.txt"
    """Name under which the program finds its input; empty for no input file."""
    exit_status: tuple[int, ...] = (0,)
    """Exit statuses of a program that are no error."""


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of case: how it runs, which kit reads it, which judge decides."""

    name: str
    run: RunSpec
    kit: str
    """Import path of the kit's module; it has `kit(**rules)`."""
    rules: dict[str, Json] = {}
    judge: str
    """`transcript`, `path`, `value`, `moves`, `play`, `stdout`, or an import path."""
    options: dict[str, Json] = {}
    """The judge's tolerances; a case may override each."""


class Handin(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file that students hand in."""

    name: str
    """The file's name, such as `maze_solver.py`."""
    required: bool = True
    """Whether a submission without it can't be graded."""
    about: str = ""
    """What the file is for, in a few words."""


class Expect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The answer key of one case. It never leaves the parent process."""

    steps: Annotated[int, Meta(ge=-1)] | None = None
    """Fewest moves; -1 for no solution."""
    transcript: str | None = None
    """Path of the `.out` file (or `.out.gz`), read as a stream; a judge without it asks the kit."""
    moves: tuple[int, ...] | None = None
    """The exact moves, one per map."""
    outcome: dict[str, Json] | None = None
    """How a game ends."""
    value: Json = None
    """What the function returns, as plain data."""
    stdout: str | None = None
    """What the program prints."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One question put to a submission."""

    id: str
    title: str
    kind: Kind
    points: float = 1.0
    visibility: Visibility = Visibility.VISIBLE
    tags: tuple[str, ...] = ()
    hint: str = ""
    limits: Limits = Limits()
    maze: str
    """The input as text, whether it stood inline or in a file."""
    raw: bytes
    """The very bytes the student's program reads."""
    expect: Expect
    options: dict[str, Json] = {}
    """The kind's judge options with this case's own laid over them."""
    partial: dict[str, float] = {}
    """Part of the answer → fraction of the points when only that part is right."""
    path: str = ""
    line: int = 0


class PolicyCost(StrEnum):
    """What a certain finding costs."""

    CASE = "case"
    POINTS = "points"
    WARNING = "warning"


class Clause(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of a policy's list, with the course's own words for it."""

    name: str
    """The entry itself, such as `itertools`."""
    message: str = ""
    """What a student reads when it is found."""


class Recursion(StrEnum):
    REQUIRED = "required"
    FORBIDDEN = "forbidden"


class PolicySpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The assignment's rules about the source; docs/policy explains each.

    An entry of a list is a text, or `{name: …, message: …}` with the course's own words.
    """

    ban: tuple[str | Clause, ...] = ()
    """Modules (`itertools`), names in them (`functools.reduce`), builtins (`eval`)."""
    no: tuple[str | Clause, ...] = ()
    """Syntax that may not be used: `global`, `while True`, `lambda`, …"""
    require: tuple[str | Clause, ...] = ()
    """What must be there: `class Maze`, `def solve`, `import random`, `for`, …"""
    recursion: Recursion | None = None
    """Whether a function must, or may not, call itself."""
    max_lines: Annotated[int, Meta(gt=0)] | None = None
    """The most lines of code that the handed-in files may have together."""
    cost: PolicyCost = PolicyCost.CASE
    """What a certain finding costs: every case, some points, or nothing but a warning."""
    points: Annotated[float, Meta(ge=0)] = 0.0
    """With `cost: points`: how many are taken off, once."""
    run_time: bool = False
    """Also watch the banned modules while the program runs."""
    messages: dict[str, str] = {}
    """Own message per rule (`recursion`, `max-lines`) or entry (`itertools`)."""

    @property
    def watched(self) -> tuple[str, ...]:
        """The banned modules to watch while the program runs."""
        names = (entry if isinstance(entry, str) else entry.name for entry in self.ban)
        return tuple(name for name in names if not hasattr(builtins, name)) if self.run_time else ()


class HuntBy(StrEnum):
    ANYONE = "anyone"
    STAFF = "staff"


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a course says about one homework."""

    name: str
    title: str
    about: str = ""
    files: tuple[Handin, ...]
    kinds: dict[str, Kind]
    policy: PolicySpec = PolicySpec()
    packages: tuple[str, ...] = ()
    """Third-party packages that students may import."""
    limits: Limits = Limits()
    regulations: Regulations = Regulations()
    hunt: HuntBy = HuntBy.ANYONE
    starter: str = ""
    cases: tuple[Case, ...] = ()
    folder: Path | None = None

    @property
    def max_points(self) -> float:
        return sum(case.points for case in self.cases)
