"""Takes the tags of one push, and tells a student nothing of our own troubles."""

from __future__ import annotations

import sys
import traceback
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from grader.cli.attempt import attempt
from grader.cli.course import TagPush
from grader.errors import UsageError
from grader.forge.privacy import is_private
from grader.forge.tag import shown
from grader.gradebook.event import Key, Refusal
from grader.gradebook.reserve import Arrival, refuse
from grader.gradebook.words import too_many_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from grader.cli.course import Course
    from grader.forge.git import Repository
    from grader.forge.hook import Update

LOG = "hook.log"
_SORRY = (
    "The course's grader can't take this now. Your tag is kept with the time of its push, and is graded "
    "when the staff have mended it; it costs nothing meanwhile."
)


@dataclass(frozen=True, kw_only=True)
class Pusher:
    """One student's repository before an open course."""

    course: Course
    repository: Repository
    student: str

    def take(self, updates: Sequence[Update], *, at: datetime, most: int) -> None:
        """Grade the first tags of a push, and note those that are too many."""
        for update in updates[:most]:
            if len(updates) > 1:
                self.course.tell(f"— {shown(update.tag)}")
            self.take_one(update.tag, at=at)
        rest = updates[most:]
        if rest:
            text = too_many_text(most)
            self.course.tell(f"{len(rest)} more tags of this push: {text}")
            arrivals = [self._arrival(update, at) for update in rest]
            with kindly(self.course.out):
                refuse(self.course.ledger, arrivals, reason=Refusal.TOO_MANY_TAGS, text=text)

    def take_one(self, tag: str, *, at: datetime, private: bool | None = None) -> None:
        """Take one tag; what is wrong with it doesn't keep the next from its turn."""
        push = TagPush(repository=self.repository, tag=tag, student=self.student, at=at, private=private)
        if private is None:
            push = replace(push, private=is_private(self.repository))
        with kindly(self.course.out):
            attempt(self.course, push)

    def _arrival(self, update: Update, at: datetime) -> Arrival:
        key = Key(assignment=self.course.assignment.name, party=self.course.roster.party(self.student))
        return Arrival(key=key, student=self.student, tag=update.tag, commit=update.new, at=at)


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
        yield
    except UsageError as error:
        tell(str(error))
    except Exception:  # noqa: BLE001 -- whatever it is, the pusher can't mend it
        tell(_SORRY)
        out.mkdir(parents=True, exist_ok=True)
        with (out / LOG).open("a", encoding="utf-8") as file:
            file.write(f"{datetime.now(UTC).isoformat()}\n{traceback.format_exc()}\n")
