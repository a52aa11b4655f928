"""Takes one tagged push: regulations, grade, ledger, reports, issue."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.attempt import attempt
from grader.cli.course import TagPush
from grader.cli.enter import entering_options, open_course
from grader.cli.moment import read_moment
from grader.cli.publish import report_folder
from grader.errors import GraderError
from grader.forge.actions import add_summary, annotate, no_commands
from grader.forge.git import Repository
from grader.forge.github import GitHub
from grader.forge.gitlab import GitLab
from grader.forge.privacy import is_private
from grader.report.formats import SHEET_FORMATS

if TYPE_CHECKING:
    from grader.forge.issue import Host


@click.command()
@click.option("--tag", required=True, help="The tag that was pushed.")
@click.option(
    "--repo",
    type=click.Path(path_type=Path, exists=True),
    default=Path(),
    help="The student's repository, bare or not (here by default).",
)
@click.option("--student", help="Whose repository it is; by default the repository's name.")
@click.option("--private/--public", "private", default=None, help="Whether the repository is private.")
@click.option(
    "--host",
    type=click.Choice(["none", "gitlab", "github"]),
    default="none",
    show_default=True,
    help="Ask it for visibility and time of the push, and post an issue there.",
)
@click.option("--received", metavar="TIME", help="When the server received the push (ISO 8601 with offset).")
@entering_options
@click.pass_context
def submit(context: click.Context, /, tag: str, repo: Path, **options: Any) -> None:
    """Take one attempt for a pushed TAG; the same tag again shows its first result and costs nothing."""
    host = _host(options["host"])
    course = open_course(options, tell=click.echo, host=host)
    repository = Repository(repo)
    push = TagPush(
        repository=repository,
        tag=tag,
        student=options["student"] or student_of(repository),
        at=_received(options["received"], host),
        private=private_by(host, repository, given=options["private"]),
    )
    with no_commands(os.environ, click.echo):
        status = attempt(course, push)
    folder = report_folder(course.out, push.student, push.tag.removeprefix("refs/tags/"))
    add_summary(os.environ, folder / SHEET_FORMATS["md"][0])
    annotate(os.environ, folder / SHEET_FORMATS["github"][0], click.echo)
    context.exit(status)


def student_of(repository: Repository) -> str:
    """Give the repository's name, which is its owner's on a server that has one per student."""
    folder = repository.folder.parent if repository.folder.name == ".git" else repository.folder
    return folder.name.removesuffix(".git")


def _host(name: str) -> Host | None:
    if name == "gitlab":
        return GitLab.from_environment(os.environ)
    return GitHub.from_environment(os.environ) if name == "github" else None


def moment_of(given: str) -> datetime:
    """Read a time of receipt; one that hasn't come yet is taken as now."""
    return min(datetime.now(UTC), read_moment("--received", given))


def _received(given: str | None, host: Host | None) -> datetime:
    """Take the server's time, never a commit's."""
    if given is not None:
        return moment_of(given)
    now = datetime.now(UTC)
    return min(now, (host.received_at() if host else None) or now)


def private_by(host: Host | None, repository: Repository, *, given: bool | None = None) -> bool | None:
    """Ask the host; without one take the flag, or look at the server's own repository."""
    if host is None:
        return given if given is not None else is_private(repository)
    try:
        return host.is_private()
    except GraderError as error:
        click.echo(f"Whether the repository is private is not known. {error}", err=True)
        return None
