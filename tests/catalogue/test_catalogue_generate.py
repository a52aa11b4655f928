"""Cases that a kit makes: `generate` in a case file."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from grader.catalogue.load import load_assignment
from grader.catalogue.writing.record import plan
from grader.errors import CatalogueError

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model.assignment import Assignment

ASSIGNMENT = """format: 1
title: Mazes
files: [{name: maze.py}]
kinds:
  walk:
    run: {as: program, module: maze.py, stdin: "{file}"}
    kit: reference.lefthand
    judge: transcript
  text:
    run: {as: program, module: maze.py, stdin: "{input}", file: ""}
    judge: stdout
limits: {cpu_s: 2, wall_s: 4}
"""
CASES = """format: 1
cases:
  - id: term
    title: Mazes of this term
    tags: [fresh]
    generate: {seed: 7, count: 3, shapes: [tree, long]}
"""
FAULTS = {
    ("tree, long", "tree, lnog"): "6:50: the kit makes no lnog\n  did you mean long?",
    ("count: 3", "count: 3, size: 9999"): "6:41: tree can have a size from 3 to 300",
    ("count: 3, shapes: [tree, long]", "size: 9999"): "6:31: the kit makes nothing of size 9999\n  tree can have",
    ("[tree, long]", "[row], size: 5"): "row has a size of its own",
    ("count: 3", "count: 0"): "generate.count must be at least 1",
    ("seed: 7, ", ""): "generate lacks seed",
    ("seed: 7", "seed: ''"): "generate.seed is empty",
    ("count: 3", "cuont: 3"): "did you mean count?",
    ("    tags", "    input: S#E\n    tags"): "the case term has both input and generate",
    (
        "    tags",
        "    expect: {steps: 3}\n    tags",
    ): "asked for the answers of the cases that it makes: expect means",
    ("    tags", "    kind: text\n    tags"): "7:15: the kit has no `solve`, so it can't make cases",
    ("cases:", "cases:\n  - {id: term-2, title: Taken, input: S#E}"): "the id term-2 is taken",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "cases" / "mazes"
    place.mkdir(parents=True)
    (place / "assignment.yaml").write_text(ASSIGNMENT)
    (place / "fresh.yaml").write_text(CASES)
    return place


def load(folder: Path) -> Assignment:
    return load_assignment(folder.parent, folder.name)


def test_the_seed_decides_the_cases(folder: Path) -> None:
    """The digest is what the first machine made; shapes take turns and bring title, hint and limits along."""
    made = load(folder).cases
    assert [case.id for case in made] == ["term-1", "term-2", "term-3"]
    assert [case.facts.tags for case in made] == [("fresh", "tree"), ("fresh", "long"), ("fresh", "tree")]
    assert [case.limits.cpu_s for case in made] == [2, 10, 2]
    assert made[1].facts.title == "Mazes of this term 2: A long walk"
    assert hashlib.sha256(b"".join(case.raw for case in made)).hexdigest()[:16] == "ac81c6f1c5bca459"


def test_another_seed_or_id_makes_other_cases(folder: Path) -> None:
    """Two entries with one seed don't ask the same thing twice."""
    before = {case.input for case in load(folder).cases}
    for old, new in (("seed: 7", "seed: 2027-spring"), ("id: term", "id: other")):
        (folder / "fresh.yaml").write_text(CASES.replace(old, new))
        assert before.isdisjoint(case.input for case in load(folder).cases)


def test_a_size_is_kept(folder: Path) -> None:
    """Of a maze it is the number of its walkways."""
    (folder / "fresh.yaml").write_text(CASES.replace("shapes: [tree, long]", "size: 50"))
    counts = [sum(map(case.input.count, "#SE")) for case in load(folder).cases]
    assert counts == [50, 50, 50]


def test_their_answers_are_asked_for_and_never_recorded(folder: Path) -> None:
    """The file stays as it was written."""
    assert plan(folder) == ()
    assert all(case.expect is None for case in load(folder).cases)


@pytest.mark.parametrize("change", FAULTS)
def test_what_a_kit_cannot_make_is_told_with_its_place(folder: Path, change: tuple[str, str]) -> None:
    """Shapes, sizes and contradictions are refused before anything is graded."""
    assert change[0] in CASES
    (folder / "fresh.yaml").write_text(CASES.replace(*change, 1))
    with pytest.raises(CatalogueError) as caught:
        load(folder)
    assert FAULTS[change] in str(caught.value)
