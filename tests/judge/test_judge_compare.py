"""Promises of the generic judges: transcript, stdout, value."""

from __future__ import annotations

import gzip
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_values import make_case, make_kind

from grader.judge import stdout
from grader.judge import transcript as transcripts
from grader.judge.decide import decide
from grader.judge.lines import lines_of, lines_of_file
from grader.judge.transcript import first_difference
from grader.judge.value import Options, difference
from grader.model.assignment import RunAs
from grader.model.judgement import Judgement, Trial
from grader.model.kit import Expect
from grader.model.run import Reply, RunRecord, Stream
from grader.model.verdict import Ending, Verdict

if TYPE_CHECKING:
    from pathlib import Path

FRAME_OPTIONS: dict[str, Any] = {"frame_end": "end", "prompt": "Name?", "alike": ["Vv"]}


class PlainKit:
    """A kit that explains nothing."""


def judged(judge: str, record: RunRecord, expect: Any, options: dict[str, Any] | None = None) -> Judgement:
    run_as = RunAs.FUNCTION if record.replies else RunAs.PROGRAM
    kind = make_kind(judge, run_as=run_as, function="f")
    case = make_case(kind, expect=expect, options=options or {})
    kit: Any = PlainKit()
    return decide(Trial(case=case, kit=kit, puzzle=None, record=record))


def said(text: str | bytes) -> RunRecord:
    content = text.encode() if isinstance(text, str) else text
    return RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(content))


def transcript(tmp_path: Path, expected: str, found: str | bytes, **options: Any) -> Judgement:
    path = tmp_path / "case.out"
    path.write_text(expected)
    return judged("transcript", said(found), transcripts.Expect(transcript=str(path)), FRAME_OPTIONS | options)


EXPECTED = "Name?\n #v\n\nend 1\n .v\n\nend 2\nDone\n"


@pytest.mark.parametrize(
    "found",
    [
        EXPECTED,
        EXPECTED.replace("\n\n", "\n"),
        EXPECTED.replace("\n", "\r\n"),
        EXPECTED.replace("\n", "   \n"),
        EXPECTED.replace("v", "V"),
        EXPECTED.replace("Name?\n", "Name?"),
        EXPECTED.replace("Name?\n", "Name? "),
        EXPECTED.replace("Name?\n", "Name? \n"),
        EXPECTED.removesuffix("\n"),
        "\n\n" + EXPECTED + "\n\n",
    ],
)
def test_blanks_that_do_not_count_do_not_count(tmp_path: Path, found: str) -> None:
    """Trailing blanks, empty lines, line ends and a glued prompt are no faults."""
    assert transcript(tmp_path, EXPECTED, found).verdict is Verdict.AC


@pytest.mark.parametrize(
    ("found", "frame"),
    [
        (EXPECTED.replace(" #v", "#v"), 0),
        (EXPECTED.replace(" .v", "  v"), 1),
        (EXPECTED.replace("Name?\n", ""), 0),
        (EXPECTED.replace("Done\n", ""), 2),
        (EXPECTED + "more\n", 2),
        (EXPECTED.replace("end 2", "end 3"), 1),
        ("", 0),
    ],
)
def test_the_first_wrong_frame_is_found(tmp_path: Path, found: str, frame: int) -> None:
    """Inner and leading blanks are squares: they do count."""
    judgement = transcript(tmp_path, EXPECTED, found)
    assert judgement.verdict is Verdict.WA
    assert judgement.mismatch is not None
    assert judgement.mismatch.step in (frame, None)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (EXPECTED.replace(" .v", "  v") * 3, "frame 1 differs from the expected transcript. After that your program"),
        (EXPECTED + "more\nend\n" * 9, "frame 2 differs from the expected transcript. After that your program"),
        (EXPECTED[:-9], "your program "),
        ("Name?\n #v\n\nend 1\n xx\n", "your program "),
        ("Name?\n #v\nen", "your program "),
        ("", "your program "),
    ],
)
@pytest.mark.parametrize(("ending", "verdict"), [(Ending.CPU_LIMIT, Verdict.TLE), (Ending.OUTPUT_LIMIT, Verdict.OLE)])
def test_a_wrong_frame_before_a_bad_ending_is_told_first(
    tmp_path: Path, found: str, told: str, ending: Ending, verdict: Verdict
) -> None:
    """Only a whole frame counts as wrong, for the program was stopped in the middle; the verdict is the ending's."""
    path = tmp_path / "case.out"
    path.write_text(EXPECTED)
    record = RunRecord(ending=ending, stdout=Stream.of(found.encode()))
    judgement = judged("transcript", record, transcripts.Expect(transcript=str(path)), FRAME_OPTIONS)
    assert judgement.verdict is verdict
    assert judgement.mismatch is not None
    assert told in judgement.mismatch.message
    assert (judgement.mismatch.step is None) == told.startswith("your program")


def test_each_tolerance_is_a_field(tmp_path: Path) -> None:
    """A case may be strict where the default is lenient."""
    assert transcript(tmp_path, EXPECTED, EXPECTED.replace("v", "V"), alike=[]).verdict is Verdict.WA
    assert transcript(tmp_path, EXPECTED, EXPECTED.replace("v", "v "), trailing_blanks="keep").verdict is Verdict.WA
    assert transcript(tmp_path, EXPECTED, EXPECTED.replace("\n\n", "\n"), empty_lines="keep").verdict is Verdict.WA


