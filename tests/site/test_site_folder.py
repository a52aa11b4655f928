"""Promises of the site's folder: nothing hidden in any byte, nothing from elsewhere, plain words without npm."""

from __future__ import annotations

import ast
import base64
import gzip
import html
import json
import re
import zlib
from pathlib import Path

import pytest
from canary import CANARY, SOLVERS
from compare_site import NAMES, ROOT
from every_byte import DIFFERENCE, MEMORY, every_file, holding

from grader.cli.group import run
from grader.site.packages import PINNED
from grader.zips import zip_files

pytest_plugins = ["site_fixtures"]


@pytest.fixture(scope="module")
def files(site: Path) -> dict[str, bytes]:
    return dict(every_file(site))


def test_nothing_hidden_is_in_any_byte(files: dict[str, bytes]) -> None:
    """No hidden case, no solver, no folder of the machine that built it: in zips, in Python's memory, anywhere."""
    assert len(files) > 500
    marked = holding(files, CANARY)
    assert {name.split("/")[0] for name in marked} <= {"sums"}  # that course gives its solver out, with its secret
    assert {name.rsplit("/", 1)[-1] for name in marked} == {"secret.py"}
    assert holding(files, str(ROOT)) == []
    for module in (Path(package, f"{name}.py") for package, names in SOLVERS.items() for name in names):
        assert [name for name in files if name.endswith(f"reference/{module}")] == []
        docstring = ast.get_docstring(ast.parse((ROOT / "reference" / module).read_text("utf-8"))) or ""
        assert holding(files, docstring.splitlines()[0]) == []


def test_a_planted_secret_is_found_wherever_it_lies(tmp_path: Path) -> None:
    """The search itself is searched: plain, zipped twice, behind a script, in a scene, in Python's memories."""
    secret = "the planted s\u00e9cret"
    inner = zip_files({"inner.zip": zip_files({"a.json": secret.encode()})})
    wide = secret.encode("utf-32-le")
    clean = bytes(range(256)) * 8
    memory = clean + b"\0" * 256
    changed = bytearray(memory)
    changed[300 : 300 + len(wide)] = wide
    planted = {
        "plain.txt": secret.encode(),
        "check.pyz": b"#!/usr/bin/env python3\n" + inner,
        "kit.zip": zip_files({"kit.gz": gzip.compress(secret.encode())}),
        "page.html": b'<div data-scene="' + base64.b64encode(zlib.compress(secret.encode())) + b'">',
        MEMORY: gzip.compress(memory),
        DIFFERENCE: gzip.compress(bytes(one ^ other for one, other in zip(memory, changed, strict=True))),
    }
    for name, content in planted.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    found = holding(dict(every_file(tmp_path)), secret)
    assert found == [
        "check.pyz/inner.zip/a.json", "kit.zip/kit.gz/gz", "page.html/0", "plain.txt", f"{DIFFERENCE}/memory",
    ]  # fmt: skip
    (tmp_path / MEMORY).write_bytes(gzip.compress(bytes(changed)))
    assert f"{MEMORY}/gz" in holding(dict(every_file(tmp_path)), secret)


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
