"""Every format is what its readers take it for, whatever a student wrote."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import junitparser
import msgspec
import pytest
import xmlschema
from report_factory import banned_import, case, class_of, full_set, review_note, rich_sheet, sheet
from report_hostile import hostile_sheet

from grader.errors import UsageError
from grader.model import lms
from grader.model.result import Evidence, Mismatch, Remark
from grader.model.verdict import Audience, Verdict, Visibility
from grader.report import findings, gradescope, junit, markdown, results, summary
from grader.report.layout import CANVAS, CLASS_PAGE, MOODLE, RESULTS
from grader.report.registry import FORMATS, SHEET_FORMATS, chosen, reporter
from grader.report.summary import ClassSummary
from grader.report.text import terminal
from grader.report.view import SheetView, view
from grader.report.writer import RunWriter, Style

pytest_plugins = ["report_fixtures"]

HERE = Path(__file__).parent
SHEETS = {
    "rich": rich_sheet,
    "hostile": hostile_sheet,
    "empty": lambda: sheet(cases=(), problem="Nothing was handed in."),
}
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def shown(name: str, audience: Audience = Audience.STAFF) -> SheetView:
    return view(SHEETS[name](), audience)


@pytest.mark.parametrize("audience", list(Audience))
@pytest.mark.parametrize("name", list(SHEETS))
@pytest.mark.parametrize("form", list(SHEET_FORMATS))
def test_every_reporter_keeps_the_contract(form: str, name: str, audience: Audience) -> None:
    """Each reporter gives the same bounded text twice, free of control characters and overrides."""
    seen = shown(name, audience)
    text = reporter(form)(seen)
    assert text == reporter(form)(seen)
    assert len(text.encode()) < 5_000_000
    assert not UNSAFE.search(text)


@pytest.mark.parametrize("name", list(SHEETS))
def test_junit_keeps_its_schema(name: str) -> None:
    """The XML is valid by the schema that documents what CI servers read."""
    xmlschema.XMLSchema(str(HERE / "junit.xsd")).validate(junit.render(shown(name)))


@pytest.mark.parametrize("name", list(SHEETS))
def test_junit_is_read_by_a_real_consumer(name: str) -> None:
    """The package junitparser counts what we counted, and names stay unique, or GitLab would drop them."""
    seen = shown(name)
    suites = junitparser.JUnitXml.fromstring(junit.render(seen).encode())
    (suite,) = list(suites)
    assert suite.tests == len(seen.cases) == len(list(suite))
    assert len({entry.name for entry in suite}) == len(seen.cases)


def test_junit_tells_wrong_from_broken_from_skipped() -> None:
    """A wrong answer is a failure, a judge error an error, a case not run is skipped, points are properties."""
    root = ET.fromstring(junit.render(shown("rich")))
    suite = root[0]
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "15", "failures": "10", "errors": "1", "skipped": "1"}
    assert suite.find("properties/property[@name='points']").get("value") == "3.5"  # type: ignore[union-attr]  # is there


GRADESCOPE: dict[str, Any] = {
    "type": "object",
    "required": ["output", "tests"],
    "additionalProperties": False,
    "properties": {
        "score": {"type": "number", "minimum": 0},
        "execution_time": {"type": "number"},
        "output": {"type": "string"},
        "output_format": {"enum": ["text", "html", "simple_format", "md", "ansi"]},
        "test_output_format": {"enum": ["text", "html", "simple_format", "md", "ansi"]},
        "test_name_format": {"enum": ["text", "html", "simple_format", "md", "ansi"]},
        "visibility": {"enum": ["visible", "hidden", "after_due_date", "after_published"]},
        "stdout_visibility": {"enum": ["visible", "hidden", "after_due_date", "after_published"]},
        "extra_data": {"type": "object"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "score": {"type": "number"},
                    "max_score": {"type": "number"},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string"},
                    "number": {"type": "string"},
                    "output": {"type": "string"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "visibility": {"enum": ["visible", "hidden", "after_due_date", "after_published"]},
                    "extra_data": {"type": "object"},
                },
            },
        },
    },
}


@pytest.mark.parametrize("name", list(SHEETS))
def test_gradescope_takes_the_file(name: str) -> None:
    """Keys and values are those that Gradescope documents."""
    jsonschema.validate(json.loads(gradescope.render(shown(name))), GRADESCOPE)


def test_gradescope_gets_each_visibility() -> None:
    """The staff's file leaves hiding to Gradescope; a student's holds nothing to hide."""
    graded = sheet(cases=[case(str(one), visibility=one) for one in Visibility])
    staff = json.loads(gradescope.render(view(graded, Audience.STAFF)))
    student = json.loads(gradescope.render(view(graded, Audience.STUDENT)))
    assert [test["visibility"] for test in staff["tests"]] == [str(one) for one in Visibility]
    assert {test["visibility"] for test in student["tests"]} == {"visible"}


def test_codequality_items_have_what_gitlab_reads() -> None:
    """Each finding has a place, a severity and a fingerprint of its own."""
    items = json.loads(findings.code_quality(shown("hostile")))
    assert len({item["fingerprint"] for item in items}) == len(items) > 10
    for item in items:
        assert item["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert item["location"]["lines"]["begin"] >= 1
        assert item["location"]["path"]


def test_sarif_and_codequality_tell_the_same() -> None:
    """Both are made from one list: what the rules found, and what people said of lines."""
    said = Remark(title="hello.py, line 2", message="say why", path="hello.py", line=2)
    seen = view(sheet(findings=(banned_import(), review_note()), remarks=(said,)), Audience.STAFF)
    (run,) = json.loads(findings.sarif_of(seen))["runs"]
    items = json.loads(findings.code_quality(seen))
    assert [each["ruleId"] for each in run["results"]] == [item["check_name"] for item in items]
    assert [item["location"]["lines"]["begin"] for item in items] == [3, 19, 2]


def test_the_terminal_gives_ci_no_command() -> None:
    """No line begins with `::` even after blanks, and no `##[` stands anywhere."""
    text = terminal.render(shown("hostile"))
    assert not [line for line in text.splitlines() if line.strip().startswith("::")]
    assert not re.search(r"##(\[|[a-z]+\[)", text)


def test_the_terminal_explains_under_each_failure() -> None:
    """The reason is right below its case; the first failure is drawn, in the columns that there are."""
    lines = terminal.render(shown("rich")).splitlines()
    place = lines.index("✗ wrong answer (WA) in left-turns")
    assert "Frame 17 differs" in lines[place + 1]
    assert any("[<]" in line for line in lines)
    assert max(map(len, lines)) <= 80


def test_the_same_crash_is_told_once() -> None:
    """Cases that stop at the same line are one failure, whatever the values were; a crash has no hint."""
    trace = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    x[{0}]\nKeyError: {0}\n'
    crashes = [
        case(
            name,
            Verdict.RTE,
            hint="Beware.",
            mismatch=Mismatch(kind="KeyError", message=f"it stopped with KeyError: {name}"),
            evidence=Evidence(traceback=trace.format(name)),
        )
        for name in ("one", "two")
    ]
    text = terminal.render(view(sheet(cases=crashes), Audience.STUDENT))
    assert "✗ run-time error (RTE) in all 2 cases, for the same reason" in text
    assert text.count("Traceback") == 1
    assert "Beware" not in text


def test_markdown_words_only_read() -> None:
    """No payload outside a fence makes a tag, a link, a mention or a quick action."""
    text = markdown.render(shown("hostile"))
    outside = re.sub(r"^(`{3,})text\n.*?\n\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    tags = set(re.findall(r"<[^>]*>", outside))
    assert tags == {"<details>", "</details>", "<summary>", "</summary>", "<sub>", "</sub>"}
    assert "](" not in outside
    assert "@everyone" not in outside
    assert "://" not in outside
    assert not re.search(r"^\s*/\w", outside, re.MULTILINE)


def test_markdown_stays_below_a_mebibyte() -> None:
    """A sheet of a thousand long explanations is cut, and says how many were left out."""
    cases = [case(f"c{n}", Verdict.WA, message="m\n" * 2000, hint="h\n" * 2000) for n in range(400)]
    text = markdown.render(view(sheet(cases=cases), Audience.STAFF))
    assert len(text.encode()) <= 1024 * 1024
    assert "more explanations were left out" in text


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1+1", "@x", "\t=1", " =1", "＝1"])
def test_a_spreadsheet_sees_no_formula(cell: str) -> None:
    """A cell that a spreadsheet would compute is text."""
    assert lms.guard(cell).startswith("'")
    assert lms.guard("-1.5") == "-1.5", "a number stays one"


def class_of_two() -> ClassSummary:
    """Add up one submission with a judge error and one without."""
    summary = ClassSummary()
    summary.add(view(sheet("Ada Lovelace_4711_assignsubmission_file_", cases=full_set()[:4]), Audience.STAFF))
    summary.add(view(sheet("=cmd()"), Audience.STAFF))
    return summary


def test_canvas_and_moodle_get_their_columns() -> None:
    """Headers are word for word theirs; Moodle's own folder names give back the participant."""
    canvas = list(csv.reader(io.StringIO(summary.canvas(class_of_two()))))
    moodle = list(csv.reader(io.StringIO(summary.moodle(class_of_two()))))
    assert canvas[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "The left-hand rule"]
    assert canvas[1] == ["    Points Possible", "", "", "", "", "15"]
    assert canvas[2][0] == "'=cmd()"
    assert moodle[0][:5] == ["Identifier", "Full name", "Email address", "Grade", "Maximum Grade"]
    assert moodle[2][:5] == ["Participant 4711", "Ada Lovelace", "", "2.5", "15"]
    assert lms.canvas("Title", "3", [], assignment_id="77").splitlines()[0].endswith("Title (77)")


