"""A page stays light, however much a submission gets wrong."""

from __future__ import annotations

import re
from pathlib import Path

from grader.catalogue.load import load_assignment
from grader.intake.collect import collect_one
from grader.model.verdict import Audience
from grader.pipeline.grade import grade
from grader.pipeline.prepare import prepare
from grader.report.html import page
from grader.report.view import view
from grader.wiring import Settings, open_grading

ROOT = Path(__file__).parents[2]
HEAVIEST = ROOT / "reference" / "solutions" / "lefthand" / "WA" / "draws_only_last_frame"
"""Of all reference solutions: it fails every case, each with a long comparison of its own."""
SCENES = re.compile(r'<script type="application/json" id="scenes">.*?</script>', re.DOTALL)


def test_a_page_of_failures_is_light() -> None:
    """Beside its scenes the heaviest page takes 150 KiB at most, and says what it left out."""
    plan = prepare(load_assignment(ROOT / "cases", "lefthand"))
    with open_grading(Settings(remember=False), plan) as grading:
        (graded,) = grade(grading, [collect_one(HEAVIEST, plan.assignment)])
    text = page.render(view(graded, Audience.STAFF))
    assert text.count('class="player"') > 20
    assert len(SCENES.sub("", text).encode()) <= 150 << 10
    assert "more lines like these⟩" in text
    assert "more characters left out⟩" in text
