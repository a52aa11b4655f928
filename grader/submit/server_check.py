"""Look at a grading server before its students do: course, book, disk, line, repositories and their hooks."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, select, text

from grader.course.folder import find_course
from grader.errors import GraderError
from grader.forge.git import Repository, find_git
from grader.forge.hook import services_of, written_hook
from grader.gradebook.ledger import microseconds, open_ledger
from grader.gradebook.roster import read_roster
from grader.gradebook.schema import leases
from grader.model.words import plural
from grader.submit.course import slots_of
from grader.submit.push import LOG

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from grader.gradebook.ledger import Ledger

_LEAST_FREE = 1 << 30
_MOST_DRIFT_S = 2.0


class Found(NamedTuple):
    """One thing that was looked at."""

    is_fine: bool
    text: str


class Findings(list[Found]):
    """What was found so far."""

    def fine(self, words: str) -> None:
        self.append(Found(is_fine=True, text=words))

    def wrong(self, words: str) -> None:
        self.append(Found(is_fine=False, text=words))

    @contextmanager
    def told(self) -> Iterator[None]:
        """Let an error be a finding: the rest is looked at all the same."""
        try:
            yield
        except (GraderError, OSError) as error:
            self.wrong(str(error))


def look_at_server(book: str, out: Path, repositories: Iterable[Path]) -> Findings:
    """Look at everything, and change nothing."""
    found = Findings()
    with found.told():
        found.fine(f"git: {find_git()}")
    with found.told():
        _course(found)
    with found.told():
        _book(found, open_ledger(book))
    with found.told():
        _reports(found, out)
    found.fine(f"gradings at once: {slots_of(None).number}")
    for path in repositories:
        with found.told():
            _repository(found, Repository(path))
    return found


def _course(found: Findings) -> None:
    course = find_course()
    if course is None:
        found.fine("course: none here; every option is given to the commands")
        return
    roster = read_roster(course.roster)
    for name in course.file.assignments:
        course.load(name)
    assignments = plural(len(course.file.assignments), "assignment")
    found.fine(f"course: {course.path}, {assignments}, {plural(len(roster.entries), 'student')}")


def _book(found: Findings, ledger: Ledger) -> None:
    now = datetime.now(UTC)
    with ledger.reading() as connection:
        ledger.check(connection)
        late = connection.scalar(select(func.count()).where(leases.c.until_us < microseconds(now)))
        is_server = connection.dialect.name != "sqlite"
        theirs = connection.scalar(text("SELECT clock_timestamp()")) if is_server else None
    found.fine(f"book: {ledger.name}")
    if late:
        found.wrong(f"book: {plural(late, 'attempt')} of a dead grader; `grader hook catch-up` gives it back")
    if theirs is not None:
        drift_s = abs((theirs - now).total_seconds())
        (found.fine if drift_s < _MOST_DRIFT_S else found.wrong)(f"clock: {drift_s:.1f} s from the database's")


def _reports(found: Findings, out: Path) -> None:
    place = next(folder for folder in (out.absolute(), *out.absolute().parents) if folder.exists())
    if not os.access(place, os.W_OK | os.X_OK):
        found.wrong(f"reports: {place} can't be written by this user")
    free = shutil.disk_usage(place).free
    (found.fine if free >= _LEAST_FREE else found.wrong)(f"reports: {out}, {free >> 20} MiB free")
    log = out / LOG
    if log.exists() and log.stat().st_size:
        found.wrong(f"{log} tells of our own troubles; read it, and move it away when they are fixed")


def _repository(found: Findings, repository: Repository) -> None:
    hook = written_hook(repository)
    wrongs = []
    if hook is None:
        wrongs.append("it has no hook of ours: grader hook install")
    elif not os.access(hook, os.X_OK):
        wrongs.append("its hook can't be run")
    if repository.ask("config", "--local", "--get", "core.logAllRefUpdates") != "always":
        wrongs.append("the time of pushes isn't logged: grader hook install")
    if not repository.is_private():
        wrongs.append("git shows it to everybody")
    if repository.folder.stat().st_uid != os.geteuid():
        wrongs.append("it belongs to another account")
    for wrong in wrongs:
        found.wrong(f"{repository.path}: {wrong}")
    if not wrongs:
        found.fine(f"{repository.path}: graded on push: {', '.join(map(str, services_of(repository)))}")
