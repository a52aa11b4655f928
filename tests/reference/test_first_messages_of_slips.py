"""The first message names the fault: slips in programs of several styles, checked as a student checks them.

Each table in slips/ has right programs and changes to them; each fault was noted before its message was read,
the words that must name it after.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.catalogue.load import load_assignment
from grader.model.run import File
from grader.model.submission import Submission
from grader.model.verdict import Verdict, Visibility
from grader.pipeline.grade import grade
from grader.pipeline.prepare import prepare
from grader.wiring import Settings, open_grading

HERE = Path(__file__).parent
NAMES = sorted(path.stem for path in (HERE / "slips").glob("*.yaml"))


@pytest.mark.parametrize("name", NAMES)
def test_the_first_message_names_the_slip(name: str) -> None:
    """Each program without a slip passes; with one, the first failed case says the decisive words."""
    table = yaml.safe_load((HERE / "slips" / f"{name}.yaml").read_text("utf-8"))
    sources = table["right"] | {slip: changed(row, table) for slip, row in table["slips"].items()}
    handed_in = [
        Submission(id=slip, files=(File(path=table["file"], content=text.encode()),))
        for slip, text in sources.items()
    ]
    assignment = load_assignment(HERE.parents[1] / "cases", name)
    plan = prepare(assignment, lambda case: case.facts.visibility is Visibility.VISIBLE, timeouts=1)
    with open_grading(Settings(workers=2, remember=False), plan) as grading:
        sheets = {sheet.submission: sheet for sheet in grade(grading, handed_in)}
    first = {
        slip: next((case.message for case in sheet.cases if case.verdict is not Verdict.AC), "")
        for slip, sheet in sheets.items()
    }
    assert {slip: first[slip] for slip in table["right"]} == dict.fromkeys(table["right"], "")
    vague = {slip: first[slip] for slip, row in table["slips"].items() if row["words"] not in first[slip]}
    assert not vague


def changed(row: dict[str, Any], table: dict[str, Any]) -> str:
    """Make the slip in the right program; a change that finds nothing to change is no slip."""
    text: str = row.get("program") or table["right"][row["right"]]
    for old, new in row.get("changes", ()):
        assert old in text, old
        text = text.replace(old, new, 1)
    return text
