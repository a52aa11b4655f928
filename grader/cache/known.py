"""Answers: this submission on this case, by this code, was judged so. It answers nothing else.

The key is a digest of the submission's files, the case with its expectation, the policy, the sources of the grader
and of the kit's package, Python, and the isolation. A kit that reads anything else is its author's to take care of.
Never kept are `JE`, what was skipped, a result whose drawing failed, and anything below `confined`, where a program
could rewrite the store.
"""

from __future__ import annotations

import contextlib
import sys
import time
from hashlib import blake2b
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec
from msgspec.structs import replace

from grader import source
from grader.judge.registry import files_of
from grader.model.result import CaseResult
from grader.model.run import BanUse
from grader.model.verdict import Level, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.cache.store import Store
    from grader.model.assignment import Assignment, Case
    from grader.model.result import Isolation
    from grader.model.run import How
    from grader.model.submission import Submission

FORMAT = 2  # of key and value; 1: with all that kits read
_UNKEPT = frozenset({Verdict.JE, Verdict.SK})
_UNPLAIN = (OverflowError, RecursionError, TypeError, ValueError, OSError)
_WRITE_S = 0.5  # what a grader that is killed may have done for nothing

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """One case's result, and the banned things that the program used."""

    result: CaseResult
    uses: tuple[BanUse, ...] = ()
    timed_out: bool = False
    """It counts among the cases that took all of their time."""


_decode = msgspec.msgpack.Decoder(Judged).decode


class Put(Protocol):
    """A case as it is put to submissions; pipeline's Prepared is one."""

    @property
    def case(self) -> Case: ...
    @property
    def how(self) -> How: ...


def code_of(modules: Iterable[str], packages: Iterable[str] = ()) -> bytes:
    """Digest what judges and runs: the grader, the packages of these modules, Python, what students may import."""
    folders = sorted({folder for name in modules for folder in source.package_of(name)})
    releases = [(name, metadata.version(name)) for name in packages]
    return blake2b(_encode((source.own(), source.digest(folders), sys.version, releases)), digest_size=20).digest()


class Known:
    """Recalls and keeps the results of one assignment, by the code that judges; with `fresh` it keeps only."""

    def __init__(
        self, store: Store, code: bytes, assignment: Assignment, isolation: Isolation, *, fresh: bool = False
    ) -> None:
        self._store = store
        self._fresh = fresh
        self._is_on = Level(isolation.level).reaches(Level.CONFINED)
        facts = (FORMAT, code, isolation, assignment.policy, assignment.packages)
        self._seed = blake2b(_encode(facts), digest_size=20)
        self._cases: dict[str, bytes] = {}
        self._pending: list[tuple[bytes, Judged]] = []
        self._written_at = time.monotonic()

    def recall(self, submission: Submission, put: Put) -> Judged | None:
        """Return what was judged before, if it would be judged so again."""
        key = b"" if self._fresh else self._key(submission, put)
        data = self._store.get(key) if key else None
        try:
            return _decode(data) if data else None
        except msgspec.DecodeError:
            return None

    def keep(self, submission: Submission, put: Put, judged: Judged) -> None:
        """Keep a result; one that may come out otherwise next time is left out."""
        result = judged.result
        if result.verdict in _UNKEPT or result.outage or result.evidence.is_undrawn:
            return
        key = self._key(submission, put)
        if key:
            self._pending.append((key, judged))
        if time.monotonic() - self._written_at > _WRITE_S:
            self.close()

    def close(self) -> None:
        """Write what was judged up to now."""
        pending, self._pending = self._pending, []
        self._written_at = time.monotonic()
        for key, judged in pending:
            with contextlib.suppress(*_UNPLAIN):
                self._store.put(key, _encode(judged))

    def _key(self, submission: Submission, put: Put) -> bytes:
        """Return the digest; empty where there is none."""
        if put.case.id not in self._cases:
            self._cases[put.case.id] = _case_digest(put)
        case = self._cases[put.case.id]
        if not self._is_on or not case:
            return b""
        state = self._seed.copy()
        state.update(case + _encode(submission.files))
        return state.digest()


def _case_digest(put: Put) -> bytes:
    """Digest a case, with the content of the files that its expectation names."""
    placeless = replace(put.case, path="", line=0)
    try:
        content = [Path(name).read_bytes() for name in files_of(put.case)]
        return blake2b(_encode((placeless, put.how, content)), digest_size=20).digest()
    except _UNPLAIN:
        return b""