def test_a_mark_with_a_judge_error_is_left_blank() -> None:
    """What could not be judged costs nobody points: the cell stays empty, so that an import leaves it alone."""
    (spoiled, fine) = (list(csv.reader(io.StringIO(summary.canvas(class_of_two()))))[line] for line in (2, 3))
    assert (spoiled[5], fine[5]) == ("", "2.5")
    (spoiled, fine) = (list(csv.reader(io.StringIO(summary.moodle(class_of_two()))))[line] for line in (1, 2))
    assert (spoiled[3], fine[3]) == ("", "2.5")
    assert [row.id for row in class_of_two().unjudged()] == ["=cmd()"]


def test_results_have_format_one() -> None:
    """The file's fields are those of format 1, and it decodes by its own schema."""
    text = results.render(shown("rich"))
    msgspec.json.decode(text, type=results.ResultFile)
    data = json.loads(text)
    assert (data["format"], data["assignment"], data["grader"], data["isolation"]) == (
        1,
        "lefthand",
        "0.1.0",
        "isolated",
    )
    (submission,) = data["submissions"]
    wanted = {"id", "verdict", "points", "max_points", "cpu_s", "wall_s", "peak_mib", "visibility", "message"}
    assert all(wanted <= entry.keys() for entry in submission["cases"])
    assert all(entry["message"] for entry in submission["cases"] if entry["verdict"] != "AC")
    assert submission["findings"][0].items() >= {"rule": "banned-import", "path": "maze_solver.py", "line": 3}.items()


