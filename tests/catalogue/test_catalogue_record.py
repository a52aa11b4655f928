"""Recording puts the reference's answers into files and leaves all else alone."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.catalogue.load import load_assignment
from grader.catalogue.placed_yaml.source import Source
from grader.catalogue.writing.record import Edit, flow, plan, splice
from grader.catalogue.writing.transcripts import PACKED_FROM
from grader.errors import CatalogueError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "format: 1\ncases:\n"
NEXT = "  - {id: b, title: B, input: '1', expect: {steps: 1}}\n"


def record(catalogue: Path, content: str, ids: tuple[str, ...] = ()) -> str:
    """Record a catalogue with one more file, and give that file's text then."""
    path = catalogue / "sums" / "extra.yaml"
    path.write_bytes(content.encode())
    for change in plan(catalogue / "sums", ids):
        change.write()
    assert plan(catalogue / "sums") == ()
    load_assignment(catalogue, "sums")
    return path.read_bytes().decode()


def test_a_good_catalogue_stays_as_it_is(catalogue: Path) -> None:
    """Nothing to do means nothing touched."""
    assert plan(catalogue / "sums") == ()


LAYOUTS = {
    "a number in braces": (
        "  - {id: a, title: A, input: '12', expect: {steps: 9}}  # why\n",
        "  - {id: a, title: A, input: '12', expect: {steps: 3}}  # why\n",
    ),
    "a number on its line": (
        "  - id: a\n    expect:\n      # told by hand\n      steps: 9   # nine\n    title: A\n    input: '12'\n",
        "  - id: a\n    expect:\n      # told by hand\n      steps: 3   # nine\n    title: A\n    input: '12'\n",
    ),
    "nothing, in braces": (
        "  - {id: a, title: A, input: '12', }\n",
        "  - {id: a, title: A, input: '12', expect: {steps: 3}, }\n",
    ),
    "nothing, in a block": (
        f"  - id: a\n    input: '12'\n    title: A  # the title\n\n  # the next\n{NEXT}",
        f"  - id: a\n    input: '12'\n    title: A  # the title\n    expect: {{steps: 3}}\n\n  # the next\n{NEXT}",
    ),
    "nothing, after a maze": (
        f"  - id: a\n    title: A\n    input: |\n      12\n\n\n{NEXT}",
        f"  - id: a\n    title: A\n    input: |\n      12\n    expect: {{steps: 3}}\n\n\n{NEXT}",
    ),
    "nothing, after a maze that keeps its blank lines": (
        f"  - id: a\n    title: A\n    input: |+ # all\n      12\n\n\n{NEXT}",
        f"  - id: a\n    title: A\n    expect: {{steps: 3}}\n    input: |+ # all\n      12\n\n\n{NEXT}",
    ),
    "nothing, at the file's end": (
        "  - id: a\n    title: A\n    input: |\n      12",
        "  - id: a\n    title: A\n    expect: {steps: 3}\n    input: |\n      12",
    ),
    "an empty expectation": (
        "  - {id: a, title: A, input: '12', expect: {}}\n",
        "  - {id: a, title: A, input: '12', expect: {steps: 3}}\n",
    ),
    "letters beyond ASCII": (
        "  - {id: a, title: Ä 🐍, input: '12', expect: {steps: 9}}\n",
        "  - {id: a, title: Ä 🐍, input: '12', expect: {steps: 3}}\n",
    ),
    "a grid": (
        "  - id: a\n    title: A\n    kind: grid\n    input: '12'\n    expect:\n      value:\n        - [4]\n\n#\n",
        (
            "  - id: a\n    title: A\n    kind: grid\n    input: '12'\n"
            "    expect:\n      value:\n        [[1, 2]]\n\n#\n"
        ),
    ),
    "a new transcript": (
        "  - {id: a, title: A, kind: tell, input: '12'}\n",
        "  - {id: a, title: A, kind: tell, input: '12', expect: {transcript: expected/a.out}}\n",
    ),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_comments_and_layout_are_kept(catalogue: Path, name: str) -> None:
    """Only the answer changes."""
    before, after = LAYOUTS[name]
    assert record(catalogue, HEAD + before) == HEAD + after


def test_windows_line_ends_and_byte_order_mark_are_kept(catalogue: Path) -> None:
    """The file stays one of its kind."""
    before = "\ufeff" + (HEAD + "  - id: a\n    input: '12'\n    title: A\n").replace("\n", "\r\n")
    assert record(catalogue, before) == before + "    expect: {steps: 3}\r\n"


def test_only_the_cases_asked_for_are_recorded(catalogue: Path) -> None:
    """Other differences wait."""
    path = catalogue / "sums" / "extra.yaml"
    path.write_text(HEAD + "  - {id: a, title: A, input: '1'}\n  - {id: b, title: B, input: '2'}\n")
    for change in plan(catalogue / "sums", ("b",)):
        change.write()
    assert path.read_text().count("expect") == 1
    with pytest.raises(UsageError, match="did you mean two-rows"):
        plan(catalogue / "sums", ("two-row",))


def test_an_expectation_shared_by_an_anchor_is_refused(catalogue: Path) -> None:
    """Changing one case must not change another."""
    text = (
        HEAD
        + "  - {id: a, title: A, input: '1', expect: &e {steps: 1}}\n  - {id: b, title: B, input: '2', expect: *e}\n"
    )
    with pytest.raises(CatalogueError, match="the expectation of b comes from an anchor"):
        record(catalogue, text)


def test_an_anchor_in_the_way_is_refused(catalogue: Path) -> None:
    """A splice that would break another case is never written."""
    text = (
        HEAD
        + "  - {id: a, title: A, input: '1', expect: {steps: &e 7}}\n"
        + "  - {id: b, title: B, input: '7', expect: {steps: *e}}\n"
    )
    with pytest.raises(CatalogueError, match="without changing more"):
        record(catalogue, text)


def test_a_diff_shows_what_would_change(catalogue: Path) -> None:
    """Lines before and after, as diff writes them."""
    path = catalogue / "sums" / "basic.yaml"
    path.write_text(path.read_text().replace("steps: 5", "steps: 6"))
    (change,) = plan(catalogue / "sums")
    assert "-    expect: {steps: 6}  # by hand\n+    expect: {steps: 5}  # by hand" in change.diff()
    assert "steps: 6" in path.read_text()


def test_a_wrong_transcript_is_written_again(catalogue: Path) -> None:
    """Its diff names the line."""
    path = catalogue / "sums" / "expected" / "rows.out"
    path.write_text("12\nSum: 4\n3\nSum: 3\n")
    (change,) = plan(catalogue / "sums")
    assert "-Sum: 4\n+Sum: 3" in change.diff()
    change.write()
    assert path.read_text() == "12\nSum: 3\n3\nSum: 3\n"
    assert [each.name for each in path.parent.iterdir()] == ["rows.out"]


def test_a_long_transcript_is_packed(catalogue: Path) -> None:
    """And the same bytes come out each time."""
    rows = "1\n" * (PACKED_FROM // 8)
    (catalogue / "sums" / "mazes" / "long.txt").write_text(rows)
    text = record(catalogue, HEAD + "  - {id: a, title: A, kind: tell, input_file: mazes/long.txt}\n")
    path = catalogue / "sums" / "expected" / "a.out.gz"
    assert "expected/a.out.gz" in text
    assert gzip.decompress(path.read_bytes()).decode() == "1\nSum: 1\n" * (PACKED_FROM // 8)
    first = path.read_bytes()
    path.unlink()
    (change,) = plan(catalogue / "sums")
    change.write()
    assert path.read_bytes() == first


@settings(deadline=None, max_examples=60)
@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda below: st.lists(below, max_size=30))
)
def test_a_value_written_in_flow_reads_back(value: object) -> None:
    """Long lists run over several indented lines."""
    import yaml

    assert yaml.safe_load(f"- a:\n    b: {flow(value, indent=4)}\n") == [{"a": {"b": value}}]


def test_edits_are_made_from_the_end() -> None:
    """So that each index still means what it meant."""
    from pathlib import Path

    source = Source(path=Path("x"), shown="x", text="abcdef")
    assert splice(source, [Edit(1, 2, "XX"), Edit(4, 5, "")]) == "aXXcdf"
