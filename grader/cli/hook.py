"""Puts the grading hook into bare repositories, and is what it runs."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.attempt import attempt
from grader.cli.course import TagPush
from grader.cli.enter import entering_options, open_course
from grader.cli.submit import private_by, student_of
from grader.errors import GraderError
from grader.forge.arrivals import arrived_at
from grader.forge.git import Repository
from grader.forge.github import GitHub
from grader.forge.hook import Update, read_updates
from grader.forge.hook import install as install_hook
from grader.forge.privacy import is_private
from grader.forge.tag import checked_name, shown, tags
from grader.gradebook.event import Key, Refusal
from grader.gradebook.history import State
from grader.gradebook.ledger import open_ledger
from grader.gradebook.reserve import Arrival, read_history, refuse
from grader.gradebook.settle import sweep
from grader.gradebook.words import too_many_text

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
@most_tags_option
@entering_options
def receive(**options: Any) -> None:
    """Grade the tags that git names on standard input; git runs this after a push."""
    at = datetime.now(UTC)
    repository = Repository(Path())
    updates = [update for update in read_updates(sys.stdin.buffer) if update.tag]
    for update in updates:
        if update.is_deletion:
            click.echo(f"The tag {shown(update.tag)} was deleted; its attempt stays in the book.")
    wanted = [update for update in updates if not update.is_deletion]
    if wanted:
        course = open_course(options, tell=_tell)
        student = options["student"] or student_of(repository)
        most = options["most_tags"]
        for update in wanted[:most]:
            if len(wanted) > 1:
                course.tell(f"— {shown(update.tag)}")
            _one(course, _push(repository, update.tag, student=student, at=at))
        _leave(course, [_arrival(course, update, student=student, at=at) for update in wanted[most:]], most=most)


@hook.command("catch-up")
@click.argument("repositories", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--student", help="Whose repository it is; by default the repository's name.")
@click.option("--github-owner", metavar="NAME", help="Post issues to NAME/STUDENT on GitHub (GRADER_GITHUB_TOKEN).")
@entering_options
def catch_up(repositories: tuple[Path, ...], **options: Any) -> None:
    """Grade the tags of REPOSITORIES that the book doesn't know yet, under the server's time of their push.

    After a crash, or to grade mirrors of repositories that are hosted elsewhere.
    """
    course = open_course(options, tell=_tell)
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
            push = _push(repository, tag, student=student, at=arrived_at(repository, tag) or now)
            _one(replace(course, host=host), replace(push, private=private))


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


def _tell(text: str) -> None:
    """Speak to the pusher at once; a pusher who hung up loses the words, not the grading."""
    try:
        click.echo(text)
    except OSError:
        sys.stdout = None


def _push(repository: Repository, tag: str, *, student: str, at: datetime) -> TagPush:
    return TagPush(repository=repository, tag=tag, student=student, at=at, private=is_private(repository))


def _one(course: Course, push: TagPush) -> None:
    """Take one tag; what is wrong with it doesn't keep the next from its turn."""
    try:
        attempt(course, push)
    except GraderError as error:
        course.tell(f"{shown(push.tag)}: {error}")


def _leave(course: Course, rest: list[Arrival], *, most: int) -> None:
    """Note the tags that are too many for one push."""
    if rest:
        course.tell(f"{len(rest)} more tags of this push: {too_many_text(most)}")
        refuse(course.ledger, rest, reason=Refusal.TOO_MANY_TAGS, text=too_many_text(most))


def _arrival(course: Course, update: Update, *, student: str, at: datetime) -> Arrival:
    key = Key(assignment=course.assignment.name, party=course.roster.party(student))
    return Arrival(key=key, student=student, tag=update.tag, commit=update.new, at=at)


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
