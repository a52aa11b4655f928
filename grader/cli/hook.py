"""Puts the grading hook into bare repositories, and is what it runs."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.enter import entering_options, open_course
from grader.cli.pushed import Pusher, kindly, tell
from grader.cli.submit import moment_of, private_by, student_of
from grader.forge.arrivals import arrived_at
from grader.forge.git import Repository
from grader.forge.github import GitHub
from grader.forge.hook import install as install_hook
from grader.forge.hook import read_updates
from grader.forge.tag import checked_name, shown, tags
from grader.gradebook.event import Key
from grader.gradebook.history import State
from grader.gradebook.ledger import open_ledger
from grader.gradebook.reserve import read_history
from grader.gradebook.settle import sweep

if TYPE_CHECKING:
    from grader.cli.course import Course

_MOST_CAUGHT_UP = 1000

most_tags_option = click.option(
    "--most-tags", type=click.IntRange(min=1), default=20, show_default=True, help="Tags graded of one push."
)


@click.group()
def hook() -> None:
    """Put the grading hook into bare git repositories."""


@hook.command()
@click.argument("repositories", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--student", help="Whose repository it is; by default the repository's name.")
@most_tags_option
@entering_options
def install(repositories: tuple[Path, ...], **options: Any) -> None:
    """Grade tags on push: write the post-receive hook of bare REPOSITORIES, and make the book if there is none."""
    if options["student"] and len(repositories) > 1:
        raise click.UsageError("--student fits one repository only")
    open_ledger(options["book"], create=True)
    open_course(options, tell=click.echo)
    for path in repositories:
        written = install_hook(Repository(path), hook_arguments(options))
        click.echo(f"{written}: pushed tags are graded as {options['name']}")


@hook.command()
@click.option("--student", help="Whose repository it is; by default the repository's name.")
@click.option("--received", metavar="TIME", help="When the push came; now by default.")
@most_tags_option
@entering_options
def receive(received: str | None, **options: Any) -> None:
    """Grade the tags that git names on standard input; git runs this after a push."""
    at = moment_of(received) if received else datetime.now(UTC)
    repository = Repository(Path())
    updates = [update for update in read_updates(sys.stdin.buffer) if update.tag]
    for update in updates:
        if update.is_deletion:
            tell(f"The tag {shown(update.tag)} was deleted; its attempt stays in the book.")
    wanted = [update for update in updates if not update.is_deletion]
    if wanted:
        with kindly(options["out"]):
            course = open_course(options, tell=tell)
            student = options["student"] or student_of(repository)
            pusher = Pusher(course=course, repository=repository, student=student)
            pusher.take(wanted, at=at, most=options["most_tags"])


@hook.command("catch-up")
@click.argument("repositories", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--student", help="Whose repository it is; by default the repository's name.")
@click.option("--github-owner", metavar="NAME", help="Post issues to NAME/STUDENT on GitHub (GRADER_GITHUB_TOKEN).")
@entering_options
def catch_up(repositories: tuple[Path, ...], **options: Any) -> None:
    """Grade the tags of REPOSITORIES that the book doesn't know yet, under the server's time of their push.

    After a crash, or to grade mirrors of repositories that are hosted elsewhere.
    """
    course = open_course(options, tell=tell)
    now = datetime.now(UTC)
    click.echo(f"attempts of dead graders given back: {sweep(course.ledger, now=now)}")
    for path in repositories:
        repository = Repository(path)
        student = options["student"] or student_of(repository)
        missed = _missed(course, repository, student=student)
        host = _github(options["github_owner"], student) if missed else None
        private = private_by(host, repository) if missed else None
        for tag in missed:
            click.echo(f"{student}: {tag}")
            pusher = Pusher(course=replace(course, host=host), repository=repository, student=student)
            pusher.take_one(tag, at=arrived_at(repository, tag) or now, private=private)


def hook_arguments(options: dict[str, Any]) -> list[str]:
    """Give the options again as a command line, with every path made absolute."""
    arguments = ["--assignment", options["name"], "--book", _absolute_book(options["book"])]
    for name in ("out", "cases", "roster"):
        if options[name] is not None:
            arguments += [f"--{name}", str(Path(options[name]).absolute())]
    for name in ("student", "slots", "jobs", "engine", "require_isolation", "most_tags"):
        if options.get(name) is not None:
            arguments += [f"--{name.replace('_', '-')}", str(options[name])]
    for name in options["formats"]:
        arguments += ["--format", name]
    return arguments


def _absolute_book(book: str) -> str:
    return book if "://" in book else str(Path(book).absolute())


def _github(owner: str | None, student: str) -> GitHub | None:
    if owner is None:
        return None
    return GitHub.from_environment({**os.environ, "GITHUB_REPOSITORY": f"{owner}/{student}", "GITHUB_RUN_ID": ""})


def _missed(course: Course, repository: Repository, *, student: str) -> list[str]:
    """Give the tags that the book doesn't know, and those that our fault spoiled."""
    key = Key(assignment=course.assignment.name, party=course.roster.party(student))
    with course.ledger.reading() as connection:
        past = read_history(course.ledger, connection, key)
    done = {
        each.tag
        for each in past.attempts
        if each.student == student and (each.state is not State.REFUNDED or each.points is not None)
    }
    names = tags(repository, most=_MOST_CAUGHT_UP)
    return [checked_name(repository, name) for name in reversed(names) if name not in done]
