"""Remembers what was found out about a submission, so that only what changed is judged.

Two digests decide. One names the submission: its files, the assignment's policy and packages, the wall, Python, and
the source of the harness and of the kits. Below it lies a result per case, each with the digest of its case: puzzle,
limits, expectation, judge and options. What failed through our own fault is never kept.
"""

from __future__ import annotations

import contextlib
import os
import platform
import sys
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.again.code import Source
from grader.again.machine import installed
from grader.model.result import CaseResult, Finding
from grader.model.run import Agent, BanUse
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.engines.store import RunStore
    from grader.model.submission import Submission
    from grader.pipeline.prepare import Plan, Prepared

FORMAT = 1  # of what is kept; 1: the first
_SIZE = 20
_UNPLAIN = (OverflowError, RecursionError, TypeError, ValueError)

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


class Judged(msgspec.Struct, frozen=True, array_like=True):
    """One case's result, and what it was judged by."""

    case: bytes
    result: CaseResult
    uses: tuple[BanUse, ...] = ()


class Known(msgspec.Struct, frozen=True, array_like=True):
    """What is known of one submission: its findings, and results by the case's id."""

    findings: tuple[Finding, ...]
    cases: dict[str, Judged]


_decode = msgspec.msgpack.Decoder(Known).decode


class Memory:
    """Recalls and remembers submissions of one plan; OddError where the source can't be vouched for."""

    def __init__(self, plan: Plan, store: RunStore, *, level: str, fresh: bool = False) -> None:
        self.source = Source(_named(plan))
        assignment = plan.assignment
        place = (sys.version, platform.machine(), level, installed(), self.source.digest)
        self._seed = blake2b(_encode((FORMAT, "outcome", place, assignment.policy, assignment.packages)))
        self._store = store
        self._fresh = fresh
        self._cases = {prepared.case.id: _Case(prepared) for prepared in plan.cases}
        self._wanted = {name: case.digest for name, case in self._cases.items()}

    def recall(self, submission: Submission) -> Recollection:
        """Give the findings and every result that would be the same."""
        state = self._seed.copy()
        state.update(_encode(submission.files))
        digest = state.digest()[:_SIZE]
        known = None if self._fresh else self._store.find(digest, _decode)
        return Recollection(digest, known, self._wanted)

    def remember(
        self,
        page: Recollection,
        findings: tuple[Finding, ...],
        results: Iterable[tuple[CaseResult, tuple[BanUse, ...]]],
    ) -> None:
        """Keep what was found out, beside the results of cases that were not asked for this time."""
        judged = (Judged(self._wanted[result.id], result, uses) for result, uses in results)
        sure = {one.result.id: one for one in judged if one.case and one.result.verdict is not Verdict.JE}
        if self.source.is_all() and all(self._cases[name].is_unchanged() for name in sure.keys() - page.cases.keys()):
            with contextlib.suppress(*_UNPLAIN):
                self._store.keep(page.digest, _encode(Known(findings, page.others | sure)))


class Forgetful:
    """A memory that keeps nothing."""

    def recall(self, _: Submission) -> Recollection:
        return Recollection(b"", None, {})

    def remember(self, page: Recollection, findings: object, results: object) -> None: ...


class Recollection:
    """What is known of one submission."""

    def __init__(self, digest: bytes, known: Known | None, wanted: dict[str, bytes]) -> None:
        kept = known.cases if known else {}
        self.digest = digest
        self.findings = known.findings if known else None
        self.cases = {name: judged for name, judged in kept.items() if judged.case == wanted.get(name)}
        self.others = {name: judged for name, judged in kept.items() if name not in wanted}
        """Results of cases that this plan has none of."""


class _Case:
    """A case's digest, with the content of the transcript that it names."""

    def __init__(self, prepared: Prepared) -> None:
        self._transcript = prepared.case.expect.transcript
        self._mark = self._stat()
        content = Path(self._transcript).read_bytes() if self._transcript else b""
        placeless = msgspec.structs.replace(prepared.case, path="", line=0)
        try:
            plain = _encode((placeless, prepared.how, content))
        except _UNPLAIN:
            self.digest = b""
        else:
            self.digest = blake2b(plain, digest_size=_SIZE).digest()

    def is_unchanged(self) -> bool:
        """Tell whether the transcript is the one that was digested: judges read it while the grade runs."""
        return self._mark == self._stat()

    def _stat(self) -> tuple[int, ...]:
        if not self._transcript:
            return ()
        status = os.stat(self._transcript)  # noqa: PTH116 - once per case and submission
        return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _named(plan: Plan) -> set[str]:
    """Name the modules of kits, judges and worlds."""
    names = {type(prepared.kit).__module__ for prepared in plan.cases}
    kinds = plan.assignment.kinds.values()
    names |= {kind.judge for kind in kinds if "." in kind.judge}
    worlds = (prepared.how.world for prepared in plan.cases if isinstance(prepared.how, Agent))
    return names | {kind.kit for kind in kinds if "." in kind.kit} | {world.partition(":")[0] for world in worlds}
