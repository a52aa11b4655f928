"""A tiny course for pushes: two cases, one of them hidden, behind the real pipeline."""

from __future__ import annotations

import contextlib
import io
import os
from typing import TYPE_CHECKING, NamedTuple

import gitrepo

from grader.cli.group import run

if TYPE_CHECKING:
    from pathlib import Path

_ASSIGNMENT = """\
format: 1
title: Hello
files:
  - {name: hello.py, about: prints ok}
kinds:
  say:
    run: {as: program, module: hello.py, file: maze.txt}
    kit: reference.lefthand
    judge: stdout
regulations: REGULATIONS
"""
_CASES = """\
format: 1
cases:
  - {id: first, title: Says ok, input: "S#E\\n", expect: {stdout: "ok\\n"}, visibility: visible}
  - {id: second, title: Says it again, input: "S##E\\n", expect: {stdout: "CANARY\\n"}, visibility: hidden, points: 3}
"""
RIGHT = b"import sys\nprint('ok' if len(open('maze.txt').read()) < 5 else 'CANARY')\n"
WRONG = b"print('ok')\n"


def make(folder: Path, regulations: str = "{attempts: 3}") -> Path:
    """Write the catalogue and make an empty book; give the course's folder."""
    cases = folder / "cases" / "hello"
    cases.mkdir(parents=True)
    (cases / "assignment.yaml").write_text(_ASSIGNMENT.replace("REGULATIONS", regulations))
    (cases / "cases.yaml").write_text(_CASES)
    done = grader(folder, "book", "init", "--book", "book.sqlite")
    assert done.returncode == 0, done.stderr
    return folder


class Done(NamedTuple):
    """What a command did."""

    returncode: int
    stdout: str
    stderr: str


def grader(folder: Path, *arguments: str, **environment: str) -> Done:
    """Run the command line within this process, as `grader` does, with a store of its own."""
    before = dict(os.environ)
    os.environ.update({"XDG_CACHE_HOME": str(folder / "cache"), **environment})
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = run(list(arguments))
    finally:
        os.environ.clear()
        os.environ.update(before)
    return Done(status, out.getvalue(), err.getvalue())


def entering(folder: Path) -> list[str]:
    places = {"--book": "book.sqlite", "--cases": "cases", "-o": "out"}
    return ["-a", "hello", *(part for name, place in places.items() for part in (name, str(folder / place)))]


def submit(folder: Path, tag: str, *more: str, **environment: str) -> Done:
    return grader(folder, "submit", "--tag", tag, "--repo", "student", *entering(folder), *more, **environment)


def student(folder: Path, name: str = "student", content: bytes = RIGHT, *, tag: str = "v1") -> Path:
    """Make a student's repository with one commit and a tag."""
    repository = gitrepo.new_repository(folder / name)
    gitrepo.commit(repository, {"hello.py": content}, tag=tag)
    return repository
