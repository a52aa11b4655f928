"""The page that students work from is filled from the catalogue, and shows nothing hidden."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from markupsafe import Markup

from grader.catalogue.load import assignment_names, find_catalogue, load_assignment
from grader.errors import CatalogueError, UsageError
from grader.handout.page import NAME, handout_html, handout_markdown
from grader.model.scene import Frame, Mark, Scene, Square, Track
from grader.model.verdict import Visibility
from grader.report.html.picture import picture

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model.assignment import Assignment


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """Return the folder of a copy of lefthand, whose handout a test writes."""
    for name in ("lefthand", "alice-rules.md"):
        source = find_catalogue() / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, tmp_path / name)
    return tmp_path / "lefthand"


def loaded(folder: Path) -> Assignment:
    return load_assignment(folder.parent, folder.name)


@pytest.mark.parametrize("name", assignment_names(find_catalogue()))
def test_every_bundled_assignment_has_a_page(name: str) -> None:
    """A student finds the files, a picture, every visible case and how to check; no hidden case is named."""
    assignment = load_assignment(find_catalogue(), name)
    page = handout_html(assignment)
    assert page is not None
    assert "<svg" in page
    assert assignment.files[0].name in page
    for case in assignment.cases:
        is_named = f"<code>{case.id}</code>" in page
        assert is_named == (case.facts.visibility is Visibility.VISIBLE), case.id


def test_a_banned_module_is_on_the_page() -> None:
    """What costs points is said before anything is handed in."""
    page = handout_html(load_assignment(find_catalogue(), "lefthand"))
    assert page is not None
    assert "<code>itertools</code> is banned" in page


def test_a_hidden_case_cannot_be_shown(written: Path) -> None:
    """A handout that names a hidden case is refused, with the names that it may use."""
    hidden = next(c.id for c in loaded(written).cases if c.facts.visibility is not Visibility.VISIBLE)
    (written / NAME).write_text(f'{{{{ input("{hidden}") }}}}')
    with pytest.raises(UsageError, match="is no visible case") as refused:
        handout_markdown(loaded(written))
    assert "seed-example" in refused.value.hint


def test_a_slip_in_the_handout_names_the_file(written: Path) -> None:
    """A misspelt question is the course's fault, with the file's name."""
    (written / NAME).write_text("{{ pictrue('west') }}")
    with pytest.raises(CatalogueError, match=r"handout\.md.*pictrue"):
        handout_markdown(loaded(written))


def test_a_course_need_not_write_one(written: Path) -> None:
    """Without handout.md there is no page."""
    (written / NAME).unlink()
    assert handout_html(loaded(written)) is None


def test_a_picture_shows_the_frame_asked_for() -> None:
    """The walker is where the frame says, the way behind it is marked, and text can't leave its element."""
    frames = (Frame(at=(0, 0), facing="E"), Frame(at=(0, 1), facing="S", marks=(Mark(0, 0, "trail"),)))
    squares = (Square(row=0, column=0, text="<S>"), Square(row=0, column=1, arrows=("NE",), look="disc-green"))
    scene = Scene(rows=1, columns=2, squares=squares, tracks=(Track(title="way", frames=frames),))
    bare, first, last = (picture(scene, frame=frame, label='"hm"') for frame in (None, 0, -1))
    assert isinstance(bare, Markup)
    assert "rotate" not in bare
    assert "translate(0.5 0.5) rotate(90)" in first
    assert "translate(1.5 0.5) rotate(180)" in last
    assert 'r=".1"' in last
    assert 'r=".1"' not in first
    assert "<S>" not in bare
    assert 'aria-label="&#34;hm&#34;"' in bare
