"""Promises of the quick look at right answers: it never says more than the comparison line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from grader.judge.lines import MOST_LINE, lines_of
from grader.judge.same import is_same
from grader.judge.tolerance import Strictness, Tolerance, line_after, unglue
from grader.judge.transcript import first_difference

if TYPE_CHECKING:
    from collections.abc import Iterator

WALK = b"Maze file:\n##v #  \n\n at 1,1\n#\n"
LENIENT = Tolerance(prompt="Maze file:", alike=("vV",))
_texts = st.lists(
    st.sampled_from(
        (b"\n", b"\r", b"\r\n", b" ", b"\t", b"\x1c", b"v", b"V", b"#", b".", b"Maze file:", b"\xe2", b"\xc2\xa0")
    ),
    max_size=12,
).map(b"".join)
_tolerances = st.builds(
    Tolerance,
    trailing_blanks=st.sampled_from(Strictness),
    empty_lines=st.sampled_from(Strictness),
    alike=st.sampled_from(((), ("vV",), (" .",), ("\nv", "Vv"), ("v\u00a0",))),
    prompt=st.sampled_from(("", "Maze file:")),
)


def pieces(text: bytes, size: int) -> Iterator[bytes]:
    return (text[at : at + size] for at in range(0, len(text), size))


def looks_the_same(expected: bytes, found: bytes, tolerance: Tolerance, size: int = 7) -> bool:
    first = line_after(tolerance.prompt, lines_of([expected]))
    return is_same(lambda: pieces(expected, size), lambda: pieces(found, size + 2), tolerance, first)


def is_right(expected: bytes, found: bytes, tolerance: Tolerance) -> bool:
    """Compare line by line, as the judge does with a doubt."""
    lines = unglue(lines_of([found]), tolerance.prompt, line_after(tolerance.prompt, lines_of([expected])))
    wanted, given_ = tolerance.apply(lines_of([expected])), tolerance.apply(lines)
    return first_difference(wanted, given_, frame_end="") is None


@settings(max_examples=1500, deadline=None)
@given(expected=_texts, found=_texts, tolerance=_tolerances, size=st.integers(1, 9))
@example(expected=b"v.", found=b"v ", tolerance=Tolerance(alike=(" .",)), size=3)
@example(expected=b"v\n#", found=b"v#", tolerance=Tolerance(alike=("\n#",)), size=3)
def test_what_looks_the_same_is_right(expected: bytes, found: bytes, tolerance: Tolerance, size: int) -> None:
    """A yes is as good as the comparison line by line, whatever the bytes, the tolerance and the pieces."""
    said = next((line for line in lines_of([expected]) if line.strip()), "")
    assume(not tolerance.prompt or said.rstrip() == tolerance.prompt or not said.startswith(tolerance.prompt))
    if looks_the_same(expected, found, tolerance, size):
        assert is_right(expected, found, tolerance)


@pytest.mark.parametrize(
    "found",
    [
        WALK,
        WALK.replace(b"\n\n", b"\n"),
        WALK.replace(b"\n", b"\n\n\n\n"),
        WALK.replace(b"  \n", b"\n"),
        WALK.replace(b"\n\n", b"\n   \n"),
        WALK.replace(b"v", b"V"),
        WALK.replace(b"\n", b"\r\n"),
        WALK.removesuffix(b"\n"),
        WALK.replace(b":\n", b":", 1),
        WALK.replace(b":\n", b": ", 1),
        WALK.replace(b":\n", b":", 1).replace(b"v", b"V").replace(b"\n\n", b"\n"),
    ],
)
def test_the_common_liberties_are_taken_at_a_look(found: bytes) -> None:
    """Empty lines, blanks at line ends, letters that are alike, other line ends, a glued prompt: no doubt is left."""
    assert looks_the_same(WALK, found, LENIENT)
    assert is_right(WALK, found, LENIENT)


@pytest.mark.parametrize("found", [WALK.replace(b"##v", b"# v"), WALK[:-2], WALK + b"#", b"", b"\n"])
def test_another_text_is_never_the_same(found: bytes) -> None:
    assert not looks_the_same(WALK, found, LENIENT)
    assert not looks_the_same(found, WALK, LENIENT)


def test_a_line_that_is_cut_stays_a_doubt() -> None:
    """Two endless lines are not held in memory to be compared."""
    endless = b"#" * (3 * MOST_LINE)
    assert not looks_the_same(endless, endless, LENIENT, size=1 << 14)
