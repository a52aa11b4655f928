"""Feedback goes back without a server: the platform's names, the student's view, and what changed since."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import course as pushes
import pytest
from courses import grader, make
from downloads import pack

if TYPE_CHECKING:
    from pathlib import Path

SECRETS = (b"CANARY", b"S##E")
"""The hidden case's answer and input."""
TIME = ("--received", "2026-03-10T12:00:00+08:00")


def pages(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a course in which Ann came by Canvas, Bob by Moodle, and Cy's group by a tag."""
    folder = make(tmp_path_factory.mktemp("feedback"))
    pack(folder / "canvas.zip", {"doeann_101_5551_hello-1.py": pushes.WRONG})
    pack(folder / "moodle.zip", {"Bob Roe_9_assignsubmission_file_/hello.py": pushes.WRONG})
    pushes.student(folder, "cy", pushes.WRONG)
    assert grader(folder, "collect", "canvas.zip", "moodle.zip", *TIME).returncode == 0
    assert grader(folder, "submit", "--tag", "v1", "--repo", "cy", *TIME).returncode == 1
    return folder


def test_moodles_zip_has_a_page_for_everyone(collected: Path) -> None:
    """The download's own folder where there is one, else a name with the participant's number; members, too."""
    done = grader(collected, "feedback", "--format", "moodle", "-o", "moodle-feedback.zip")
    assert done.returncode == 0, done.stderr
    found = pages(collected / "moodle-feedback.zip")
    assert list(found) == [
        "Bob Roe_9_assignsubmission_file_/feedback.html",
        "Coe, Cy_11_assignsubmission_file/feedback.html",
        "Doe, Ann_7_assignsubmission_file/feedback.html",
        "Lee, Dee_13_assignsubmission_file/feedback.html",
    ]
    assert all(content[:15].lower() == b"<!doctype html>" for content in found.values())
    assert [secret for secret in SECRETS for content in found.values() if secret in content] == []
    assert (collected / "moodle-feedback.zip").stat().st_mode & 0o077 == 0


def test_canvas_zip_names_user_and_attachment(collected: Path) -> None:
    """Whoever handed nothing in on Canvas can't be told to it, and is named."""
    done = grader(collected, "feedback", "--format", "canvas", "-o", "canvas-feedback.zip")
    assert done.returncode == 1
    assert list(pages(collected / "canvas-feedback.zip")) == ["doeann_101_5551_hello-1.html"]
    assert "no page for bob: canvas can't be told whose it is" in done.stderr
    assert [secret for secret in SECRETS if secret in pages(collected / "canvas-feedback.zip").popitem()[1]] == []


def test_only_what_changed_goes_back_again_with_its_reason(tmp_path: Path) -> None:
    """After a zip nothing is left to send; a regrade sends the page once more, and says why."""
    make(tmp_path)
    files = {f"{name}_{number}_assignsubmission_file/hello.py": pushes.WRONG for name, number in (("A", 7), ("B", 9))}
    pack(tmp_path / "moodle.zip", files)
    assert grader(tmp_path, "collect", "moodle.zip", *TIME).returncode == 0
    send = ("feedback", "--format", "moodle", "-o", "f.zip", "--since-last")
    assert "f.zip: 2 pages" in grader(tmp_path, *send).stdout
    assert "f.zip: 0 pages" in grader(tmp_path, *send).stdout
    cases = tmp_path / "cases" / "hello" / "cases.yaml"
    cases.write_text(cases.read_text().replace("CANARY\\n", "ok\\n"))
    more = ("--apply", "--why", "the key was wrong")
    assert grader(tmp_path, "book", "regrade", "ann", *more).returncode == 0
    done = grader(tmp_path, *send)
    assert "Regraded by the staff, 1 → 4 points: the key was wrong" in done.stdout
    ((name, page),) = pages(tmp_path / "f.zip").items()
    assert name == "A_7_assignsubmission_file/feedback.html"
    assert b"the key was wrong" in page
    assert "f.zip: 0 pages" in grader(tmp_path, *send).stdout
