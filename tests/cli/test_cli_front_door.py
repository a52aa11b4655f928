"""Promises of the front door: help, versions, mistakes, exit statuses."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from grader import __version__
from grader.cli.group import cli
from grader.cli.main import COMMANDS

if TYPE_CHECKING:
    from pathlib import Path


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "grader", *arguments], capture_output=True, text=True, cwd=cwd, check=False, timeout=60
    )


@pytest.mark.parametrize("arguments", [(), ("-h",), ("help",), ("--debug", "--help")])
def test_help_names_every_command(arguments: tuple[str, ...]) -> None:
    shown = run(*arguments)
    assert shown.returncode == 0
    assert all(name in shown.stdout for name in COMMANDS)


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_has_help(name: str) -> None:
    """No entry of the table leads nowhere."""
    shown = run("help", name)
    assert shown.returncode == 0, shown.stderr
    assert "Usage" in shown.stdout


def test_help_imports_no_click() -> None:
    """The overview answers about as fast as Python starts: nothing heavy is imported for it."""
    code = "import sys; sys.argv = ['grader', '--help']; import grader.cli.main as m; m.main(); "
    code += (
        "print([name for name in ('click', 'rich', 'msgspec', 'hypothesis', 'sqlalchemy') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines()[-1] == "[]"


def test_version_is_said() -> None:
    assert run("--version").stdout.strip() == f"grader, version {__version__}"


def test_an_unknown_command_gets_the_nearest_name() -> None:
    shown = run("grde")
    assert shown.returncode == 2
    assert "Did you mean grade?" in shown.stderr


def test_mistakes_get_two_lines_and_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("1")
    for arguments in (
        ("grade", "x.py", "-a", "nonsense"),
        ("grade", "nobody"),
        ("check", "x.py"),
        ("grade", "x.py", "-a", "lefthand", "--engine", "moon"),
        ("grade", "x.py", "-a", "lefthand", "--format", "clay"),
        ("check", "--cases", "nowhere", "x.py"),
        ("grade", "x.py", "-a", "lefthand", "-o", "/proc/x"),
    ):
        shown = run(*arguments, cwd=tmp_path)
        assert shown.returncode == 2, (arguments, shown.stderr)
        assert "Traceback" not in shown.stderr
        assert len(shown.stderr.strip().splitlines()) <= 4


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_printed(shell: str) -> None:
    assert "_GRADER_COMPLETE" in run("completion", shell).stdout


def test_completion_completes() -> None:
    """What the script asks of us is answered."""
    environment = os.environ | {"_GRADER_COMPLETE": "bash_complete", "COMP_WORDS": "grader doc", "COMP_CWORD": "1"}
    shown = subprocess.run(
        [sys.executable, "-c", "import sys; sys.argv=['grader']; from grader.cli.main import main; main()"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.stdout.splitlines() == ["plain,doctor"]


def test_the_group_is_the_table() -> None:
    assert sorted(cli.list_commands(None)) == sorted(COMMANDS)  # type: ignore[arg-type]  # the context isn't used
