"""Grades the submission in Gradescope's container, where run_autograder starts it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from grader.catalogue.load import find_catalogue, load_assignment
from grader.errors import SandboxError
from grader.intake.entries import single_entry
from grader.model.result import GradeSheet
from grader.model.verdict import Audience
from grader.pipeline.grade import grade
from grader.pipeline.prepare import prepare
from grader.pipeline.rendering import RENDER_S, rendering
from grader.readers.job import Job
from grader.report import gradescope
from grader.report.view import view
from grader.wiring import Settings, open_grading

UNGRADED = {
    "output": "Not graded: the machine lacks what that needs. This is not your fault; your instructor has to look.",
    "output_format": "text",
    "stdout_visibility": "hidden",
}
"""Without a score, as after a breakdown; staff read the reason in the program's own output."""


def main() -> int:
    """Grade /autograder/submission; when that fails, the results of a broken run stay as they were laid down."""
    root = Path(os.environ.get("GRADER_AUTOGRADER_ROOT", "/autograder"))
    try:
        text = _grade(sys.argv[1], root / "submission")
    except SandboxError as refusal:
        sys.stdout.write(f"To the staff: {refusal}\n")
        text = json.dumps(UNGRADED, indent=1) + "\n"
    draft = root / "results" / "results.tmp"
    draft.write_text(text)
    draft.replace(draft.with_suffix(".json"))
    return 0


def _grade(name: str, submission: Path) -> str:
    assignment = load_assignment(find_catalogue(), name)
    render: Job[GradeSheet, str] = Job(
        lambda sheet: gradescope.render(view(sheet, Audience.STAFF)), takes=GradeSheet, gives=str, cpu_s=RENDER_S
    )
    with open_grading(Settings(remember=False), prepare(assignment), jobs=[render]) as grading:
        sheet = next(iter(grade(grading, [single_entry(submission, assignment)])))
        return grading.readers.ask(rendering(render, sheet, lambda sheet: sheet))


if __name__ == "__main__":
    sys.exit(main())
