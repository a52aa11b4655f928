"""What we release is whole: built twice alike, and checked."""

from __future__ import annotations

import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from released import ROOT, run, wheel_in

from grader import __version__

ASSIGNMENTS = ("alice-263", "alice-csv", "alice-grid", "lefthand", "runner")
pytest_plugins = ["release_fixtures"]


def test_the_same_source_gives_the_same_bytes(dist: Path, tmp_path: Path) -> None:
    """The wheel made from the sdist and one made from the tree are equal: reproducible, and the sdist is whole."""
    run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path, ROOT, cwd=tmp_path)
    assert wheel_in(tmp_path).name == wheel_in(dist).name == f"maze_grader-{__version__}-py3-none-any.whl"
    assert wheel_in(tmp_path).read_bytes() == wheel_in(dist).read_bytes()


def test_the_checkers_of_packages_are_content(dist: Path) -> None:
    """Twine can render the README; the wheel holds nothing stray."""
    run(sys.executable, "-m", "twine", "check", "--strict", *dist.iterdir(), cwd=dist)
    run(Path(sys.executable).parent / "check-wheel-contents", wheel_in(dist), cwd=ROOT)


def test_wheel_and_sdist_hold_what_they_should(dist: Path) -> None:
    """Cases, templates and solutions are in the wheel, modules byte for byte, tests and docs in the sdist."""
    wheel = zipfile.ZipFile(wheel_in(dist))
    inside = wheel.namelist()
    for name in ASSIGNMENTS:
        assert f"grader/bundled/cases/{name}/assignment.yaml" in inside
        assert any(path.startswith(f"reference/solutions/{name}/AC/") for path in inside)
    for path in (path for room in ("grader", "reference") for path in (ROOT / room).rglob("*.py")):
        assert wheel.read(str(path.relative_to(ROOT))) == path.read_bytes()
    assert "grader/bundled/templates/similar.html" in inside
    assert "grader/py.typed" in inside
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        source = {path.partition("/")[2] for path in archive.getnames()}
    assert {"tests/release/test_release_wheel.py", "docs/tutorial.md", "mkdocs.yml", "requirements.lock"} <= source
    assert not [path for path in (*inside, *source) if "__pycache__" in path or path.endswith(".pyc")]


def test_the_metadata_has_command_plugin_and_version(python: Path, tmp_path: Path) -> None:
    """`grader` and the pytest plugin are found by whoever installs the wheel."""
    code = (
        "from importlib.metadata import entry_points as e, version; print(version('maze-grader'),"
        "*(p.load().__name__ for g, n in (('console_scripts', 'grader'), ('pytest11', 'maze-grader'))"
        " for p in e(group=g, name=n)))"
    )
    assert run(python, "-c", code, cwd=tmp_path).split()[:3] == [__version__, "main", "grader.pytest_plugin"]


def test_tests_pass_against_the_wheel(python: Path, tmp_path: Path) -> None:
    """Whole rooms of this very suite, run on what is released instead of on the tree; modules are the tree's own."""
    rooms = [ROOT / "tests" / room for room in ("model", "intake")]
    options = ("-q", "-p", "no:cacheprovider", "-c", ROOT / "pyproject.toml")
    assert " passed" in run(python, "-m", "pytest", *options, *rooms, cwd=tmp_path)


@pytest.mark.parametrize(
    ("tag", "status", "said"),
    [
        ("", 2, f"TAG=v{__version__}"),
        ("v99.0", 1, f"grader/__init__.py says {__version__}"),
        (f"v{__version__}", 0, "is ready"),
    ],
)
def test_a_tag_is_compared_with_the_version(tag: str, status: int, said: str, tmp_path: Path) -> None:
    """`make release-check` lets no tag through that the version or the changelog contradicts."""
    for name in (".ci/release-check", "grader/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## {__version__} (2030-01-01)\n")
    assert said in run("sh", ".ci/release-check", tag, cwd=tmp_path, status=status)


def test_an_unreleased_changelog_stops_the_tag(tmp_path: Path) -> None:
    """The date is put into the changelog before the tag is."""
    for name in (".ci/release-check", "grader/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text(f"## {__version__} (unreleased)\n")
    assert "unreleased" in run("sh", ".ci/release-check", f"v{__version__}", cwd=tmp_path, status=1)
