"""Promises of mistakes.yaml: each mistake is an edit of a right program, and one that doesn't fit has its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from grader.catalogue.load import load_assignment
from grader.catalogue.mistakes import Mistake, load_mistakes
from grader.errors import CatalogueError, UsageError
from grader.prove.programs import write_programs

if TYPE_CHECKING:
    from pathlib import Path

RIGHT = '"""Adds two numbers."""\n\nimport sys\n\na, b = map(int, open(sys.argv[1]))\nprint(a + b)\n'


@pytest.fixture
def sums(catalogue: Path) -> Path:
    """Return the folder of an assignment with one right program."""
    folder = catalogue.absolute().parent / "solutions" / "sums" / "AC" / "plain"
    folder.mkdir(parents=True)
    (folder / "sums.py").write_text(RIGHT)
    return catalogue / "sums"


def mistakes(sums: Path, *entries: str) -> tuple[Mistake, ...]:
    lines = "".join(f"  - {{{entry}}}\n" for entry in entries)
    (sums / "mistakes.yaml").write_text(f"format: 1\nmistakes:\n{lines}")
    return load_mistakes(load_assignment(sums.parent, "sums"))


MINUS = "name: minus, verdict: WA, says: Your program subtracts., of: plain, replace: [[a + b, a - b]]"


def test_an_edit_of_a_right_program_is_a_mistake(sums: Path) -> None:
    """The program has the edit, and says its mistake where the right one spoke of itself."""
    (mistake,) = mistakes(sums, MINUS)
    (file,) = mistake.files
    expected = RIGHT.replace("a + b", "a - b").replace('"""Adds two numbers."""', "# Your program subtracts.")
    assert (file.path, file.content.decode(), mistake.label) == ("sums.py", expected, "WA/minus")


def test_two_mistakes_can_be_made_at_once(sums: Path) -> None:
    """`of` may name a mistake above."""
    more = "name: both, verdict: WA, says: Both., of: minus, replace: [['argv[1]', 'argv[-1]']]"
    text = mistakes(sums, MINUS, more)[1].files[0].content.decode()
    assert "a - b" in text
    assert "argv[-1]" in text


def test_a_whole_program_may_be_given(sums: Path) -> None:
    """It is the assignment's first file."""
    (mistake,) = mistakes(sums, r'name: zero, verdict: WA, says: It prints 0., program: "print(0)\n"')
    assert mistake.files[0].path == "sums.py"
    assert mistake.files[0].content == b"# It prints 0.\nprint(0)\n"


def test_every_edit_is_made_in_the_right_program(sums: Path) -> None:
    """A text that one edit brings in is no place for another."""
    swapped = "name: x, verdict: WA, says: X., of: plain, replace: [['a, b =', 'b, a ='], ['a + b', 'b, a']]"
    assert b"b, a = map" in mistakes(sums, swapped)[0].files[0].content


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (MINUS.replace("a + b", "a * b"), "3:84: the program lacks this text"),
        (MINUS.replace("a + b", "a"), "the program has this text"),
        (MINUS.replace("plain", "plane"), "3:67: there is no program plane\n  did you mean plain?"),
        (MINUS.replace("[[a + b, a - b]]", "[]"), "changes nothing"),
        (MINUS.replace("[a + b, a - b]", "[a + b]"), "an edit is a pair: [old, new]"),
        (MINUS.replace("[[a + b, a - b]]", "[[a + b, x], [+ b, y]]"), "two of the edits overlap"),
        (MINUS.replace("WA", "AC"), "a mistake can't get AC"),
        (MINUS.replace("minus", "plain"), "plain is the name of another program"),
        (MINUS + ", program: x", "either `of` and `replace`, or `program`"),
        ("name: x, verdict: WA, says: X.", "either `of` and `replace`, or `program`"),
        (MINUS.replace("says", "sais"), "unknown key mistakes[0].sais\n  did you mean says?"),
    ],
)
def test_a_mistake_that_does_not_fit_is_a_fault_with_its_place(sums: Path, entry: str, fault: str) -> None:
    with pytest.raises(CatalogueError) as raised:
        mistakes(sums, entry)
    assert fault in str(raised.value)
    assert "mistakes.yaml:3:" in str(raised.value)


def test_all_programs_are_written_by_verdict(sums: Path, tmp_path: Path) -> None:
    """Right ones are copied, mistakes are made; without any there is nothing to prove by."""
    mistakes(sums, MINUS)
    assignment = load_assignment(sums.parent, "sums")
    write_programs(assignment, tmp_path / "out")
    written = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.py")}
    assert written == {"AC/plain/sums.py", "WA/minus/sums.py"}


def test_an_assignment_without_known_programs_says_so(catalogue: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="sums has no known programs"):
        write_programs(load_assignment(catalogue, "sums"), tmp_path / "out")
