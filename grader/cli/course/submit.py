"""Takes one tagged push: regulations, grade, ledger, reports, issue."""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from grader.cli.course.course_options import entering_options, moment_option, student_option
from grader.cli.options import as_value, of_course
from grader.errors import GraderError
from grader.forge.git import Repository
from grader.forge.github import GitHub
from grader.forge.gitlab import GitLab
from grader.forge.host import HostError
from grader.forge.tag import PushedTag, named
from grader.report.registry import SHEET_FORMATS
from grader.submit.attempt import attempt
from grader.submit.course import open_course
from grader.submit.push import commit_reader, logging_for_staff

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from grader.forge.host import Host, Pushed
    from grader.submit.course import Entering


_LARGEST_SUMMARY = (1 << 20) - 1024  # GitHub drops a step's summary beyond 1 MiB


class _Asked(NamedTuple):
    """The push that the command line names."""

    tag: str
    repo: Path
    student: str | None
    private: bool | None
    host: str
    received: str | None


@click.command()
@click.option("--tag", required=True, help="The tag that was pushed.")
@click.option(
    "--repo",
    type=click.Path(path_type=Path),
    default=Path(),
    help="The student's repository, bare or not (here by default).",
)
@student_option
@click.option("--private/--public", "private", default=None, help="Whether the repository is private.")
@click.option(
    "--host",
    type=click.Choice(["none", "gitlab", "github"]),
    default=lambda: of_course(lambda course: course.file.host.value, "none"),
    show_default="none",
    help="Ask it for visibility and time of the push, and post an issue there (else the course's).",
)
@click.option("--received", metavar="TIME", help="When the server received the push (ISO 8601 with offset).")
@entering_options
@as_value(_Asked, "asked")
def submit(entering: Entering, asked: _Asked) -> int:
    """Take one attempt for a pushed TAG; the same tag again shows its first result and costs nothing."""
    host = _host(asked.host)
    with logging_for_staff(entering.out), open_course(entering, tell=click.echo, host=host) as course:
        repository = Repository(asked.repo)
        pushed = _pushed(host)
        arrival = course.arrival(
            repository,
            _came(repository, asked.tag, pushed),
            student=asked.student or repository.owner,
            at=_received(asked.received, pushed),
            private=private_by(host, repository, given=asked.private),
        )
        with _no_commands(os.environ, click.echo):
            status = attempt(course, arrival, commit_reader(repository, arrival, course.assignment))
        folder = course.report_folder(arrival.student, arrival.tag)
    _add_summary(os.environ, folder / SHEET_FORMATS["md"][0])
    return status


def _host(name: str) -> Host | None:
    if name == "gitlab":
        return GitLab.from_environment(os.environ)
    return GitHub.from_environment(os.environ) if name == "github" else None


def _pushed(host: Host | None) -> Pushed | None:
    """Ask the host for the push; without its answer nothing can be decided, and nothing is entered."""
    try:
        return host.pushed() if host else None
    except HostError as error:
        hint = "Nothing was entered into the book; run this again: the time of the push stays."
        raise HostError(error.message, hint=hint) from error


def _came(repository: Repository, tag: str, pushed: Pushed | None) -> PushedTag:
    """Find the tag; the commit is the one that came with the push, as far as the host tells and the clone has it."""
    found = named(repository, tag)
    commit = pushed.commit if pushed else ""
    is_here = commit and repository.ask("cat-file", "-e", f"{commit}^{{commit}}") is not None
    return PushedTag(name=found.name, oid=commit) if is_here else found


def moment_of(given: str) -> datetime:
    """Read a time of receipt; one that hasn't come yet is taken as now."""
    return min(datetime.now(UTC), moment_option("--received", given))


def _received(given: str | None, pushed: Pushed | None) -> datetime:
    """Take the server's time, never a commit's."""
    if given is not None:
        return moment_of(given)
    now = datetime.now(UTC)
    return min(now, pushed.at if pushed else now)


def private_by(host: Host | None, repository: Repository, *, given: bool | None = None) -> bool | None:
    """Ask the host; without one take the flag, or look at the server's own repository. None when nobody can tell."""
    if host is None:
        return given if given is not None else repository.is_private()
    try:
        return host.is_private()
    except GraderError as error:
        click.echo(f"Whether the repository is private is not known. {error}", err=True)
        return None


@contextmanager
def _no_commands(environment: Mapping[str, str], write: Callable[[str], None]) -> Iterator[None]:
    """Keep GitHub from reading commands in what is written, since a student's words may be among it."""
    if environment.get("GITHUB_ACTIONS") != "true":
        yield
        return
    token = secrets.token_hex(16)
    write(f"::stop-commands::{token}")
    try:
        yield
    finally:
        write(f"::{token}::")


def _add_summary(environment: Mapping[str, str], report: Path) -> None:
    """Append a Markdown report to the job's summary, as far as it fits."""
    place = environment.get("GITHUB_STEP_SUMMARY")
    if not place or not report.exists():
        return
    summary = Path(place)
    taken = summary.stat().st_size if summary.exists() else 0
    text = report.read_bytes()
    if taken + len(text) > _LARGEST_SUMMARY:
        text = b"\nThe report is too long for this summary; it is among the job's artifacts.\n"
    with summary.open("ab") as file:
        file.write(text + b"\n")
