"""Puts the grading hook into bare repositories, and is what it runs."""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from grader.catalogue.load import find_catalogue
from grader.cli.course.catch_up import catch_up, repositories_argument
from grader.cli.course.course_options import entering_options, student_option, tags_option
from grader.cli.course.standing import standing_of
from grader.cli.course.submit import moment_of
from grader.cli.options import as_value, of_course
from grader.course.folder import VARIABLE, find_course
from grader.errors import GraderError, UsageError
from grader.forge import hook as forge_hook
from grader.forge.git import Repository
from grader.forge.tag import read_pushed, shown
from grader.gradebook.ledger import open_ledger
from grader.gradebook.regulations import rules_of
from grader.gradebook.regulations.rule import Situation
from grader.model.verdict import Audience
from grader.submit.course import OUR_FAULT, Course, open_course
from grader.submit.push import Pusher, kindly, tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.course.folder import CourseFolder
    from grader.submit.course import Entering

most_tags_option = click.option(
    "--most-tags", type=click.IntRange(min=1), default=20, show_default=True, help="Tags graded of one push."
)
replace_option = click.option(
    "--replace", "is_replacing", is_flag=True, help="Grade another assignment than the hook that is there does."
)


class Hook(NamedTuple):
    """How a hook is to be written."""

    most_tags: int
    is_replacing: bool
    tags: str | None = None
    student: str | None = None


@click.group()
def hook() -> None:
    """Put the grading hook into bare git repositories."""


hook.add_command(catch_up)


@hook.command()
@repositories_argument
@student_option
@most_tags_option
@replace_option
@tags_option
@entering_options
@as_value(Hook, "wanted")
def install(repositories: tuple[Path, ...], entering: Entering, wanted: Hook) -> None:
    """Grade tags on push: write the post-receive hook of bare REPOSITORIES, and make the book if there is none."""
    if wanted.student and len(repositories) > 1:
        raise click.UsageError("--student fits one repository only")
    found = [Repository(path) for path in repositories]
    _check_owners(found)
    open_ledger(entering.book, create=True)
    install_hooks(found, entering, wanted)


def install_hooks(repositories: Sequence[Repository], entering: Entering, wanted: Hook) -> None:
    """Write the hooks, with the very catalogue that was found and checked here."""
    course_folder = find_course()
    if course_folder is None:
        entering = replace(entering, cases=find_catalogue(entering.cases).absolute())
    elif wanted.tags is None:
        wanted = wanted._replace(tags=course_folder.tags(entering.name) or None)
    with open_course(entering, tell=click.echo) as course:
        _warn(course, [wanted.student or each.owner for each in repositories])
    arguments, exported = _hook_arguments(entering, wanted, course_folder)
    for each in repositories:
        written = forge_hook.install(each, arguments, exported=exported, is_replacing=wanted.is_replacing)
        click.echo(
            f"{written}: {' '.join(('pushed tags', wanted.tags or '')).rstrip()} are graded as {entering.name}"
        )


class _KindCommand(click.Command):
    """A command whose wrong options are the staff's business: a message would show a pusher the server's paths."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        with kindly(_reports(args)):
            return super().make_context(info_name, args, parent, **extra)
        raise click.exceptions.Exit(OUR_FAULT)


def _reports(args: Sequence[str]) -> Path:
    """Return where reports go, as far as a command line or a course's file can be read."""
    said = dict(pairwise(args))
    try:
        return Path(said.get("--out") or said.get("-o") or of_course(lambda course: course.reports, "grader-out"))
    except GraderError:
        return Path(os.environ.get(VARIABLE) or "grader-out").parent


class _Push(NamedTuple):
    """A push, as the hook's command line says it."""

    student: str | None
    received: str | None
    is_asking: bool
    most_tags: int
    tags: str | None


