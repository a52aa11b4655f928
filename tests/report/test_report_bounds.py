"""However long or odd a student's words are, a report costs no more than a bound."""

from __future__ import annotations

import json
import math
import sys
from functools import partial
from typing import TYPE_CHECKING, TypeVar
from xml.etree import ElementTree as ET

import msgspec
import pytest
from report_factory import case, sheet

from grader.model.result import Evidence, Finding, GradeSheet, Mismatch
from grader.model.run import Stream
from grader.model.scene import Frame, Mark, PackedScene, Scene, Square, Track
from grader.model.submission import Note
from grader.model.verdict import Audience, Verdict
from grader.report import results
from grader.report.registry import SHEET_FORMATS, reporter
from grader.report.sheet_files import pack_sheet, unpack_sheet
from grader.report.view import view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Made = TypeVar("Made")
SHAPES = {
    "one line": "x",
    "empty lines": "\n",
    "short lines": "ab\n",
    "lines of blanks": "  \n",
    "escapes": "\x1b[31m",
    "overrides": "\u202e",
    "stacked accents": "\u0301",
    "surrogates": "\ud800",
    "quotes": '"',
    "triple quotes": '"""\n',
    "formatted strings": "f\"{f'{",
    "backslashes": "\\\n",
    "brackets": "([{",
    "numbers": "9",
    "backticks": "`",
    "hashes": "##[",
    "mentions": "@a ",
    "frames": '  File "/box/a.py", line 1, in f\n',
    "foreign frames": '  File "/usr/lib/python3.11/a.py", line 1, in f\n    f()\n',
    "markup": "<b>&",
}


def wordy(shape: str, size: int) -> GradeSheet:
    """Return a sheet that says the same thing wherever a student's words can stand, about `size` letters each."""
    text = (shape * (size // len(shape) + 1))[:size]
    other = text[: size // 2] + "!" + text[size // 2 :]
    mismatch = Mismatch(
        kind="frame", message=text, where=text, expected=text, found=other, expected_text=text, found_text=other
    )
    raw = text.encode("utf-8", "surrogatepass")
    evidence = Evidence(input=text, stdout=Stream.of(raw), stderr=Stream.of(raw), traceback=text)
    wrong = case("wrong", Verdict.WA, message=text, mismatch=mismatch, hint=text, evidence=evidence)
    lines = range(1, size // 100 + 2)
    findings = tuple(
        Finding(rule="banned-use", path="a.py", line=line * 7, column=3, end_column=9, message=text) for line in lines
    )
    notes = tuple(Note(kind="dropped", message=text) for _ in lines)
    return sheet(text[:5_000], cases=[wrong], findings=findings, notes=notes, problem=text, sources={"a.py": text})


def steps(make: Callable[[], Made]) -> tuple[int, Made]:
    """Return how many calls it takes, and what it makes."""
    count = 0

    def note(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(note)
    try:
        made = make()
    finally:
        sys.setprofile(None)
    return count, made


def costs(sheet_: GradeSheet, forms: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return the calls and the bytes of the view, and of each report that is made of it."""
    calls, shown = steps(lambda: view(sheet_, Audience.STUDENT))
    found = {"view": (calls, 0)}
    for form in forms:
        calls, text = steps(partial(reporter(form), shown))
        found[form] = (calls, len(text.encode()))
    return found


@pytest.mark.parametrize("place", range(len(SHAPES)), ids=list(SHAPES))
def test_four_times_the_words_take_no_more_steps(place: int) -> None:
    """Beyond the bounds neither calls nor bytes grow, whatever the words look like."""
    shape = SHAPES[list(SHAPES)[place]]
    others = [form for form in SHEET_FORMATS if form not in {"html", "text"}] if place % 4 == 0 else []
    forms = ["text" if place % 2 else "html", *others]  # the others do less of their own with the view
    costs(wordy("warm up", 100), forms)
    few, many = costs(wordy(shape, 25_000), forms), costs(wordy(shape, 100_000), forms)
    for name, (calls, size) in few.items():
        more_calls, more_size = many[name]
        assert more_calls < 1.5 * calls + 2_000, (name, calls, more_calls)
        assert more_size < 1.5 * size + 20_000, (name, size, more_size)


ODD_NUMBERS = (math.nan, math.inf, -math.inf, 1e308, 5e-324)
HUGE = 10**30


@pytest.mark.parametrize("number", ODD_NUMBERS)
def test_every_number_can_be_written(number: float) -> None:
    """No number that a judge or a clock may give breaks a format, and JSON stays JSON."""
    odd = case("odd", Verdict.WA, points=number, max_points=number, cpu_s=number, wall_s=number, peak_mib=number)
    shown = view(sheet(cases=[odd], points=number, max_points=number, fine=number), Audience.STAFF)
    for form in SHEET_FORMATS:
        text = reporter(form)(shown)
        if SHEET_FORMATS[form][0].endswith(".json"):
            json.loads(text, parse_constant=pytest.fail)
    msgspec.json.decode(results.render(shown), type=results.ResultFile)
    ET.fromstring(reporter("junit")(shown))


def test_a_sheet_is_kept_whatever_it_holds() -> None:
    """Numbers beyond 64 bits and lone surrogates are brought within bounds; nothing else changes."""
    scene = Scene(
        rows=HUGE,
        columns=-HUGE,
        squares=(Square(row=HUGE, column=0),),
        tracks=(Track(title="t", frames=(Frame(at=(HUGE, HUGE), label="9" * 99, marks=(Mark(HUGE, 1, "x"),)),)),),
        difference=HUGE,
    )
    finding = Finding(rule="r", path="a\ud800.py", line=HUGE, column=-HUGE, end_column=HUGE, message="\udfff")
    odd = case(
        "odd",
        Verdict.WA,
        mismatch=Mismatch(kind="k", message="\ud800", step=HUGE),
        evidence=Evidence(stdout=Stream.of(b"\xff"), scene=PackedScene.of(scene)),
    )
    whole = sheet("s\ud800", cases=[odd, case()], findings=(finding,), sources={"a\ud800.py": "\ud800"})
    kept = unpack_sheet(pack_sheet(whole))
    assert kept.cases[1] == whole.cases[1]
    assert kept.cases[0].evidence.stdout == whole.cases[0].evidence.stdout
    assert kept.findings[0].line == 2**63 - 1
    for shown in (view(whole, Audience.STAFF), view(kept, Audience.STAFF)):
        results.render(shown)
        for form in SHEET_FORMATS:
            reporter(form)(shown).encode()
