"""Promises of the mutants: one fault each, named by its place, always a program."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from grader.prove.mutants import Mutant, mutants

SOLVERS = ("alice/solve", "lefthand/walk", "lefthand/transcript", "runner/pseudocode", "runner/search")
PROGRAM = '''"""Counts."""

LIMIT = 3
NAMES = ("up", "down")


def count(items: list[int], most: int = LIMIT) -> int:
    """Count the small ones."""
    if most < 0:
        raise ValueError(f"{most} is negative")
    found = 0
    for item in items:
        if 0 <= item < most and item != 2:
            found += 1
    return found
'''


def made(source: str, *names: str) -> dict[str, Mutant]:
    return {mutant.id: mutant for mutant in mutants(source, "counts", frozenset(names))}


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_mutant_of_the_solvers_is_another_program(solver: str) -> None:
    """Each can be compiled, differs from the sound one, and has a name of its own."""
    source = Path("reference", f"{solver}.py").read_text()
    found = list(mutants(source, solver))
    sound = ast.unparse(ast.parse(source))
    assert len({mutant.id for mutant in found}) == len(found) > 40
    for mutant in found:
        compile(mutant.code, mutant.id, "exec")
        assert mutant.code != sound


def test_making_mutants_leaves_the_program_as_it_was() -> None:
    """Every mutant has one fault, not those of the mutants before it."""
    once, again = made(PROGRAM), made(PROGRAM)
    assert once == again


@pytest.mark.parametrize(
    ("identity", "line"),
    [
        ("counts:3:9:plus-one", "LIMIT = 4"),
        ("counts:4:9:swap-1", "NAMES = ('down', 'up')"),
        ("counts:13:12:and-or", "        if 0 <= item < most or item != 2:"),
        ("counts:13:12:lte-lt-1", "        if 0 < item < most and item != 2:"),
        ("counts:13:12:drop-2", "        if 0 <= item < most:"),
        ("counts:13:33:noteq-eq", "        if 0 <= item < most and item == 2:"),
        ("counts:14:13:add-sub", "            found -= 1"),
        ("counts:14:13:remove", "            pass"),
    ],
)
def test_a_mutant_is_named_by_its_place_and_fault(identity: str, line: str) -> None:
    mutant = made(PROGRAM)[identity]
    assert line in mutant.added
    assert mutant.source == PROGRAM.splitlines()[mutant.line - 1].strip()


def test_guards_types_and_texts_are_left_alone() -> None:
    """Nobody's answer hangs on an annotation, a docstring or an error for bad input."""
    lines = {mutant.line for mutant in made(PROGRAM).values()}
    assert lines.isdisjoint({1, 7, 8, 9, 10})


def test_only_what_is_asked_for_is_mutated() -> None:
    assert {mutant.line for mutant in made(PROGRAM, "NAMES").values()} == {4}
