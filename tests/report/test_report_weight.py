"""A page stays light, however much a submission gets wrong."""

from __future__ import annotations

import re
from pathlib import Path

from programs import program
from report_factory import case, sheet, walk_scene

from grader.catalogue.load import load_assignment
from grader.intake.collect import collect_one
from grader.model.result import Evidence
from grader.model.scene import PackedScene
from grader.model.verdict import Audience, Verdict
from grader.pipeline.grade import grade
from grader.pipeline.prepare import prepare
from grader.report.html import page
from grader.report.html.templates import prose
from grader.report.view import view
from grader.wiring import Settings, open_grading

ROOT = Path(__file__).parents[2]
HEAVIEST = "lefthand/WA/draws_only_last_frame"
"""Of all reference solutions: it fails every case, each with a long comparison of its own."""
SCENES = re.compile(r'<script type="application/json" id="scenes">.*?</script>', re.DOTALL)


def test_a_page_of_failures_is_light() -> None:
    """Beside its scenes the heaviest page takes 150 KiB at most, and says what it left out."""
    plan = prepare(load_assignment(ROOT / "cases", "lefthand"))
    with open_grading(Settings(remember=False), plan) as grading:
        (graded,) = grade(grading, [collect_one(program(HEAVIEST), plan.assignment)])
    text = page.render(view(graded, Audience.STAFF))
    assert text.count('class="player"') > 20
    assert len(SCENES.sub("", text).encode()) <= 150 << 10
    assert "more lines like these⟩" in text
    assert "more characters left out⟩" in text


def test_a_page_without_drawings_carries_no_player() -> None:
    """The player comes packed, and only where there is something to play."""
    bare = page.render(view(sheet(cases=[case("one", Verdict.WA)]), Audience.STAFF))
    drawn = case("one", Verdict.WA, evidence=Evidence(scene=PackedScene.of(walk_scene())))
    played = page.render(view(sheet(cases=[drawn]), Audience.STAFF))
    assert 'id="player"' not in bare
    assert 'id="player"' in played
    assert "class Track" not in bare + played
    assert len(bare.encode()) < 25_000


def test_a_line_never_breaks_inside_an_arrow() -> None:
    """A path may be cut behind an arrow, not inside one nor inside a square; nothing of it is markup."""
    assert prose("(0, 1)->(2, -1)") == "<i>(0, 1)</i><i>-&gt;</i><wbr><i>(2, -1)</i>"
    assert prose("(0,1)->(<b>)") == "(0,1)<i>-&gt;</i><wbr>(&lt;b&gt;)"
