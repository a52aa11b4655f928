"""A hidden case's secrets appear in nothing that a student reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from report_factory import case, sheet, walk_scene

from grader.model.result import CaseResult, Evidence, Finding, GradeSheet, Isolation, Mismatch, Severity
from grader.model.run import Stream
from grader.model.scene import PackedScene, Scene, Square, Track
from grader.model.submission import Note
from grader.model.verdict import Audience, Verdict, Visibility
from grader.report.registry import FORMATS
from grader.report.sheet_files import store
from grader.report.writer import RunWriter, Style

if TYPE_CHECKING:
    from pathlib import Path

CANARY = "canary7f3a"


def secret(visibility: Visibility, verdict: Verdict) -> CaseResult:
    """Return a case whose every field but title and points sings."""
    scene = walk_scene(20)
    return case(
        f"{CANARY}-id",
        verdict,
        title="A hidden corridor",
        visibility=visibility,
        message=f"expected {CANARY} message",
        hint=f"{CANARY} hint",
        tags=(f"{CANARY}-tag",),
        cpu_s=3.14159,
        wall_s=3.14159,
        peak_mib=271.828,
        mismatch=Mismatch(
            kind=f"{CANARY}-kind",
            message=f"{CANARY} mismatch",
            where=f"{CANARY} where",
            expected=f"{CANARY}\nexpected",
            found=f"{CANARY}\nfound",
            step=3,
            expected_text=f"{CANARY}\nexpected",
            found_text=f"{CANARY}\nfound",
        ),
        evidence=Evidence(
            input=f"{CANARY} input",
            stdout=Stream.of(f"echo of {CANARY}\n".encode() * 500),
            stderr=Stream.of(f"{CANARY} stderr".encode()),
            traceback=f'Traceback\n  File "/box/{CANARY}.py", line 1\nValueError: {CANARY}',
            scene=PackedScene.of(
                Scene(
                    rows=9,
                    columns=9,
                    squares=(Square(row=0, column=0, text=CANARY[:6]),),
                    tracks=(Track(title=CANARY, frames=scene.tracks[0].frames),),
                    title=CANARY,
                )
            ),
        ),
    )


def singing(visibility: Visibility) -> GradeSheet:
    hidden = Finding(
        rule=f"{CANARY}-rule", path=f"{CANARY}.py", line=1, column=1, message=CANARY, severity=Severity.REVIEW
    )
    seen = Finding(
        rule="banned-use",
        path=f"{CANARY}.py",
        line=10**30,
        column=1,
        message=f"used {CANARY}",
        source=CANARY,
        why=CANARY,
        instead=CANARY,
        cases=(f"{CANARY}-id",),
    )
    cases = [case("open"), *(secret(visibility, verdict) for verdict in Verdict)]
    wall = Isolation(level="isolated", mechanisms=(CANARY,), missing=({"what": CANARY},))
    note = Note(kind="not-deterministic", message=f"{CANARY}-id: 3 runs differ (AC, WA)")
    return sheet(
        notes=(note,),
        cases=cases,
        findings=(hidden, *[seen] * 1_000),
        sources={f"{CANARY}.py": CANARY},
        isolation=wall,
    )


@pytest.mark.parametrize(
    ("audience", "visibility"),
    [
        (Audience.STUDENT, Visibility.HIDDEN),
        (Audience.STUDENT, Visibility.AFTER_DUE_DATE),
        (Audience.STUDENT, Visibility.AFTER_PUBLISHED),
        (Audience.STUDENT_AFTER_DUE, Visibility.HIDDEN),
        (Audience.STUDENT_AFTER_DUE, Visibility.AFTER_PUBLISHED),
    ],
)
def test_no_canary_sings_to_a_student(tmp_path: Path, audience: Audience, visibility: Visibility) -> None:
    """In every format, file names included, neither secret nor measure of a closed case is found."""
    writer = RunWriter(Style(out=tmp_path, audience=audience, formats=FORMATS, keep_sheets=False))
    writer.add(singing(visibility))
    writer.finish()
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) >= 8
    for path in written:
        text = path.read_text("utf-8")
        assert CANARY not in text + str(path.relative_to(tmp_path)), path.name
        assert CANARY[:6] not in text, path.name
        assert "3.14" not in text, path.name
        assert "271.8" not in text, path.name
        assert "272 MiB" not in text, path.name


def test_the_canary_sings_to_staff(tmp_path: Path) -> None:
    """The test above can fail: the staff's files do hold the secrets."""
    writer = RunWriter(Style(out=tmp_path, formats=FORMATS))
    writer.add(singing(Visibility.HIDDEN))
    writer.finish()
    for name in (
        "s1024/report.html",
        "s1024/junit.xml",
        "s1024/report.md",
        "results.json",
        "index.html",
    ):
        assert CANARY in (tmp_path / name).read_text("utf-8"), name


def test_complete_sheets_lie_in_a_closed_folder(tmp_path: Path) -> None:
    """The folder that holds the answers can be entered by its owner alone."""
    store(tmp_path, singing(Visibility.HIDDEN))
    assert (tmp_path / "sheets").stat().st_mode & 0o077 == 0