def test_a_long_transcript_is_compared_in_bounded_memory(tmp_path: Path) -> None:
    """Ten megabytes of frames cost a fraction of that to judge."""
    frame = ("#" * 99 + "\n") * 10 + "end\n"
    path = tmp_path / "long.out.gz"
    with gzip.open(path, "wt") as file:
        for _ in range(10_000):
            file.write(frame)
    record = said(frame * 10_000)
    tracemalloc.start()
    judgement = judged("transcript", record, transcripts.Expect(transcript=str(path)), FRAME_OPTIONS)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert judgement.verdict is Verdict.AC
    assert peak < 2 << 20


def test_one_endless_line_is_cut() -> None:
    assert [len(line) for line in lines_of(b"x" * 65_536 for _ in range(100))] == [1 << 16]


@given(st.text(alphabet="ab \r\n", max_size=40), st.integers(1, 7))
def test_lines_do_not_depend_on_how_the_bytes_came(text: str, size: int) -> None:
    """A chunk's edge is no line's edge, not even inside CRLF."""
    content = text.encode()
    chunks = [content[i : i + size] for i in range(0, len(content), size)]
    whole = content.decode().replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    assert list(lines_of(chunks)) == (whole.split("\n") if content else [])


def test_broken_utf8_is_no_crash(tmp_path: Path) -> None:
    assert transcript(tmp_path, EXPECTED, b"\xff\xfe\x00").verdict is Verdict.WA


@given(st.lists(st.sampled_from(["a", "end"]), max_size=8), st.lists(st.sampled_from(["a", "end"]), max_size=8))
def test_no_difference_means_equal(expected: list[str], found: list[str]) -> None:
    assert (first_difference(expected, found, frame_end="end") is None) == (expected == found)


@given(
    st.integers(0, 600),
    st.lists(st.sampled_from(["a", "", "end"]), max_size=4),
    st.lists(st.sampled_from(["a", "", "end"]), max_size=4),
)
def test_the_frame_that_differs_is_counted_from_the_beginning(
    same: int, expected: list[str], found: list[str]
) -> None:
    """However many lines agree: only whole frames are counted, and the frame is shown from its start."""
    begun = ["end" if place % 7 == 6 else f"line {place}" for place in range(same)]
    divergence = first_difference([*begun, *expected], [*begun, *found], frame_end="end")
    if divergence is None:
        assert expected == found
        return
    agree = next(
        (place for place, pair in enumerate(zip(expected, found, strict=False)) if len(set(pair)) == 2), None
    )
    common = [*begun, *expected[: min(len(expected), len(found)) if agree is None else agree]]
    last = max((place for place, line in enumerate(common) if line == "end"), default=-1)
    rest = expected[len(common) - same :]
    frame = common[last + 1 :] + rest[: rest.index("end") + 1 if "end" in rest else None]
    assert divergence.index == common.count("end")
    assert (divergence.expected or "") == "\n".join(frame)


def test_stored_files_are_read_plain_or_gzipped(tmp_path: Path) -> None:
    (tmp_path / "a.out").write_text("1\n2\n")
    (tmp_path / "a.out.gz").write_bytes(gzip.compress(b"1\n2\n"))
    assert (
        list(lines_of_file(str(tmp_path / "a.out"))) == list(lines_of_file(str(tmp_path / "a.out.gz"))) == ["1", "2"]
    )


def test_stdout_names_the_first_wrong_line() -> None:
    judgement = judged("stdout", said("1\n3\n"), stdout.Expect(stdout="1\n2\n"))
    assert judgement.mismatch is not None
    assert judgement.mismatch.message == "line 2: expected '2', found '3'."
    assert judged("stdout", said("1\n2"), stdout.Expect(stdout="1\n2\n")).verdict is Verdict.AC


@pytest.mark.parametrize(
    ("expected", "found", "leniency", "where"),
    [
        ([1, [2, 3]], [1, [2, 3]], Options(), None),
        ([1, [2, 3]], [1, [2, 4]], Options(), (1, 1)),
        ([1, 2], [1, 2, 3], Options(), ()),
        ({"a": [1]}, {"a": [2]}, Options(), ("a", 0)),
        ({"a": 1}, {"a": 1, "b": 2}, Options(), ()),
        ("24", 24, Options(), ()),
        ("24", 24, Options(number_as_text=True), None),
        (24, "24", Options(number_as_text=True), ()),
        (1, True, Options(), ()),
        (1, 1.0, Options(), None),
        (0.1 + 0.2, 0.3, Options(tolerance=1e-9), None),
        (None, 0, Options(), ()),
    ],
)
def test_values_differ_at_the_first_place(
    expected: Any, found: Any, leniency: Options, where: tuple[Any, ...] | None
) -> None:
    divergence = difference(expected, found, leniency)
    assert (divergence.where if divergence else None) == where


def test_a_wrong_value_is_told_with_its_place() -> None:
    record = RunRecord(ending=Ending.EXITED, exit_status=0, replies=(Reply(value=[3, {"$object": "Maze"}]),))
    judgement = judged("value", record, Expect(value=[3, 4]))
    assert judgement.mismatch is not None
    assert judgement.mismatch.message == "the returned value[1] is a Maze object; expected 4."


def test_a_number_beyond_64_bits_is_told_as_a_number() -> None:
    """It travels as a dict, which no student has ever returned."""
    value = [{"$int": str(-(2**70))}, 4, {"$int": "x"}]
    judgement = judged(
        "value", RunRecord(ending=Ending.EXITED, exit_status=0, replies=(Reply(value=value),)), Expect()
    )
    assert judgement.mismatch is not None
    assert judgement.mismatch.found == f"[{-(2**70)}, 4, {{'$int': 'x'}}]"
