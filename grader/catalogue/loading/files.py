"""The catalogue's files as they are written: every key, its type, its meaning.

These structs are the one source of the loader's checks, the JSON Schema and docs/catalogue.md. A field's docstring
is its description there.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from grader.model.assignment import Homework, KindSpec, PolicySpec, RunChange, Text, Word
from grader.model.run import Limits
from grader.model.verdict import Visibility

FORMATS = {1: "The first format."}
"""Format number → what it changed."""

Json = Any
Points = Annotated[float, Meta(ge=0, le=1_000_000)]
Fraction = Annotated[float, Meta(ge=0, le=1)]


class AssignmentFile(Homework, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`cases/<name>/assignment.yaml`: everything a course says about one homework."""

    format: Literal[1]
    """The version of this format."""
    kinds: Annotated[dict[Word, KindSpec], Meta(min_length=1)]
    """The kinds of case, by name; a case that names none is of the first kind."""
    points: Points = 1.0
    """What a case is worth that doesn't say so itself."""
    visibility: Visibility = Visibility.VISIBLE
    """Who may see a case that doesn't say so itself."""


class InputFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of a case that lies in the assignment's folder."""

    path: Text
    """Where it lies, below the assignment's folder."""


class Generate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Cases that the kit makes: the same ones for the same seed, on every machine and every Python."""

    seed: Text | int
    """Any word or number, such as the term; another one gives other cases."""
    count: Annotated[int, Meta(ge=1, le=200)] = 1
    """How many; their ids are the case's own with `-1`, `-2`, … behind it."""
    size: Annotated[int, Meta(ge=1)] | None = None
    """How large each is, in the kit's own measure; left out: as the kit draws it."""
    shapes: tuple[Text, ...] = ()
    """The sorts of puzzles to take in turn (`grader cases shapes` lists them); left out: all that can be had."""


class CaseEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One case: an input, the answer key, and what it is worth."""

    FORMER: ClassVar = {"maze": "input", "maze_file": "input_file"}
    # keys of an earlier day → the keys that replace them

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
    input: str | None = None
    """The input itself, as a block of text (`input: |`). Give this or `input_file`."""
    input_file: Text | None = None
    """A file below the assignment's folder that holds the input, byte for byte."""
    generate: Generate | None = None
    """Makes cases instead of naming one input; the kit is asked for their answers, too."""
    beside: dict[Text, str | InputFile] = {}
    """Other files that the program finds, by name: the text itself, or `{path: data/words.txt}`."""
    run: RunChange = RunChange()
    """What this case changes about the run of its kind: `{stdin: "3\\n4\\n"}`, `{argv: [-v, "{file}"]}`."""
    policy: PolicySpec | None = None
    """Makes the case a look at the source: right when nothing is found, nothing is run. It has no input then."""
    after: tuple[Word, ...] = ()
    """Cases that must be right before this one is run; otherwise it is skipped."""
    group: Word = ""
    """The group that it is scored with; see `groups`."""
    bonus: bool = False
    """Whether its points come on top of what can be reached."""
    expect: dict[str, Json] = {}
    """The answer key, as the judge or the kit wants it; `grader cases record` fills it from the reference solver."""
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
