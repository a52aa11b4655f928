"""Answers: this submission on this case, by this code, was judged so. It answers nothing else.

The key is a digest of the submission's files, the case with its expectation, the policy, the isolation, and the
world (world.py). Never kept are `JE`, what was skipped, a result whose drawing failed, anything below `confined` (a
program could rewrite the store), and a result for which the kit read what isn't in the key.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections import OrderedDict
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from grader.cache import touched
from grader.judge.registry import files_of
from grader.model.result import CaseResult
from grader.model.run import BanUse
from grader.model.verdict import Level, Verdict

if TYPE_CHECKING:
    from grader.cache.store import Store
    from grader.cache.world import World
    from grader.model.assignment import Assignment, Case
    from grader.model.result import Isolation
    from grader.model.run import How
    from grader.model.submission import Submission

FORMAT = 1  # of key and value; 1: the first
_UNKEPT = frozenset({Verdict.JE, Verdict.SK})
_UNPLAIN = (OverflowError, RecursionError, TypeError, ValueError)
_WRITE_S = 0.5  # what a grader that is killed may have done in vain
_MOST_HELD = 64  # submissions whose digest is held: twice those that are graded at a time

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """One case's result, and the banned things that the program used."""

    result: CaseResult
    uses: tuple[BanUse, ...] = ()
    timed_out: bool = False
    """It counts among the time-outs after which a submission's other cases are skipped."""


_decode = msgspec.msgpack.Decoder(Judged).decode


class Put(Protocol):
    """A case as it is put to submissions; pipeline's Prepared is one."""

    @property
    def case(self) -> Case: ...
    @property
    def how(self) -> How: ...


class Known:
    """Recalls and keeps the results of one assignment; with `fresh` it keeps only."""

    def __init__(
        self, store: Store, world: World, assignment: Assignment, isolation: Isolation, *, fresh: bool = False
    ) -> None:
        self._store = store
        self._world = world
        self._fresh = fresh
        self._is_on = Level(isolation.level).reaches(Level.CONFINED)
        facts = (FORMAT, world.digest, isolation, assignment.policy, assignment.packages)
        self._seed = blake2b(_encode(facts), digest_size=20)
        self._cases: dict[str, _Case] = {}
        self._submissions: OrderedDict[int, tuple[Submission, bytes]] = OrderedDict()
        self._pending: list[tuple[bytes, Judged, _Case]] = []
        self._written_at = time.monotonic()

    def recall(self, submission: Submission, put: Put) -> Judged | None:
        """Return what was judged before, if it would be judged so again."""
        key = b"" if self._fresh else self._key(submission, put)
        data = self._store.get(key) if key else None
        if data is None:
            return None
        try:
            return _decode(data)
        except msgspec.DecodeError:
            return None

    def keep(self, submission: Submission, put: Put, judged: Judged) -> None:
        """Keep a result; one that may come out otherwise next time is left out."""
        result = judged.result
        if result.verdict in _UNKEPT or result.outage or result.evidence.is_undrawn or not touched.is_clean():
            return
        key = self._key(submission, put)
        if key:
            self._pending.append((key, judged, self._cases[put.case.id]))
        if time.monotonic() - self._written_at > _WRITE_S:
            self._write()

    def close(self) -> None:
        if self._pending:
            self._write()

    def _write(self) -> None:
        """Write what was judged up to now, if nothing that it was judged by has changed meanwhile."""
        pending, self._pending = self._pending, []
        self._written_at = time.monotonic()
        if not self._world.is_same():
            return
        for key, judged, case in pending:
            if case.is_unchanged():
                with contextlib.suppress(*_UNPLAIN):
                    self._store.put(key, _encode(judged))

    def _key(self, submission: Submission, put: Put) -> bytes:
        """Return the digest; empty where there is none."""
        if put.case.id not in self._cases:
            self._cases[put.case.id] = _Case(put)
        case = self._cases[put.case.id].digest
        if not self._is_on or not case:
            return b""
        state = self._seed.copy()
        state.update(case + self._digest(submission))
        return state.digest()

    def _digest(self, submission: Submission) -> bytes:
        held = self._submissions.get(id(submission))  # the entry holds the submission, so no other can take its id
        if held is None:
            held = (submission, blake2b(_encode(submission.files), digest_size=20).digest())
            self._submissions[id(submission)] = held
            if len(self._submissions) > _MOST_HELD:
                self._submissions.popitem(last=False)
        return held[1]


class _Case:
    """The digest of a case, with the content of the files that its expectation names."""

    def __init__(self, put: Put) -> None:
        self._files = files_of(put.case)
        self._mark = self._stat()
        placeless = msgspec.structs.replace(put.case, path="", line=0)
        try:
            content = [Path(name).read_bytes() for name in self._files]
            self.digest = blake2b(_encode((placeless, put.how, content)), digest_size=20).digest()
        except (*_UNPLAIN, OSError):
            self.digest = b""

    def is_unchanged(self) -> bool:
        """Tell whether the files are those that were digested: judges read them while the grade runs."""
        return self._mark == self._stat()

    def _stat(self) -> list[tuple[int, ...]]:
        try:
            found = [os.stat(name) for name in self._files]  # noqa: PTH116 - once per case and submission
        except OSError:
            return []
        return [(one.st_ino, one.st_size, one.st_mtime_ns, one.st_ctime_ns) for one in found]
