"""Grades what dead hooks left behind, as the hooks themselves would, and mirrors of hosted repositories."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from grader.cli.course.course_options import as_entering, open_entering_options, student_option, tags_option, warn
from grader.cli.course.submit import private_by
from grader.cli.options import as_value, of_course
from grader.course.folder import find_course
from grader.errors import GraderError, UsageError
from grader.forge.git import Repository
from grader.forge.hook import ALL_TAGS, Service, services_of
from grader.forge.host import open_host
from grader.gradebook.settle import sweep
from grader.submit.course import FAILED, open_course
from grader.submit.push import Pusher, log, tell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.submit.course import Entering

repositories_argument = click.argument("repositories", nargs=-1, required=True, type=click.Path(path_type=Path))


@click.command("catch-up")
@repositories_argument
@student_option
@click.option("--github-owner", metavar="NAME", help="Post issues to NAME/STUDENT on GitHub (GRADER_GITHUB_TOKEN).")
@tags_option
@open_entering_options
@click.pass_context
def catch_up(context: click.Context, /, repositories: tuple[Path, ...], **options: Any) -> int:
    """Grade the tags of REPOSITORIES that the book doesn't know yet, under the server's time of their push.

    After a crash, or to grade mirrors of repositories that are hosted elsewhere. Where a repository has a hook, its
    tags are graded as the hook grades them, with the hook's own options; what is given here replaces those, and
    --tags only leaves tags out. What can't be graded or told now is named, stops nothing else, and makes the exit
    status 1; the next catch-up tries it again.
    """
    if options["github_owner"] is not None:
        open_host(f"github:{options['github_owner']}/any", os.environ)
    fine = _Fine()
    groups: dict[Service | None, list[_Mirror]] = {}
    for path in repositories:
        with fine.but(path):
            for service in _services(Repository(path), options["name"]):
                student = options["student"] or (service and service.student) or _owner(path)
                groups.setdefault(service and service.for_all, []).append(_Mirror(path, student))
    for service, mirrors in groups.items():
        with fine.but(service.assignment if service else options["name"] or "catch-up"), _surroundings(service):
            _catch_up(mirrors, service, fine, **_options(context, service))
    return 0 if all(fine) else FAILED


class _Mirror(NamedTuple):
    """One repository that is caught up with, and whose it is."""

    path: Path
    student: str


class _Wanted(NamedTuple):
    """Which tags are meant, and where issues go."""

    tags: str | None
    github_owner: str | None


class _Fine(list[bool]):
    """Whether each thing went well."""

    @contextmanager
    def but(self, name: object, out: Path | None = None) -> Iterator[None]:
        """Tell what is wrong with one of many; the others have their turn."""
        try:
            yield
        except (GraderError, OSError, click.ClickException) as error:
            if out is not None:
                log(out)
            warn(f"{name}: {error}")
            self.append(False)


@as_entering
@as_value(_Wanted, "wanted")
def _catch_up(
    mirrors: list[_Mirror], service: Service | None, fine: _Fine, *, entering: Entering, wanted: _Wanted
) -> None:
    """Catch up with repositories that have all but their students in common."""
    tags = _tags(entering.name, service, wanted.tags)
    times = Counter(each.student for each in mirrors)
    with open_course(entering, tell=tell) as course:
        click.echo(f"attempts of dead graders given back: {sweep(course.ledger, now=datetime.now(UTC))}")
        for path, student in mirrors:
            with fine.but(path, course.out):
                if times[student] > 1:
                    raise UsageError(f"several repositories belong to {student}, so none of them is graded")
                host = (
                    open_host(f"github:{wanted.github_owner}/{student}", os.environ) if wanted.github_owner else None
                )
                repository = Repository(path)
                pusher = Pusher(
                    course=replace(course, host=host),
                    repository=repository,
                    student=student,
                    tags=tags,
                    shares=wanted.tags is not None,
                )
                fine.append(
                    pusher.catch_up(
                        now=datetime.now(UTC),
                        is_private=partial(private_by, host, repository),
                        warn=lambda text, path=path: warn(f"{path}: {text}"),  # type: ignore[misc]
                    )
                )


def _services(repository: Repository, name: str | None) -> list[Service] | list[None]:
    """Return how its hook, or else the course, grades the assignment or all; None alone where neither says."""
    there = services_of(repository) or (() if name else _of_course())
    if not there:
        return [None]
    wanted = [each for each in there if name in {None, each.assignment}]
    if not wanted:
        raise UsageError(f"its hook grades the tags {', '.join(map(str, there))}, and none as {name}")
    return wanted


def _of_course() -> tuple[Service, ...]:
    """Return the course's assignments that have tags of their own."""
    course = find_course()
    tags = {name: course.tags(name) for name in course.file.assignments} if course else {}
    return tuple(Service(("--assignment", name, "--tags", own)) for name, own in tags.items() if own)


def _owner(path: Path) -> str:
    return Path(os.path.abspath(path)).name.removesuffix(".git")  # noqa: PTH100


def _tags(name: str, service: Service | None, given: str | None) -> tuple[str, ...]:
    """Return the patterns of the assignment's tags; raise UsageError where they could be another's as well."""
    if service is not None:
        return tuple(filter(None, (service.tags, given)))
    course = find_course()
    said = given or (course and course.tags(name))
    if not said and course and len(course.file.assignments) > 1:
        raise UsageError(
            f"which tags are {name}'s is said neither by a hook nor by {course.path}",
            hint="Write tags: 'hw1/*' there for each assignment, or give --tags; '*' is every tag.",
        )
    return (said or ALL_TAGS,)


def _options(context: click.Context, service: Service | None) -> dict[str, Any]:
    """Return every option: as the command line gives it, else as the hook does."""
    given = {name: value for name, value in context.params.items() if name not in {"repositories", "student"}}
    if service is None:
        given["name"] = given["name"] or of_course(lambda course: course.only_name())
        if given["name"] is None:
            raise UsageError("No assignment is named, and there is no hook that names one.", hint="Give -a NAME.")
        return given
    theirs = context.command.make_context("catch-up", [*service.arguments, "."]).params
    is_said = {name: context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in given}
    return {name: value if is_said[name] else theirs[name] for name, value in given.items()} | {
        "tags": given["tags"],
        "name": service.assignment,
    }


@contextmanager
def _surroundings(service: Service | None) -> Iterator[None]:
    """Let the environment be the hook's own."""
    before = dict(os.environ)
    if service is not None and service.exported:
        os.environ.pop("GRADER_BOOK", None)
        os.environ.update(service.exported)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
