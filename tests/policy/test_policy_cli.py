"""`grader scan`: exit status, text for people, formats for tools."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from grader.cli.scan import FORMATS
from grader.policy.scan import RULES

if TYPE_CHECKING:
    from pathlib import Path


def grader(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grader", "scan", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "bad.py").write_text("x = 1\nimport copy\n")
    (tmp_path / "good.py").write_text("grid = [[1]]\nprint([row[:] for row in grid], grid.copy())\n")
    (tmp_path / "note.py").write_text("x = eval(input())\n")
    return tmp_path


def test_text_shows_place_line_caret_reason_and_alternative(work: Path) -> None:
    """One finding is readable with nobody from the course in the room."""
    done = grader("bad.py", folder=work)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith("bad.py:2:8: `import copy` brings in the banned module `copy`.")
    assert lines[1] == "    import copy"
    assert lines[2] == "           ^^^^"
    assert lines[3].startswith("  why: ")
    assert lines[4].startswith("  instead: ")


def test_a_clean_file_and_a_note_exit_with_zero(work: Path) -> None:
    """Only certain findings fail a build."""
    assert grader("good.py", folder=work).returncode == 0
    noted = grader("note.py", folder=work)
    assert (noted.returncode, "note: " in noted.stdout) == (0, True)


def test_a_folder_is_scanned_whole_and_paths_can_be_clicked(work: Path) -> None:
    """Paths are as typed, so that an editor opens them."""
    done = grader(str(work), "--ban", "copy", "--format", "json", folder=work)
    assert done.returncode == 1
    findings = json.loads(done.stdout)
    assert {finding["path"] for finding in findings} == {str(work / "bad.py"), str(work / "note.py")}


@pytest.mark.parametrize("arguments", [(), ("nope.py",), ("good.py", "--format", "nope"), ("good.py", "-a", "nope")])
def test_usage_exits_with_two(work: Path, arguments: tuple[str, ...]) -> None:
    """A mistake on the command line is one or two lines and status 2."""
    done = grader(*arguments, folder=work)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_the_assignment_s_own_policy_is_used(work: Path) -> None:
    """With -a the catalogue's rules hold."""
    assert grader("bad.py", "-a", "lefthand", folder=work).returncode == 1


def test_own_ban_replaces_the_default(work: Path) -> None:
    """--ban names what is banned here."""
    assert grader("bad.py", "--ban", "random", folder=work).returncode == 0


def test_neighbours_of_a_single_file_are_known(work: Path) -> None:
    """An own copy.py beside the file makes its import innocent, as at home."""
    (work / "copy.py").write_text("def clone(x):\n    return list(x)\n")
    done = grader("bad.py", folder=work)
    assert (done.returncode, "[own-module]" in done.stdout) == (0, True)


def test_sarif_has_the_shape_that_viewers_need(work: Path) -> None:
    """Version, rules, and a region with columns for each result."""
    log = json.loads(grader("bad.py", "note.py", "--format", "sarif", folder=work).stdout)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {rule.name for rule in RULES}
    assert [result["level"] for result in run["results"]] == ["error", "note"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "bad.py"
    assert place["region"]["startLine"] == 2
    assert place["region"]["startColumn"] < place["region"]["endColumn"]


def test_gitlab_items_have_their_fields(work: Path) -> None:
    """Description, check, fingerprint, severity and place, as GitLab reads them."""
    items = json.loads(grader("bad.py", "note.py", "--format", "gitlab", folder=work).stdout)
    assert [item["severity"] for item in items] == ["major", "info"]
    assert items[0]["location"] == {"path": "bad.py", "lines": {"begin": 2}}
    assert len({item["fingerprint"] for item in items}) == 2
    assert set(items[0]) == {"description", "check_name", "fingerprint", "severity", "location"}


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_found_is_valid_in_every_format(work: Path, form: str) -> None:
    """Tools get an empty list, people a word."""
    done = grader("good.py", "--format", form, folder=work)
    assert done.returncode == 0
    if form in {"json", "gitlab", "sarif"}:
        json.loads(done.stdout)
