"""The catalogue's files as they are written: every key, its type, its meaning.

These structs are the one source of the loader's checks, the JSON Schema and docs/catalogue.md. A field's docstring
is its description there.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from grader.model.assignment import Expect, Handin, HuntBy, PolicySpec, RunSpec
from grader.model.regulations import Regulations
from grader.model.run import Limits
from grader.model.verdict import Visibility

FORMAT = 1
FORMATS = {1: "The first format."}
"""Format number → what it changed."""

Json = Any
Word = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=80)]
Text = Annotated[str, Meta(min_length=1)]
Points = Annotated[float, Meta(ge=0)]
Fraction = Annotated[float, Meta(ge=0, le=1)]


class KindFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kind of case: how it runs, which kit reads it, which judge decides."""

    run: RunSpec
    """How a solution is run."""
    kit: Text
    """The kit's import path, such as `reference.lefthand`, or its name among the `maze_grader.kits` entry points."""
    rules: dict[str, Json] = {}
    """The puzzle's rules, given to the kit: `{start_colour: applied}`."""
    judge: Text
    """`transcript`, `path`, `value`, `moves`, `play`, `stdout`, or the import path of a judge of your own."""
    options: dict[str, Json] = {}
    """The judge's tolerances; a case may override each."""


class AssignmentFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`cases/<name>/assignment.yaml`: everything a course says about one homework."""

    format: Literal[1]
    """The version of this format."""
    title: Text
    """The homework's name as students know it."""
    about: str = ""
    """One or two sentences about it."""
    files: Annotated[tuple[Handin, ...], Meta(min_length=1)]
    """The files that students hand in."""
    kinds: Annotated[dict[Word, KindFile], Meta(min_length=1)]
    """The kinds of case, by name; a case that names none is of the first kind."""
    policy: PolicySpec = PolicySpec()
    """The rules about the source: banned modules and the like."""
    packages: tuple[Text, ...] = ()
    """Third-party packages that students may import."""
    limits: Limits = Limits()
    """What one run may use; each case may override each."""
    points: Points = 1.0
    """What a case is worth that doesn't say so itself."""
    visibility: Visibility = Visibility.VISIBLE
    """Who may see a case that doesn't say so itself."""
    regulations: Regulations = Regulations()
    """Due date, attempts and what lateness costs."""
    hunt: HuntBy = HuntBy.ANYONE
    """Who may use `grader hunt` on this assignment."""
    starter: str = ""
    """The file that students begin with, below this folder."""


class CaseEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One case: an input, the answer key, and what it is worth."""

    id: Word
    """A short name, unique in the assignment: lower-case letters, digits, `-`, `_`, `.`."""
    title: Text
    """What the case is about, in a few words that a student may read."""
    kind: Word | None = None
    """The kind of case; left out: the assignment's first kind."""
    points: Points | None = None
    """What it is worth; left out: the assignment's `points`."""
    visibility: Visibility | None = None
    """When a student may see it; left out: the assignment's `visibility`."""
    tags: tuple[Text, ...] = ()
    """Words to group and pick cases by."""
    hint: str = ""
    """What to try when it fails."""
    limits: Limits = Limits()
    """Laid over the assignment's limits, key by key."""
    maze: str | None = None
    """The input itself, as a block of text (`maze: |`). Give this or `maze_file`."""
    maze_file: Text | None = None
    """A file below the assignment's folder that holds the input, byte for byte."""
    expect: Expect = Expect()
    """The answer key; `grader cases record` fills it from the reference solver."""
    options: dict[str, Json] = {}
    """Laid over the judge options of the kind, key by key."""
    partial: dict[str, Fraction] = {}
    """Part of the answer → fraction of the points when only that part is right: `{path: 0.5, count: 0.25}`."""


class CaseFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`cases/<name>/*.yaml`: some of the assignment's cases."""

    format: Literal[1]
    """The version of this format."""
    cases: tuple[CaseEntry, ...]
    """The cases, in the order in which they are shown."""
