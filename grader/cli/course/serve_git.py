"""Serves bare repositories that grade on push, on this machine only."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from grader.cli.course.course_options import entering_options, tags_option
from grader.cli.course.hook import Hook, install_hooks, most_tags_option, replace_option
from grader.cli.options import as_value
from grader.errors import UsageError
from grader.forge.git import Repository, find_git
from grader.forge.hook import bare_repositories, create_bare
from grader.gradebook.ledger import open_ledger
from grader.gradebook.roster import read_roster

if TYPE_CHECKING:
    from types import FrameType

    from grader.submit.course import Entering


class _Serving(NamedTuple):
    """Which repositories are made, and whether they are served."""

    port: int
    install_only: bool
    create: tuple[str, ...]


@click.command("serve-git")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--port", type=click.IntRange(0, 65535), default=9418, show_default=True, help="On 127.0.0.1.")
@click.option("--install-only", is_flag=True, help="Make repositories and hooks, serve nothing: ssh does.")
@click.option("--create", multiple=True, metavar="NAME", help="Make the bare repository NAME.git (one per student).")
@most_tags_option
@replace_option
@tags_option
@entering_options
@as_value(Hook, "hook")
@as_value(_Serving, "wanted")
def serve_git(folder: Path, entering: Entering, hook: Hook, wanted: _Serving) -> None:
    """Serve the bare repositories in FOLDER on 127.0.0.1: a pushed tag is graded, and the pusher sees it.

    With --roster every student gets a repository; the members of a group have one each and share its quota and grade.
    git's own daemon asks for no password, so it only ever listens on this machine; docs/operations/git-server.md says
    how ssh serves a class.
    """
    folder.mkdir(parents=True, exist_ok=True)
    open_ledger(entering.book, create=True)
    students = (entry.student for entry in read_roster(entering.roster).entries)
    for name in dict.fromkeys([*wanted.create, *students]):
        path = folder / f"{_checked(name)}.git"
        if not path.exists():
            create_bare(path)
    found = [Repository(path) for path in bare_repositories(folder)]
    install_hooks(found, entering, hook)
    click.echo(f"{len(found)} repositories in {folder} grade pushed tags as {entering.name}")
    if not wanted.install_only:
        _serve(folder.absolute(), wanted.port)


def _checked(name: str) -> str:
    if not name.replace("-", "").replace("_", "").replace(".", "").isalnum() or name.startswith((".", "-")):
        raise UsageError(f"{name!r} can't name a repository.", hint="Use letters, digits, dots and dashes.")
    return name


def _serve(folder: Path, port: int) -> None:
    command = [find_git(), "daemon", "--reuseaddr", "--listen=127.0.0.1", f"--port={port}", f"--base-path={folder}"]
    command += ["--export-all", "--enable=receive-pack", "--max-connections=32", "--informative-errors", str(folder)]
    click.echo(f"git clone git://127.0.0.1:{port}/NAME.git   (Ctrl-C ends it)")
    environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.environ.get("HOME", "/")}
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    # A session of its own, so that git's wrapper, the daemon and whoever it serves can be ended together.
    with subprocess.Popen(command, env=environment, start_new_session=True) as daemon:  # noqa: S603 -- fixed program
        try:
            status = daemon.wait()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(daemon.pid, signal.SIGTERM)
    raise UsageError(f"git's daemon ended with status {status}; is the port {port} taken?")


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
