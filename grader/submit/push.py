"""Take the tags of one push, or those that were missed, and tell a student nothing of our own troubles."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.forge.tag import PushedTag, TagError, arrived_at, list_tags, shown
from grader.forge.tree import LARGEST_POINTER, Blob, TooMuchError, Unfit, blob_reader, lfs_reason, list_files
from grader.gradebook.event import TOO_MANY_TAGS
from grader.gradebook.history import State, attempts_of, received_elsewhere
from grader.gradebook.messages import too_many_text
from grader.gradebook.reserve import Arrival, receive, refuse
from grader.intake.choose_files import select
from grader.intake.offered import MOST_FILES, Offered, Refused
from grader.model.submission import Submission
from grader.submit.attempt import attempt
from grader.submit.course import OUR_FAULT
from grader.submit.publish import ReportError, publish_missing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from grader.forge.git import Repository
    from grader.gradebook.history import Attempt
    from grader.model.assignment import Assignment
    from grader.submit.course import Course

LOG = "hook.log"
MOST_CAUGHT_UP = 50
"""New tags of one repository in one catch-up, so that whoever pushes thousands keeps nobody waiting."""
_SORRY = (
    "The course's grader can't take this now. Your tag is kept with the time of its push, and is graded "
    "when the staff have fixed it; it costs nothing meanwhile."
)
_NO_FILES = "Your result is in the book, but its report files could not be written; the staff have been told why."


def commit_reader(repository: Repository, arrival: Arrival, assignment: Assignment) -> Callable[[], Submission]:
    """Return what reads the commit that came with an arrival."""
    return lambda: read_commit(repository, arrival.received.commit, student=arrival.student, assignment=assignment)


def read_commit(repository: Repository, commit: str, *, student: str, assignment: Assignment) -> Submission:
    """Read what the assignment asks for; what the student got wrong becomes notes and a problem."""
    origin = f"{repository.path}@{commit}"
    try:
        listed = list(list_files(repository, commit))
    except TooMuchError as error:
        return Submission(id=student, files=(), problem=str(error), origin=origin)
    with blob_reader(repository) as read:
        return select(student, _offered(listed, read), assignment, origin=origin)


def _offered(listed: Iterable[Blob | Unfit], read: Callable[[Blob, int], bytes]) -> Iterator[Offered | Refused]:
    looked_into = 0
    for item in listed:
        if isinstance(item, Unfit):
            yield Refused(item.path, item.reason)
            continue
        reason = ""
        if item.size <= LARGEST_POINTER and looked_into < MOST_FILES:
            looked_into += 1
            reason = lfs_reason(read(item, LARGEST_POINTER))
        yield Refused(item.path, reason) if reason else Offered(item.path, item.size, partial(read, item))


@dataclass(frozen=True, kw_only=True)
class Pusher:
    """One student's repository before an open course."""

    course: Course
    repository: Repository
    student: str
    tags: tuple[str, ...] = ()
    """Patterns that a tag must fit to be this assignment's."""
    shares: bool = False
    """Whether a tag may be another assignment's as well."""

    def take(self, tags: Sequence[PushedTag], *, at: datetime, most: int) -> None:
        """Note all tags of a push as they came; then grade the first of them, and refuse those that are too many."""
        private = self.repository.is_private()
        arrivals: list[Arrival] = []
        for tag in tags[:most]:
            with kindly(self.course.out):
                arrivals.append(
                    self.course.arrival(self.repository, tag, student=self.student, at=at, private=private)
                )
        rest = [self.course.noted(self.repository, tag, self.student, at) for tag in tags[most:]]
        with kindly(self.course.out):
            receive(self.course.ledger, arrivals)
            refuse(self.course.ledger, rest, reason=TOO_MANY_TAGS, text=too_many_text(most))
        for arrival in arrivals:
            if len(tags) > 1:
                self.course.tell(f"— {shown(arrival.tag)}")
            with kindly(self.course.out):
                self._attempt(arrival)
        if rest:
            self.course.tell(f"{len(rest)} more tags of this push: {too_many_text(most)}")
        self._bring_missing()

    def catch_up(self, *, now: datetime, is_private: Callable[[], bool | None], warn: Callable[[str], None]) -> bool:
        """Grade what the book doesn't know or has open, post what the host lacks; tell whether all went well."""
        known = attempts_of(self.course.ledger, self.course.assignment.name, self.student)
        names = {each.tag for _, each in known}
        there = list_tags(self.repository)
        fitting = [tag for tag in there if all(fnmatchcase(tag.name, pattern) for pattern in self.tags)]
        names |= self._names_elsewhere()
        new = [tag for tag in fitting if tag.name not in names]
        waiting = [each for _, each in known if not each.is_done and each.state is not State.STARTED]
        private = is_private() if new or waiting else None
        fine = [self._go_on(self._again(each, private), warn) for each in waiting]
        if len(new) > MOST_CAUGHT_UP:
            warn(f"{self.student}: {len(new)} new tags; {MOST_CAUGHT_UP} are taken now, the others next time")
            fine.append(False)
        for tag in new[:MOST_CAUGHT_UP]:
            try:
                at = arrived_at(self.repository, tag) or now
                arrival = self.course.arrival(self.repository, tag, student=self.student, at=at, private=private)
            except TagError as error:
                warn(f"{self.student}: {error}")
                fine.append(False)
            else:
                fine.append(self._go_on(arrival, warn))
        return all([*fine, publish_missing(self.course, known)])

    def _names_elsewhere(self) -> set[str]:
        """Return the tags of this very repository that are another assignment's already."""
        if self.shares:
            return set()
        facts = received_elsewhere(self.course.ledger, self.course.assignment.name, self.student)
        here = self.repository.path.resolve()
        return {fact.tag for fact in facts if Path(fact.origin).resolve() == here}

    def _bring_missing(self) -> None:
        """Write what a killed hook owes; what fails is the staff's business, and the next catch-up tells it."""
        quiet = replace(self.course, tell=lambda _: None)
        try:
            publish_missing(quiet, attempts_of(quiet.ledger, quiet.assignment.name, self.student))
        except Exception:  # noqa: BLE001 -- as in `kindly`
            log(quiet.out)

    def _attempt(self, arrival: Arrival) -> int:
        return attempt(self.course, arrival, commit_reader(self.repository, arrival, self.course.assignment))

    def _again(self, known: Attempt, private: bool | None) -> Arrival:
        """Return a push that the book has open: its commit and time are those that came then."""
        tag = PushedTag(name=known.tag, oid=known.received.commit)
        return self.course.noted(self.repository, tag, self.student, known.at, private)

    def _go_on(self, arrival: Arrival, warn: Callable[[str], None]) -> bool:
        """Grade one tag; what is wrong with it doesn't keep the next from its turn."""
        self.course.tell(f"{self.student}: {arrival.tag}")
        try:
            return self._attempt(arrival) != OUR_FAULT
        except Exception as error:  # noqa: BLE001 -- whatever it is, it is this tag's alone
            log(self.course.out)
            warn(f"{self.student}: {shown(arrival.tag)}: {error}")
            return False


