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
from grader.model.run import File, Limits
from grader.model.verdict import Audience, HiddenOutcomes, Level, Visibility

Json = Any
Word = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=80)]
"""A name in lower case."""
Text = Annotated[str, Meta(min_length=1)]


class RunAs(StrEnum):
    """The three ways to run a solution."""

    PROGRAM = "program"
    FUNCTION = "function"
    AGENT = "agent"


class RunSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one kind of case is run; in argv, stdin and args `{file}` is the input file's name, `{input}` its text.

    A function's `args` may be left out: then the kit's `calls` gives them.
    """

    run_as: RunAs = msgspec.field(name="as")
    """As a program, as a function called once per tuple of arguments, or as an agent called once per tick."""
    module: str
    """The student's file, such as `maze_solver.py`."""
    argv: tuple[str, ...] = ()
    """A program's arguments."""
    stdin: str = ""
    """What a program reads from standard input: `"{file}\\n"`, or `"{input}"`."""
    function: str = ""
    """Name of the function to call."""
    args: tuple[Json, ...] | None = None
    """A function's arguments; left out: the kit's."""
    file: str = "maze.txt"
    """Name under which the program finds its input; empty for no input file."""
    exit_status: tuple[int, ...] = (0,)
    """Exit statuses of a program that are no error."""


class RunChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one case changes about the run of its kind; what is left out stays."""

    argv: tuple[str, ...] | None = None
    """A program's arguments."""
    stdin: str | None = None
    """What a program reads from standard input."""
    args: tuple[Json, ...] | None = None
    """A function's arguments."""
    file: str | None = None
    """Name under which the program finds its input; empty for no input file."""
    exit_status: tuple[int, ...] | None = None
    """Exit statuses of a program that are no error."""

    def over(self, run: RunSpec) -> RunSpec:
        """Return the run with these changes."""
        given = {name: value for name, value in msgspec.structs.asdict(self).items() if value is not None}
        return msgspec.structs.replace(run, **given)


class KindSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kind of case: how it runs, which kit reads it, which judge decides."""

    run: RunSpec
    """How a solution is run."""
    kit: Annotated[str, Meta(min_length=1)] = "text"
    """The kit's import path, such as `reference.lefthand`, or its name among the `maze_grader.kits` entry points;
    left out: the input is a text, and the cases have the answers."""
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
    notebook: bool = False
    """Whether a Jupyter notebook may be handed in instead: its code cells are the file."""


class RubricItem(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that people judge, beside what the cases do."""

    id: Word
    """A short name, unique in the rubric."""
    title: Text
    """What is judged, in a few words that a student reads."""
    points: Annotated[float, Meta(ge=-1_000_000, le=1_000_000)]
    """The most that is given for it; for a deduction the most that is taken, as a negative number."""
    description: str = ""
    """What full marks ask for."""


class CaseFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What reports tell of a case besides how it went; results and views carry it whole."""

    id: str
    title: str
    points: float = 1.0
    """What the case is worth."""
    visibility: Visibility = Visibility.VISIBLE
    hint: str = ""
    tags: tuple[str, ...] = ()
    group: str = ""
    """Cases of a group are scored together."""
    bonus: bool = False
    """Its points come on top: without them a submission can still have all."""

    @property
    def worth(self) -> float:
        """What it adds to the points that can be reached without a bonus."""
        return 0.0 if self.bonus else self.points


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One question put to a submission."""

    facts: CaseFacts
    kind: Kind
    limits: Limits = Limits()
    input: str
    """The input as text, whether it stood inline or in a file."""
    raw: bytes
    """The very bytes the student's program reads."""
    beside: tuple[File, ...] = ()
    """Other files that the program finds in its folder."""
    after: tuple[str, ...] = ()
    """Ids of the cases that must be right before this one is run."""
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


class RuleName(StrEnum):
    """Rules of the policy scan whose reason a course may put in its own words."""

    BANNED_BUILTIN = "banned-builtin"
    BANNED_IMPORT = "banned-import"
    BANNED_SYNTAX = "banned-syntax"
    BANNED_USE = "banned-use"
    MAX_LINES = "max-lines"
    ONLY = "only"
    RECURSION = "recursion"
    REQUIRED = "required"


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


class RuleCase(msgspec.Struct, frozen=True, kw_only=True):
    """A case that looks at the source alone."""

    facts: CaseFacts
    policy: PolicySpec

    @property
    def id(self) -> str:
        return self.facts.id


class GroupScore(StrEnum):
    """How the cases of a group are scored together."""

    SUM = "sum"
    MIN = "min"
    ALL = "all"


