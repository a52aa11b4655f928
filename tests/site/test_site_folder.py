"""Promises of the site's folder: nothing hidden in any byte, nothing from elsewhere, plain words without npm."""

from __future__ import annotations

import gzip
import html
import io
import json
import re
import zipfile
from typing import TYPE_CHECKING

import pytest
from canary import CANARY, SOLVERS

from bench.site import NAMES, ROOT
from grader.cli.group import run
from grader.site.packages import PINNED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytest_plugins = ["site_fixtures"]


def every_file(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Give every file of the site, unpacked, and every file of the zips in it."""
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        yield from _inside(path.relative_to(folder).as_posix(), path.read_bytes())


def _inside(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    if name.endswith(".gz"):
        content = gzip.decompress(content)
    yield name, content
    if name.endswith((".zip", ".pyz")):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for inner in archive.namelist():
                yield from _inside(f"{name}/{inner}", archive.read(inner))


def test_nothing_hidden_is_in_any_byte(site: Path) -> None:
    """No hidden case, no solver, no folder of the machine that built it: in zips, in Python's memory, anywhere."""
    files = dict(every_file(site))
    assert len(files) > 500
    marked = [name for name, content in files.items() if CANARY.encode() in content]
    assert {name.split("/")[0] for name in marked} <= {"sums"}  # that course gives its solver out, with its secret
    assert {name.rsplit("/", 1)[-1] for name in marked} == {"secret.py"}
    assert [name for name, content in files.items() if str(ROOT).encode() in content] == []
    solvers = {f"{package}/{module}.py" for package, modules in SOLVERS.items() for module in modules}
    assert [name for name in files if any(name.endswith(f"reference/{solver}") for solver in solvers)] == []


def test_the_worker_of_programs_gets_no_case_and_no_judge(site: Path) -> None:
    """What is sent into the program's worker knows no case, kit or judge."""
    for name in NAMES:
        child = json.loads((site / name / "assignment.json").read_text("utf-8"))["child"]
        assert all(path == "grader/__init__.py" or path.startswith("grader/sandbox/") for path in child["sources"])


def test_the_page_allows_nothing_but_itself(site: Path) -> None:
    """The content policy has no wildcard, no inline code and no other host; Python's frame reaches nothing at all."""
    policies = [
        re.findall(r'Policy" content="([^"]+)"', html.unescape((site / name).read_text("utf-8")))
        for name in ("index.html", "room.html")
    ]
    (page,), (room,) = policies
    assert "unsafe-inline" not in page + room
    assert "'unsafe-eval'" not in page + room
    assert "*" not in page + room
    assert "http" not in page + room
    assert "default-src 'none'" in page
    assert "connect-src" not in room
    assert "default-src 'none'" in room


def test_the_lock_file_names_no_host() -> None:
    """Packages come from wherever npm is told to get them."""
    assert "http" not in (ROOT / "web" / "package-lock.json").read_text("utf-8")


def test_without_npm_it_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A machine without Node gets a sentence and a hint; so does a folder without the packages."""
    given = tmp_path / "empty"
    given.mkdir()
    assert run(["site", "-a", "lefthand", "-o", str(tmp_path / "out"), "--packages", str(given)]) == 2
    assert "npm ci" in capsys.readouterr().err
    from grader.errors import UsageError
    from grader.site import packages

    monkeypatch.setenv("PATH", str(given))
    for name in PINNED:
        (given / name).write_bytes((ROOT / "web" / name).read_bytes())
    with pytest.raises(UsageError, match="npm is missing"):
        packages._run(packages._INSTALL, cwd=given, within_s=1)
