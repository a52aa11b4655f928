"""Scenes become small data that tells the same story."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import pytest
from report_factory import case, sheet, walk_scene

from grader.model.result import Evidence
from grader.model.scene import Frame, Mark, PackedScene, Scene, Square, Track
from grader.model.verdict import Audience, Verdict
from grader.report.html import page, player
from grader.report.html.templates import script_json
from grader.report.view import Exhibit, view


def unpacked(scene: Scene) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(reel(scene).text())))
    return told


def reel(*scenes: Scene) -> player.Reel:
    made = player.Reel()
    for place, scene in enumerate(scenes):
        data = player.pack(Exhibit(scene=scene))
        assert data is not None
        assert made.add(data) == place
    return made


def line(frames: int) -> Scene:
    """Return a walk along a corridor that marks each square it leaves."""
    told = tuple(
        Frame(at=(0, n % 50), marks=(Mark(0, (n - 1) % 50, f"look-{chr(97 + n % 5)}"),) if n else ())
        for n in range(frames)
    )
    squares = tuple(Square(row=0, column=n) for n in range(50))
    return Scene(
        rows=1, columns=50, squares=squares, tracks=(Track(title="walk", frames=told),), difference=frames - 5
    )


def test_the_second_track_names_what_it_shares() -> None:
    """Frames that both tracks have are told once."""
    first, second = unpacked(walk_scene(116))["tracks"]
    assert len(first["frames"]) == 116
    assert second["shared"] == 17
    assert len(second["frames"]) == 99


def test_a_large_scene_is_deflated() -> None:
    """Twenty thousand frames need little room in the page."""
    scene = walk_scene(20_000, difference=15_000)
    assert len(reel(scene).text()) < 150_000
    assert len(unpacked(scene)["tracks"][0]["frames"]) == 20_000


def test_equal_drawings_are_kept_once() -> None:
    """A page's drawings are packed together: what one repeats of another takes next to nothing."""
    alone, twice = reel(walk_scene(116)), reel(walk_scene(116), walk_scene(116))
    assert twice.count == 2
    assert len(twice.text()) < 1.2 * len(alone.text())


def test_a_longer_walk_keeps_a_window_round_the_difference() -> None:
    """What is left out is counted, and what came before is folded into the first frame kept."""
    scene = line(50_000)
    (track,) = unpacked(scene)["tracks"]
    assert len(track["frames"]) == player.FRAME_LIMIT
    assert track["first"] + len(track["frames"]) == 50_000
    assert track["omitted"] == 50_000 - player.FRAME_LIMIT
    whole: dict[int, str] = {}
    for frame in scene.tracks[0].frames[: track["first"] + 1]:
        whole |= {mark.column: mark.look for mark in frame.marks}
    looks = unpacked(scene)["looks"]
    marks = track["frames"][0][3]
    assert {marks[i]: looks[marks[i + 1]] for i in range(0, len(marks), 2)} == whole


@pytest.mark.parametrize("place", [(-1, 0), (0, 50), (3, 3), (0, -1)])
def test_a_place_off_the_board_is_nowhere(place: tuple[int, int]) -> None:
    """A student's walk may leave the board; it never comes in again on the other side."""
    scene = line(3)
    frames = (Frame(at=place, facing="N", marks=(Mark(*place, "trail"),)),)
    track = unpacked(Scene(rows=1, columns=50, squares=scene.squares, tracks=(Track(title="x", frames=frames),)))
    assert track["tracks"][0]["frames"] == [[-1, 1]]


def test_a_maze_too_large_to_draw_is_left_out_in_words() -> None:
    """A board of a million squares becomes a sentence."""
    huge = case(
        "huge", Verdict.WA, evidence=Evidence(scene=PackedScene.of(Scene(rows=1000, columns=1000, squares=())))
    )
    assert "too large to draw" in page.render(view(sheet(cases=[huge]), Audience.STAFF))


def test_a_page_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawings beyond the page's bound are left out in words."""
    monkeypatch.setattr(player, "PAGE_LIMIT", len(reel(walk_scene(60)).text()))
    drawn = Evidence(scene=PackedScene.of(walk_scene(60)))
    cases = [case(name, Verdict.WA, message=name, evidence=drawn) for name in ("first", "second")]
    html = page.render(view(sheet(cases=cases), Audience.STAFF))
    assert html.count('class="player"') == 1
    assert html.index('class="player"') < html.index("drawing was left out")


def test_json_cannot_leave_its_element() -> None:
    """No `<` remains that could close the script or open a comment, and the data reads back."""
    value = {"a": "</script><!--<script>&\u2028"}
    text = str(script_json(value))
    assert "<" not in text
    assert "&" not in text
    assert json.loads(text) == value