def tell(text: str) -> None:
    """Speak to the pusher at once; a pusher who hung up loses the words, not the grading."""
    try:
        click.echo(text)
    except OSError:
        sys.stdout = None


@contextmanager
def kindly(out: Path) -> Iterator[None]:
    """Tell the student's own mistakes; ours, which may name cases or machines, go to the staff's log."""
    try:
        with logging_for_staff(out):
            yield
    except TagError as error:
        tell(str(error))
    except ReportError:
        tell(_NO_FILES)
        log(out)
    except Exception:  # noqa: BLE001 -- whatever it is, the pusher can't fix it
        tell(_SORRY)
        log(out)


@contextmanager
def logging_for_staff(out: Path) -> Iterator[None]:
    """Keep what the log says of hidden cases from whoever pushed: our standard error is read there, too."""
    handler = _Log(out)
    logger = logging.getLogger("grader")
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


class _Log(logging.Handler):
    """Appends to the staff's log."""

    def __init__(self, out: Path) -> None:
        super().__init__(logging.WARNING)
        self._out = out

    def emit(self, record: logging.LogRecord) -> None:
        _append(self._out, self.format(record))


def log(out: Path) -> None:
    """Write the error at hand to a file that only staff read."""
    _append(out, traceback.format_exc())


def _append(out: Path, words: str) -> None:
    """Write to the staff's log; a disk that is full takes none."""
    with suppress(OSError):
        out.mkdir(parents=True, exist_ok=True)
        place = os.open(out / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        with open(place, "a", encoding="utf-8", errors="backslashreplace") as file:  # noqa: PTH123 -- a descriptor
            file.write(f"{datetime.now(UTC).isoformat()}\n{words}\n")
