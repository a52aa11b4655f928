"""Read what a commit hands in from git's objects."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from grader.forge.tree import LARGEST_POINTER, Blob, TooMuchError, Unfit, blob_reader, lfs_reason, list_files
from grader.intake.choose_files import select
from grader.intake.offered import MOST_FILES, Offered, Refused
from grader.model.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from grader.forge.git import Repository
    from grader.gradebook.reserve import Arrival
    from grader.model.assignment import Assignment


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