def test_files_of_a_class_have_one_order(tmp_path: Path) -> None:
    """They don't hang on the order in which sheets were finished."""
    for name, order in (("a", [*class_of(12)]), ("b", [*class_of(12)][::-1])):
        writer = RunWriter(Style(out=tmp_path / name, formats=("html", "json", "csv")))
        for one in order:
            writer.add(one)
        writer.finish()
    for file in (RESULTS, CLASS_PAGE, CANVAS, MOODLE):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
    listed = [row["id"] for row in json.loads((tmp_path / "a" / RESULTS).read_text())["submissions"]]
    assert listed == sorted(one.submission for one in class_of(12))


@pytest.mark.parametrize("form", ["text", "md", "junit"])
def test_the_words_are_those_of_the_gold_file(form: str) -> None:
    """A student's report reads as it was agreed; `GOLD=update` agrees anew."""
    text = reporter(form)(shown("rich", Audience.STUDENT))
    gold = HERE / "gold" / SHEET_FORMATS[form][0]
    if os.environ.get("GOLD") == "update":
        gold.parent.mkdir(exist_ok=True)
        gold.write_text(text, encoding="utf-8")
    assert text == gold.read_text("utf-8")


def test_formats_are_chosen_by_name() -> None:
    """Names come alone or joined by commas; an unknown one is refused with the list."""
    assert chosen(["html,json", "junit"]) == ("html", "json", "junit")
    assert chosen([]) == ("html", "json")
    with pytest.raises(UsageError, match="pdf"):
        chosen(["pdf"])
    assert {"html", "json", "junit", "gradescope", "md", "csv", "codequality", "sarif"} <= set(FORMATS)
