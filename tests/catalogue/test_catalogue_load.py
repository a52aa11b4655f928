"""Loading fills defaults, reads files and gives plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from grader.catalogue import kits
from grader.catalogue.load import find_catalogue, load, load_assignment
from grader.catalogue.writing.verify import verify
from grader.errors import UsageError
from grader.model.verdict import Visibility
from grader.pipeline.prepare import prepare

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model.assignment import Case


def cases(catalogue: Path) -> dict[str, Case]:
    return {case.id: case for case in load_assignment(catalogue, "sums").cases}


def test_cases_come_in_the_order_of_files_and_lines(catalogue: Path) -> None:
    """Files by name, cases as written."""
    assert list(cases(catalogue)) == ["one", "two-rows", "from-file", "tell-rows", "grid"]


def test_the_assignments_defaults_lie_under_the_cases_own(catalogue: Path) -> None:
    """Points, visibility, limits and options: the case's word wins, key by key."""
    one, two = cases(catalogue)["one"], cases(catalogue)["two-rows"]
    assert (one.facts.points, one.facts.visibility) == (1.0, Visibility.VISIBLE)
    assert (two.facts.points, two.facts.visibility) == (2.0, Visibility.HIDDEN)
    assert (two.limits.cpu_s, two.limits.memory_mib, two.limits.wall_s) == (1.0, 128, 15.0)
    assert cases(catalogue)["tell-rows"].options == {"trailing_blanks": "keep", "empty_lines": "ignore"}


def test_a_case_without_kind_is_of_the_first_kind(catalogue: Path) -> None:
    """The first kind in the file is the default."""
    assert cases(catalogue)["one"].kind.name == "add"
    assert cases(catalogue)["grid"].kind.judge == "value"


def test_a_maze_file_gives_its_very_bytes(catalogue: Path) -> None:
    """CRLF and all."""
    assert cases(catalogue)["from-file"].raw == b"123456789\r\n"
    assert cases(catalogue)["two-rows"].raw == b"12\n34\n"


def test_a_transcript_is_named_by_its_absolute_path(catalogue: Path) -> None:
    """A judge can open it from anywhere."""
    transcript = cases(catalogue)["tell-rows"].expect.transcript
    assert transcript == str(catalogue.absolute() / "sums" / "expected" / "rows.out")


def test_a_case_knows_its_place(catalogue: Path) -> None:
    """The file from the current folder, and the line of its id."""
    assert (cases(catalogue)["one"].path, cases(catalogue)["one"].line) == ("cases/sums/basic.yaml", 5)


def test_anchors_and_merge_keys_work(catalogue: Path) -> None:
    """YAML's own means against repetition are welcome."""
    (catalogue / "sums" / "more.yaml").write_text(
        "format: 1\n"
        "cases:\n"
        "  - &first {id: a, title: A, input: '1', points: 4, expect: &key {steps: 1}}\n"
        "  - {<<: *first, id: b}\n"
        "  - {id: c, title: C, input: '1', expect: *key}\n"
    )
    loaded = cases(catalogue)
    assert (loaded["b"].facts.points, loaded["b"].facts.title, loaded["c"].expect.steps) == (4.0, "A", 1)


def test_crlf_and_byte_order_mark_do_no_harm(catalogue: Path) -> None:
    """Files from Windows load as they are."""
    path = catalogue / "sums" / "basic.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert cases(catalogue)["two-rows"].input == "12\n34\n"


def test_an_unknown_assignment_is_named_with_the_nearest(catalogue: Path) -> None:
    """A slip of the pen is the command line's fault, not the catalogue's."""
    with pytest.raises(UsageError, match="did you mean sums"):
        load_assignment(catalogue, "sumz")


def test_a_folder_without_assignments_is_refused(tmp_path: Path) -> None:
    """Grading nothing would look like success."""
    with pytest.raises(UsageError, match="holds no assignment"):
        load(tmp_path)


def test_the_catalogue_is_found_in_the_order_of_nearness(catalogue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line, then GRADER_CASES, then ./cases."""
    assert find_catalogue() == catalogue
    monkeypatch.setenv("GRADER_CASES", str(catalogue / "sums"))
    assert find_catalogue() == catalogue / "sums"
    assert find_catalogue(catalogue) == catalogue
    monkeypatch.setenv("GRADER_CASES", "nowhere")
    with pytest.raises(UsageError, match="nowhere"):
        find_catalogue()


def test_each_puzzle_is_read_once(catalogue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading, grading and proving share what the kit has read; another assignment's equal kit is the same kit."""
    import sums_kit  # type: ignore[import-not-found]

    read: list[str] = []
    parse = sums_kit.Sums.parse

    def noted(kit: object, text: str) -> object:
        read.append(text)
        return parse(kit, text)

    monkeypatch.setattr(sums_kit.Sums, "parse", noted)
    kits._READ.clear()
    (assignment,) = load(catalogue)
    first = len(read)
    assert first == len({(case.kind.name, case.input) for case in assignment.cases})
    prepare(assignment)
    verify(assignment)
    assert len(read) == first