class Group(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Cases that are scored together; without a group, every case counts for itself."""

    score: GroupScore = GroupScore.SUM
    """`sum`: each its own points; `min`: each the share of the weakest; `all`: all of their points or none."""
    stop: bool = False
    """Whether the first case that fails ends the group: its later ones are skipped."""


class Feedback(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When students see each part of a case that they may see at all: `shown`, `after_due` or `never`."""

    verdict: HiddenOutcomes = HiddenOutcomes.SHOWN
    """Right or wrong, and in which way."""
    points: HiddenOutcomes = HiddenOutcomes.SHOWN
    """What the case earned; the sum has only points that are shown."""
    message: HiddenOutcomes = HiddenOutcomes.SHOWN
    """Why it is wrong, and the hint."""
    diff: HiddenOutcomes = HiddenOutcomes.SHOWN
    """The expected answer beside the student's, and the drawing of both."""
    output: HiddenOutcomes = HiddenOutcomes.SHOWN
    """What the program printed, and its traceback."""
    input: HiddenOutcomes = HiddenOutcomes.SHOWN
    """The input, and the drawing."""
    time: HiddenOutcomes = HiddenOutcomes.SHOWN
    """Time and memory."""

    def untold(self, audience: Audience) -> frozenset[str]:
        """Return the parts that this reader doesn't see; what would tell the verdict goes with it."""
        names = {name for name in self.__struct_fields__ if not getattr(self, name).are_told(audience)}
        return frozenset(names | {"message", "diff", "output"} if "verdict" in names else names)


class HuntBy(StrEnum):
    ANYONE = "anyone"
    STAFF = "staff"


class Homework(msgspec.Struct, frozen=True, kw_only=True):
    """What an assignment and its file say in the same words."""

    title: Text
    """The homework's name as students know it."""
    about: str = ""
    """One or two sentences about it."""
    files: Annotated[tuple[Handin, ...], Meta(min_length=1)]
    """The files that students hand in."""
    policy: PolicySpec = PolicySpec()
    """The rules about the source: banned modules and the like."""
    packages: tuple[Text, ...] = ()
    """Third-party packages that students may import, in any version or in some: `[numpy>=2, networkx]`."""
    limits: Limits = Limits()
    """What one run may use; each case may override each."""
    timeouts: Annotated[int, Meta(gt=0)] = 2
    """So many cases run to a limit of time or output in vain; others that take too long are stopped early (SK)."""
    hidden_outcomes: HiddenOutcomes = HiddenOutcomes.SHOWN
    """Whether students learn how they did on cases they may not see: at once, after the due date, or never."""
    groups: dict[Word, Group] = {}
    """Groups of cases that are scored together, by name."""
    feedback: Feedback = Feedback()
    """What students see of the cases that they may see, field by field."""
    regulations: Regulations = Regulations()
    """Due date, attempts and what lateness costs."""
    rubric: tuple[RubricItem, ...] = ()
    """What people judge beside the cases; `grader book rubric` writes the sheet to fill."""
    hunt: HuntBy = HuntBy.ANYONE
    """Who may use `grader hunt` on this assignment."""
    require_isolation: Level = Level.CONFINED
    """The weakest sandbox in which marks are given; a weaker one than `confined` lets programs read the answers."""
    starter: str = ""
    """The file that students begin with, below this folder."""


class Assignment(Homework, frozen=True, kw_only=True):
    """Everything that a course says about one homework."""

    name: str
    kinds: dict[str, Kind]
    cases: tuple[Case, ...] = ()
    rules: tuple[RuleCase, ...] = ()
    """Cases that look at the source alone; reports show them after the others."""
    folder: Path | None = None

    @property
    def started(self) -> tuple[str, ...]:
        """The files that are run: what they don't import isn't part of the program."""
        return tuple({kind.run.module: None for kind in self.kinds.values()})

    @property
    def max_points(self) -> float:
        return sum(facts.worth for facts in self.facts)

    @property
    def facts(self) -> tuple[CaseFacts, ...]:
        """Of all cases, in the order of reports: first those that are run, then those that look at the source."""
        return (*(case.facts for case in self.cases), *(rule.facts for rule in self.rules))

    @property
    def rubric_points(self) -> float:
        """What people can give by the rubric; a deduction adds nothing to it."""
        return sum(max(0.0, item.points) for item in self.rubric)

    def hides_outcomes(self, audience: Audience) -> bool:
        """Tell whether some cases' outcomes, and so every sum that holds them, are kept from this reader."""
        is_told = audience is Audience.STAFF or self.hidden_outcomes.are_told(audience)
        return not is_told and any(facts.visibility is not Visibility.VISIBLE for facts in self.facts)
