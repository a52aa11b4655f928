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

from grader.model.kit import Expect  # noqa: F401 - kits look for it here, too
from grader.model.regulations import Regulations
from grader.model.run import Limits
from grader.model.verdict import Audience, HiddenOutcomes, Visibility

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


class KindSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kind of case: how it runs, which kit reads it, which judge decides."""

    run: RunSpec
    """How a solution is run."""
    kit: Annotated[str, Meta(min_length=1)]
    """The kit's import path, such as `reference.lefthand`, or its name among the `maze_grader.kits` entry points."""
    rules: dict[str, Json] = {}
    """The puzzle's rules, given to the kit: `{start_colour: applied}`."""
    judge: Annotated[str, Meta(min_length=1)]
    """`claim`, `transcript`, `value`, `stdout`, or the import path of a judge of your own."""
    options: dict[str, Json] = {}
    """The judge's tolerances; a case may override each."""


class Kind(KindSpec, frozen=True, kw_only=True):
    """A kind of case with the name that its assignment gives it."""

    name: str


class Handin(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file that students hand in."""

    name: str
    """The file's name, such as `maze_solver.py`."""
    required: bool = True
    """Whether a submission without it can't be graded."""
    about: str = ""
    """What the file is for, in a few words."""


class CaseFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What reports tell of a case besides how it went; results and views carry it whole."""

    id: str
    title: str
    points: float = 1.0
    """What the case is worth."""
    visibility: Visibility = Visibility.VISIBLE
    hint: str = ""
    tags: tuple[str, ...] = ()


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One question put to a submission."""

    facts: CaseFacts
    kind: Kind
    limits: Limits = Limits()
    input: str
    """The input as text, whether it stood inline or in a file."""
    raw: bytes
    """The very bytes the student's program reads."""
    expect: Any = None
    """The answer key as the judge's or the kit's `Expect`; None when the kit is asked. It never leaves the parent."""
    options: dict[str, Json] = {}
    """The kind's judge options with this case's own laid over them."""
    partial: dict[str, float] = {}
    """Part of the answer → fraction of the points when only that part is right."""
    path: str = ""
    line: int = 0

    @property
    def id(self) -> str:
        return self.facts.id


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
    only: tuple[str | Clause, ...] | None = None
    """The only modules that may be imported (`[math, random]`); own files always may."""
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
    timeouts: int = 2
    """Cases at a time limit after which a submission's other cases are skipped."""
    regulations: Regulations = Regulations()
    hidden_outcomes: HiddenOutcomes = HiddenOutcomes.SHOWN
    hunt: HuntBy = HuntBy.ANYONE
    starter: str = ""
    cases: tuple[Case, ...] = ()
    folder: Path | None = None

    @property
    def started(self) -> tuple[str, ...]:
        """The files that are run: what they don't import isn't part of the program."""
        return tuple({kind.run.module: None for kind in self.kinds.values()})

    @property
    def max_points(self) -> float:
        return sum(case.facts.points for case in self.cases)

    def hides_outcomes(self, audience: Audience) -> bool:
        """Tell whether some cases' outcomes, and so every sum that holds them, are kept from this reader."""
        is_told = audience is Audience.STAFF or self.hidden_outcomes.are_told(audience)
        return not is_told and any(case.facts.visibility is not Visibility.VISIBLE for case in self.cases)
