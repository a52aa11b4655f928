"""Verifying proves stored answer keys and names every one that is wrong."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from grader.catalogue.load import load_assignment
from grader.catalogue.writing.transcripts import first_difference
from grader.catalogue.writing.verify import Proof, verify
from grader.errors import CatalogueError
from grader.judge.lines import Tolerance

if TYPE_CHECKING:
    from pathlib import Path


def proof(catalogue: Path) -> Proof:
    return verify(load_assignment(catalogue, "sums"))


def test_a_good_catalogue_is_proven(catalogue: Path) -> None:
    """Numbers, grids and transcripts."""
    assert proof(catalogue) == Proof(assignment="sums", proven=5)


def test_a_wrong_number_is_named_with_its_place(catalogue: Path) -> None:
    """What is stored, what the reference says."""
    path = catalogue / "sums" / "basic.yaml"
    path.write_text(path.read_text().replace("steps: 10", "steps: 11"))
    (fault,) = proof(catalogue).differences
    assert str(fault).startswith(
        "cases/sums/basic.yaml:14: the case two-rows: expect.steps is 11, the reference says 10"
    )
    assert proof(catalogue).proven == 4


def test_a_wrong_line_of_a_transcript_is_named(catalogue: Path) -> None:
    """The place is the line of the transcript itself."""
    (catalogue / "sums" / "expected" / "rows.out").write_text("12\nSum: 3\n3\n")
    (fault,) = proof(catalogue).differences
    assert (fault.path, fault.line) == ("cases/sums/expected/rows.out", 4)
    assert "this line is missing, the reference says 'Sum: 3'" in fault.message


def test_a_packed_transcript_that_is_none_is_told(catalogue: Path) -> None:
    """A torn file is refused when it is loaded; where nothing is tried, it is a difference, not a traceback."""
    path = catalogue / "sums" / "tell.yaml"
    path.write_text(path.read_text().replace("rows.out", "rows.out.gz"))
    packed = catalogue / "sums" / "expected" / "rows.out.gz"
    packed.write_bytes(gzip.compress(b"12\nSum: 3\n")[:-9])
    with pytest.raises(CatalogueError, match=r"4:5: the judge transcript, .* fails on the case tell-rows: EOFError"):
        proof(catalogue)
    for torn in (packed.read_bytes(), b"no gzip"):
        packed.write_bytes(torn)
        (fault,) = verify(load_assignment(catalogue, "sums", check_inputs=False)).differences
        assert "can't be read" in fault.message


def test_a_case_without_key_is_counted_apart(catalogue: Path) -> None:
    """Its judge asks the kit; there is nothing to prove."""
    path = catalogue / "sums" / "basic.yaml"
    path.write_text(path.read_text().replace("    expect: {steps: 5}  # by hand\n", ""))
    assert (proof(catalogue).unstored, proof(catalogue).proven) == (("one",), 4)


def test_the_cases_tolerances_hold() -> None:
    """A transcript written by hand may differ where the judge doesn't look."""
    stored, computed = ["A  ", "", "b"], ["a", "B"]
    assert first_difference(stored, computed, options=Tolerance(alike=("Aa", "Bb"))) is None
    found = first_difference(stored, computed)
    assert found is not None
    assert (found.line, found.stored, found.computed) == (1, "A  ", "a")
