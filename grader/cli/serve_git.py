"""Serves bare repositories that grade on push, on this machine only."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.enter import entering_options, open_course
from grader.cli.hook import hook_arguments, most_tags_option
from grader.errors import UsageError
from grader.forge.git import Repository
from grader.forge.hook import bare_repositories, create_bare, install
from grader.gradebook.ledger import open_ledger
from grader.gradebook.roster import read_roster

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command("serve-git")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--port", type=click.IntRange(0, 65535), default=9418, show_default=True, help="On 127.0.0.1.")
@click.option("--install-only", is_flag=True, help="Make repositories and hooks, serve nothing: ssh does.")
@click.option("--create", multiple=True, metavar="NAME", help="Make the bare repository NAME.git (one per student).")
@most_tags_option
@entering_options
def serve_git(folder: Path, port: int, **options: Any) -> None:
    """Serve the bare repositories in FOLDER on 127.0.0.1: a pushed tag is graded, and the pusher sees it.

    With --roster every student (or group) gets a repository. git's own daemon asks for no password, so it only ever
    listens on this machine; docs/operations/git-server.md says how ssh serves a class.
    """
    folder.mkdir(parents=True, exist_ok=True)
    open_ledger(options["book"], create=True)
    open_course(options, tell=click.echo)
    for name in _names(options):
        if not (folder / f"{name}.git").exists():
            create_bare(folder / f"{name}.git")
    arguments = hook_arguments(options)
    found = bare_repositories(folder)
    for path in found:
        install(Repository(path), arguments)
    click.echo(f"{len(found)} repositories in {folder} grade pushed tags as {options['name']}")
    if not options["install_only"]:
        _serve(folder.absolute(), port)


def _names(options: dict[str, Any]) -> Iterator[str]:
    entries = read_roster(options["roster"]).entries
    for name in dict.fromkeys([*options["create"], *(entry.student for entry in entries)]):
        if not name.replace("-", "").replace("_", "").replace(".", "").isalnum() or name.startswith((".", "-")):
            raise UsageError(f"{name!r} can't name a repository.", hint="Use letters, digits, dots and dashes.")
        yield name


def _serve(folder: Path, port: int) -> None:
    git = shutil.which("git")
    if git is None:
        raise UsageError("git is not installed on this machine.", hint="Debian: apt-get install git")
    command = [git, "daemon", "--reuseaddr", "--listen=127.0.0.1", f"--port={port}", f"--base-path={folder}"]
    command += ["--export-all", "--enable=receive-pack", "--max-connections=32", "--informative-errors", str(folder)]
    click.echo(f"git clone git://127.0.0.1:{port}/NAME.git   (Ctrl-C ends it)")
    environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.environ.get("HOME", "/")}
    with subprocess.Popen(command, env=environment) as daemon:  # noqa: S603 -- a fixed program
        try:
            status = daemon.wait()
        except KeyboardInterrupt:
            daemon.terminate()
            raise
    raise UsageError(f"git's daemon ended with status {status}; is the port {port} taken?")
