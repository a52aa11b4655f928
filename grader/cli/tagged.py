"""Makes a submission from the files of a tagged commit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec

from grader.forge.tree import Blob, TooMuchError, Unfit, blob_reader, lfs_reason, list_files
from grader.intake.bounds import MOST_FILES
from grader.intake.entry import Entry, Refused
from grader.intake.select import select
from grader.model.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from grader.forge.git import Repository
    from grader.model.assignment import Assignment

_LARGEST_POINTER = 1024

Read = "Callable[[Blob, int], bytes]"


def read_tagged(repository: Repository, commit: str, *, student: str, assignment: Assignment) -> Submission:
    """Read what the assignment asks for; what the student got wrong becomes notes and a problem."""
    origin = f"{repository.path}@{commit}"
    try:
        listed = list(list_files(repository, commit))
    except TooMuchError as error:
        return Submission(id=student, files=(), problem=str(error), origin=origin)
    with blob_reader(repository) as read:
        offered = list(_offered(listed, read))
        submission = select(student, offered, assignment.files, origin=origin)
    return _with_reasons(submission, offered, {handin.name.lower() for handin in assignment.files})


def _offered(listed: Iterable[Blob | Unfit], read: Callable[[Blob, int], bytes]) -> Iterator[Entry | Refused]:
    looked_into = 0
    for item in listed:
        if isinstance(item, Unfit):
            yield Refused(item.path, item.reason)
            continue
        reason = ""
        if item.size <= _LARGEST_POINTER and looked_into < MOST_FILES:
            looked_into += 1
            reason = lfs_reason(read(item, _LARGEST_POINTER))
        yield Refused(item.path, reason) if reason else Entry(item.path, item.size, partial(read, item))


def _with_reasons(submission: Submission, offered: list[Entry | Refused], wanted: set[str]) -> Submission:
    """Say beside a missing file why the one of that name in the commit couldn't be taken."""
    reasons = [
        f"{item.path} is {item.reason}."
        for item in offered
        if isinstance(item, Refused) and item.path.rsplit("/", 1)[-1].lower() in wanted
    ]
    if not submission.problem or not reasons:
        return submission
    return msgspec.structs.replace(submission, problem=" ".join([submission.problem, *reasons]))
