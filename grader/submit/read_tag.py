"""Makes a submission from the files of a tagged commit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from grader.forge.tree import Blob, TooMuchError, Unfit, blob_reader, lfs_reason, list_files
from grader.intake.choose_files import select
from grader.intake.offered import MOST_FILES, Offered, Refused
from grader.model.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from grader.forge.git import Repository
    from grader.model.assignment import Assignment

_LARGEST_POINTER = 1024


def read_tagged(repository: Repository, commit: str, *, student: str, assignment: Assignment) -> Submission:
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
        if item.size <= _LARGEST_POINTER and looked_into < MOST_FILES:
            looked_into += 1
            reason = lfs_reason(read(item, _LARGEST_POINTER))
        yield Refused(item.path, reason) if reason else Offered(item.path, item.size, partial(read, item))
