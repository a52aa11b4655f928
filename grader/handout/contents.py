"""What a students' kit has inside: the assignment, its visible cases, and what it may say about hidden ones."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

import grader
from grader.handout.released import Withheld, released_kit
from grader.judge.registry import expect_struct, find
from grader.model.assignment import Assignment, Case
from grader.model.run import File, How
from grader.pipeline.prepare import Prepared
from grader.pipeline.speed import stretched

DATA, ANSWERS = "kit.json", "answers.json"
STAND_INS = frozenset({"msgspec", "hypothesis"})
"""Installed packages that a kit may import though a student has none: one is replaced, one is for hunts alone."""


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    """A kit that was unpacked."""

    assignment: Assignment
    cases: tuple[Prepared, ...]
    sealed: list[dict[str, Any]]
    """Hidden inputs with digests of their answers, where the course gives them."""
    hidden: int
    """How many hidden cases there are."""


def open_kit() -> Contents:
    """Read the packed cases, and put stand-ins in the place of what is withheld."""
    folder = Path(grader.__file__).parents[1]
    data = json.loads((folder / DATA).read_text("utf-8"))
    table = json.loads((folder / ANSWERS).read_text("utf-8"))
    sys.meta_path.insert(0, Withheld((*data["withheld"], "hypothesis"), table))
    for packed in data["cases"]:
        for key, name in packed["files"].items():
            packed["case"]["expect"][key] = str(folder / name)
    return Contents(
        assignment=msgspec.convert(data["assignment"], Assignment),
        cases=tuple(_prepared(packed) for packed in data["cases"]),
        sealed=data["sealed"],
        hidden=data["hidden"],
    )


def bare(packed: dict[str, Any]) -> Prepared:
    """Read a packed case, but not its input."""
    case = msgspec.convert(packed["case"], Case)
    kit = released_kit(case.kind)
    if case.expect is not None:
        expect = msgspec.convert(case.expect, expect_struct(find(case.kind.judge), kit))
        case = msgspec.structs.replace(case, expect=expect)
    return Prepared(
        case=msgspec.structs.replace(case, limits=stretched(case.limits)),
        kit=kit,
        puzzle=None,
        how=msgspec.convert(packed["how"], How),
        inputs=tuple(msgspec.convert(packed["inputs"], tuple[File, ...])),
    )


def _prepared(packed: dict[str, Any]) -> Prepared:
    prepared = bare(packed)
    puzzle = prepared.kit.parse(prepared.case.input) if prepared.kit is not None else None
    return msgspec.structs.replace(prepared, puzzle=puzzle)
