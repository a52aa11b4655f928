"""The shipped catalogue keeps what it promises."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.catalogue.load import assignment_names, load_assignment
from grader.catalogue.writing.verify import verify
from grader.model.verdict import Visibility

CATALOGUE = Path(__file__).parent.parent.parent / "cases"


@pytest.mark.parametrize("name", assignment_names(CATALOGUE))
def test_every_answer_key_is_the_references(name: str) -> None:
    """Each case stores its key, and the reference solver agrees."""
    proof = verify(load_assignment(CATALOGUE, name))
    assert [str(fault) for fault in proof.differences] == []
    assert proof.unstored == ()


@pytest.mark.parametrize("name", assignment_names(CATALOGUE))
def test_every_assignment_has_a_dozen_cases_and_half_are_hidden(name: str) -> None:
    """Enough to practise with, enough to grade by."""
    cases = load_assignment(CATALOGUE, name, check_inputs=False).cases
    assert len(cases) >= 12
    assert sum(case.facts.visibility is not Visibility.VISIBLE for case in cases) * 2 >= len(cases)
