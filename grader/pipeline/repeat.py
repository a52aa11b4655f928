"""Finds runs that give another answer when they are run again.

Times and memory may differ; the ending, the exit status, what was printed and what was returned may not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

from grader.model import wire
from grader.model.run import Reply

if TYPE_CHECKING:
    from collections.abc import Hashable

    from grader.model.run import RunRecord

K = TypeVar("K", bound="Hashable")

Outcome = dict[str, bytes]


class Repeats(Generic[K]):
    """Compares the records of each key with the first of them; holds digests only."""

    def __init__(self) -> None:
        self._first: dict[K, Outcome] = {}
        self._differing: dict[K, set[str]] = {}

    def note(self, key: K, record: RunRecord) -> None:
        outcome = _outcome(record)
        first = self._first.setdefault(key, outcome)
        parts = {part for part, digest in outcome.items() if first[part] != digest}
        if parts:
            self._differing.setdefault(key, set()).update(parts)

    def differing(self) -> dict[K, tuple[str, ...]]:
        """Give each key whose runs disagree, and in which parts: `ending`, `exit status`, `output`, `answers`."""
        return {key: tuple(sorted(parts)) for key, parts in self._differing.items()}


def _outcome(record: RunRecord) -> Outcome:
    from hashlib import blake2b  # noqa: PLC0415 - it loads OpenSSL, and few runs are repeated

    output = blake2b(digest_size=16)
    for piece in record.stdout.chunks():
        output.update(piece)
    answers = blake2b(digest_size=16)
    for reply in record.replies:
        raised = reply.raised and msgspec.structs.replace(reply.raised, traceback="")
        answers.update(wire.encode(Reply(value=reply.value, raised=raised)))
    return {
        "ending": record.ending.encode(),
        "exit status": msgspec.json.encode((record.exit_status, record.signal)),
        "output": output.digest(),
        "answers": answers.digest(),
    }
