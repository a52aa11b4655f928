"""Puts the grading hook into bare repositories, and is what it runs."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from grader.catalogue.load import find_catalogue
from grader.cli.course.course_options import entering_options, student_option
from grader.cli.course.standing import standing_of
from grader.cli.course.submit import moment_of, private_by
from grader.cli.options import as_value
from grader.course.folder import VARIABLE, find_course
from grader.errors import GraderError, UsageError
from grader.forge import hook as forge_hook
from grader.forge.git import Repository
from grader.forge.host import open_host
from grader.forge.tag import read_pushed, shown
from grader.gradebook.ledger import open_ledger
from grader.gradebook.regulations import rules_of
from grader.gradebook.regulations.rule import Situation
from grader.gradebook.settle import sweep
from grader.model.verdict import Audience
from grader.submit.course import FAILED, OUR_FAULT, Course, Place, open_course
from grader.submit.push import Pusher, kindly, log, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from grader.course.folder import CourseFolder
    from grader.submit.course import Entering

most_tags_option = click.option(
    "--most-tags", type=click.IntRange(min=1), default=20, show_default=True, help="Tags graded of one push."
)
replace_option = click.option(
    "--replace", "is_replacing", is_flag=True, help="Grade another assignment than the hook that is there does."
)
_FRACTION = re.compile(r"\.%?N?Z$")
"""What a `date` without %N leaves behind."""
tags_option = click.option(
    "--tags",
    default=forge_hook.ALL_TAGS,
    show_default=True,
    metavar="PATTERN",
    help="Only tags of this pattern, such as 'hw1/*'; one repository may serve several assignments so.",
)
_repositories = click.argument("repositories", nargs=-1, required=True, type=click.Path(path_type=Path))


class Hook(NamedTuple):
    """How a hook is to be written."""

    most_tags: int
    is_replacing: bool
    tags: str = forge_hook.ALL_TAGS
    student: str | None = None


@click.group()
def hook() -> None:
    """Put the grading hook into bare git repositories."""


@hook.command()
@_repositories
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
    with open_course(entering, tell=click.echo) as course:
        _warn(course, [wanted.student or each.owner for each in repositories])
    arguments, exported = _hook_arguments(entering, wanted, course_folder)
    for each in repositories:
        written = forge_hook.install(each, arguments, exported=exported, is_replacing=wanted.is_replacing)
        which = "pushed tags" if wanted.tags == forge_hook.ALL_TAGS else f"pushed tags {wanted.tags}"
        click.echo(f"{written}: {which} are graded as {entering.name}")


class _KindCommand(click.Command):
    """A command whose wrong options are the staff's business: a message would show a pusher the server's paths."""

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        with kindly(Path()):
            return super().make_context(*arguments, **more)
        raise click.exceptions.Exit(OUR_FAULT)


class _Push(NamedTuple):
    """A push, as the hook's command line says it."""

    student: str | None
    received: str | None
    is_asking: bool
    most_tags: int
    tags: str


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
    came = moment_of(_FRACTION.sub("Z", push.received)) if push.received else datetime.now(UTC)
    at, place = came.replace(microsecond=0), Place(arrived_ns=int(came.timestamp() * 1_000_000) * 1000)
    repository = Repository(Path())
    student = push.student or repository.owner
    every = list(read_pushed(sys.stdin.buffer))
    tags = [tag for tag in every if fnmatchcase(tag.name, push.tags)]
    if push.is_asking:
        with kindly(entering.out):
            _answer(entering, repository, student, is_meant=bool(tags) or not every)
        return
    for tag in tags:
        if tag.is_deletion:
            tell(f"The tag {shown(tag.name)} was deleted; its attempt stays in the book.")
    wanted = [tag for tag in tags if not tag.is_deletion]
    if wanted:
        with kindly(entering.out), open_course(entering, tell=tell, place=place) as opened:
            course = replace(opened, consents="late" in forge_hook.push_options())
            Pusher(course=course, repository=repository, student=student).take(wanted, at=at, most=push.most_tags)


def _answer(entering: Entering, repository: Repository, student: str, *, is_meant: bool) -> None:
    """Tell what a push would meet; of several assignments only the one whose tags were pushed."""
    if is_meant:
        private = repository.is_private()
        for line in standing_of(entering, student, entering.roster, audience=Audience.STUDENT, private=private):
            tell(line)


@hook.command("catch-up")
@_repositories
@student_option
@click.option("--github-owner", metavar="NAME", help="Post issues to NAME/STUDENT on GitHub (GRADER_GITHUB_TOKEN).")
@tags_option
@entering_options
def catch_up(
    repositories: tuple[Path, ...],
    entering: Entering,
    student: str | None,
    github_owner: str | None,
    tags: str,
) -> int:
    """Grade the tags of REPOSITORIES that the book doesn't know yet, under the server's time of their push.

    After a crash, or to grade mirrors of repositories that are hosted elsewhere. What can't be graded or told now is
    named, stops nothing else, and makes the exit status 1; the next catch-up tries it again.
    """
    if github_owner is not None:
        open_host(f"github:{github_owner}/any", os.environ)
    owners = [student or Path(os.path.abspath(path)).name.removesuffix(".git") for path in repositories]  # noqa: PTH100
    twice = {name for name, count in Counter(owners).items() if count > 1}
    with open_course(entering, tell=tell) as course:
        click.echo(f"attempts of dead graders given back: {sweep(course.ledger, now=datetime.now(UTC))}")
        fine = [
            _catch_up_one(course, path, _Catching(owner, github_owner, tags), is_twice=owner in twice)
            for path, owner in zip(repositories, owners, strict=True)
        ]
    return 0 if all(fine) else FAILED


class _Catching(NamedTuple):
    """Whose repository is caught up with, where its issues go, which tags are meant."""

    student: str
    github_owner: str | None
    tags: str


def _catch_up_one(course: Course, path: Path, wanted: _Catching, *, is_twice: bool) -> bool:
    """Catch up with one repository; whatever is wrong with it is told, and is its own trouble alone."""
    student, github_owner, tags = wanted
    try:
        if is_twice:
            raise UsageError(f"several repositories belong to {student}, so none of them is graded")
        repository = Repository(path)
        host = open_host(f"github:{github_owner}/{student}", os.environ) if github_owner else None
        pusher = Pusher(course=replace(course, host=host), repository=repository, student=student, tags=tags)
        return pusher.catch_up(
            now=datetime.now(UTC), is_private=lambda: private_by(host, repository), warn=_warn_of(path)
        )
    except (GraderError, OSError) as error:
        log(course.out)
        _warn_of(path)(str(error))
        return False


def _warn_of(path: Path) -> Callable[[str], None]:
    return lambda text: click.echo(f"{path}: {text}", err=True)


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
        "tags": None if wanted.tags == forge_hook.ALL_TAGS else wanted.tags,
    }
    pairs = [(f"--{name}", str(value)) for name, value in said.items() if value is not None]
    pairs += [("--format", name) for name in entering.formats]
    surroundings = {VARIABLE: str(course.path) if course else ""}  # none that happens to lie above the repository
    if is_url and not is_courses:
        surroundings["GRADER_BOOK"] = entering.book
    if os.environ.get("GRADER_KEY"):
        surroundings["GRADER_KEY"] = str(Path(os.environ["GRADER_KEY"]).absolute())
    return [part for pair in pairs for part in pair], surroundings


def _absolute(path: Path | None) -> Path | None:
    return path and path.absolute()