@hook.command(cls=_KindCommand)
@student_option
@click.option("--received", metavar="TIME", help="When the push came; now by default.")
@click.option("--ask", "is_asking", is_flag=True, help="Only tell what the push would meet.")
@most_tags_option
@tags_option
@entering_options
@as_value(_Push, "push")
def receive(entering: Entering, push: _Push) -> None:
    """Grade the tags that git names on standard input; git runs this after a push."""
    at = (moment_of(push.received) if push.received else datetime.now(UTC)).replace(microsecond=0)
    repository = Repository(Path())
    student = push.student or repository.owner
    every = list(read_pushed(sys.stdin.buffer))
    tags = [tag for tag in every if fnmatchcase(tag.name, push.tags or forge_hook.ALL_TAGS)]
    if push.is_asking:
        with kindly(entering.out):
            _answer(entering, repository, student, is_meant=bool(tags) or not every)
        return
    for tag in tags:
        if tag.is_deletion:
            tell(f"The tag {shown(tag.name)} was deleted; its attempt stays in the book.")
    wanted = [tag for tag in tags if not tag.is_deletion]
    if wanted:
        with kindly(entering.out), open_course(entering, tell=tell) as course:
            Pusher(course=course, repository=repository, student=student).take(wanted, at=at, most=push.most_tags)


def _answer(entering: Entering, repository: Repository, student: str, *, is_meant: bool) -> None:
    """Tell what a push would meet; of several assignments only the one whose tags were pushed."""
    if is_meant:
        private = repository.is_private()
        for line in standing_of(entering, student, entering.roster, audience=Audience.STUDENT, private=private):
            tell(line)


def _check_owners(repositories: Sequence[Repository]) -> None:
    """Refuse two repositories of one name: their tags would be one student's."""
    for name, count in Counter(each.owner for each in repositories).items():
        if count > 1:
            raise UsageError(f"{count} repositories are called {name}.", hint="A repository's name is its student's.")


def _warn(course: Course, students: Sequence[str]) -> None:
    """Say at once what would otherwise be found out by the first push."""
    regulations = course.assignment.regulations
    for rule in rules_of(regulations):
        why = rule.refusal(Situation(at=datetime.now(UTC), private=True))
        if why:
            click.echo(f"warning: as things stand every push is refused: {why}", err=True)
    unknown = [name for name in students if course.roster.entries and name not in course.roster.names()]
    if unknown:
        click.echo(f"warning: not in the class list: {', '.join(unknown)}", err=True)


def _hook_arguments(
    entering: Entering, wanted: Hook, course: CourseFolder | None
) -> tuple[list[str], dict[str, str]]:
    """Return the options again as a command line with every path absolute, and what doesn't belong on one.

    What the course's file says is left to it, so that the hook follows when it changes.
    """
    settings = entering.settings
    is_url = "://" in entering.book  # it may hold a password, and a command line is for every user to read
    is_courses = course is not None and entering.book == course.book
    said = {
        "assignment": entering.name,
        "book": None if is_url or is_courses else Path(entering.book).absolute(),
        "out": None if course and entering.out == course.reports else entering.out.absolute(),
        "cases": entering.cases and entering.cases.absolute(),
        "roster": None if course and entering.roster == course.roster else _absolute(entering.roster),
        "student": wanted.student,
        "slots": entering.slots,
        "jobs": settings.workers or None,
        "engine": settings.engine,
        "require-isolation": settings.require,
        "most-tags": wanted.most_tags,
        "tags": wanted.tags,
    }
    pairs = [(f"--{name}", str(value)) for name, value in said.items() if value is not None]
    pairs += [("--format", name) for name in entering.formats]
    surroundings = {VARIABLE: str(course.path) if course else ""}  # none that happens to lie above the repository
    if is_url and not is_courses:
        surroundings["GRADER_BOOK"] = entering.book
    return [part for pair in pairs for part in pair], surroundings


def _absolute(path: Path | None) -> Path | None:
    return path and path.absolute()
