"""Fresh hidden cases come from the seed alone, and are written in the place of the old ones."""

from __future__ import annotations

import functools
from pathlib import Path

from programs import programs

from grader.catalogue.load import load_assignment
from grader.catalogue.writing.renewed import Renewed, write_renewed
from grader.model.verdict import Visibility
from grader.prove.renew import Renewer
from grader.wiring import Settings, open_grading

ROOT = Path(__file__).parents[2]


def renewer(seed: str) -> Renewer:
    """Make a search for lefthand; nothing is run before `renew`."""
    assignment = load_assignment(ROOT / "cases", "lefthand")
    return Renewer(assignment, programs("lefthand"), seed, functools.partial(open_grading, Settings()))


def test_the_seed_decides_the_candidates() -> None:
    """The same seed gives the same inputs, another seed others."""
    one, same, other = ([case.input for case, _ in renewer(seed).candidates(0)] for seed in "aab")
    assert one == same != other


def test_written_cases_take_the_place_of_the_hidden_ones(tmp_path: Path) -> None:
    """Visible cases stay as they are; the new ones are hidden and have the reference's answer keys."""
    before = load_assignment(ROOT / "cases", "lefthand")
    fresh = [Renewed(case=case, remark="a remark") for case, _ in renewer("spring").candidates(0)]
    write_renewed(before, fresh, tmp_path)
    after = load_assignment(tmp_path, "lefthand")
    hidden = {case.id for case in after.cases if case.facts.visibility is Visibility.HIDDEN}
    kept = {case.id for case in before.cases if case.facts.visibility is Visibility.VISIBLE}
    assert hidden == {each.case.id for each in fresh}
    assert {case.id for case in after.cases} - hidden == kept
    assert all(case.expect is not None for case in after.cases)
