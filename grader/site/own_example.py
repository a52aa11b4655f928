"""An example of the student's own: a puzzle they wrote, and the answer that they expect, if they know it.

Where the course keeps its solver, nobody here can say whether an answer is right. So the program is run and its walk
is drawn; what it printed is compared with what the student expects.
"""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from grader.errors import UsageError
from grader.judge.endings import judge_end
from grader.judge.reasons.program import Program, Run
from grader.model.assignment import CaseFacts
from grader.model.judgement import Judgement
from grader.model.kit import PuzzleError, WithheldError
from grader.model.result import CaseResult, Mismatch
from grader.model.verdict import Verdict
from grader.pipeline.grade_case import draw, evidence_of
from grader.pipeline.prepare import Prepared, prepare_case

if TYPE_CHECKING:
    from grader.model.run import File, RunRecord

MOST_BYTES = 64 << 10
"""As for the examples that students hand in (prove/examples.py)."""
_UNJUDGED = "Your program ran to its end. Nobody judged this: look whether it did what you wanted."
_AS_EXPECTED = "Your program did what you expect."
_LONGEST = 500


class _Given(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    input: str
    expected: str = ""


class OwnExample:
    """One example, ready to be run."""

    def __init__(self, prepared: Prepared, expected: str) -> None:
        self.prepared = prepared
        self._expected = expected
        self.summary = _UNJUDGED

    @classmethod
    def read(cls, text: str, cases: tuple[Prepared, ...]) -> OwnExample:
        """Read an example from JSON; UsageError when it is no puzzle of this kind."""
        given = msgspec.json.decode(text.encode(), type=_Given)
        like = next((each for each in cases if each.case.kind.name == given.kind), cases[0])
        if len(given.input.encode()) > MOST_BYTES:
            raise UsageError(f"it is larger than {MOST_BYTES >> 10} KiB", hint="a good example is small")
        facts = CaseFacts(id="own", title="Your own example", points=0.0)
        case = replace(like.case, facts=facts, input=given.input, raw=given.input.encode(), expect=None, options={})
        try:
            return cls(prepare_case(case, like.kit), given.expected)
        except PuzzleError as error:
            raise UsageError(f"line {error.line}: {error.message}", hint=error.hint) from error
        except WithheldError as error:
            raise UsageError("examples of this kind need the course's own solver") from error

    def judge(self, record: RunRecord, files: tuple[File, ...]) -> CaseResult:
        """Say how it ended and, where the student expects something, whether it came."""
        case = self.prepared.case
        ended = judge_end(Run(case, record, Program(files), self.prepared.kit))
        judgement = ended or self._compared(record)
        mismatch = judgement.mismatch
        self.summary = mismatch.message if mismatch else _AS_EXPECTED
        return CaseResult(
            facts=case.facts,
            verdict=judgement.verdict,
            points=0.0,
            message=mismatch.message if mismatch else "",
            mismatch=mismatch,
            evidence=replace(evidence_of(case, record), scene=draw(self.prepared, record)),
        )

    def _compared(self, record: RunRecord) -> Judgement:
        found = _answer(record)
        if not self._expected.strip():
            return Judgement(verdict=Verdict.SK, mismatch=Mismatch(kind="unjudged", message=_UNJUDGED))
        pairs = zip_longest(_lines(self._expected), _lines(found), fillvalue="")
        for number, (wanted, line) in enumerate(pairs, start=1):
            if wanted != line:
                message = f"line {number} isn't what you expect."
                mismatch = Mismatch(kind="own", message=message, expected=wanted[:_LONGEST], found=line[:_LONGEST])
                return Judgement(verdict=Verdict.WA, mismatch=mismatch)
        return Judgement(verdict=Verdict.AC)


def _answer(record: RunRecord) -> str:
    """Return what it printed; of a function what each call returned, a line each."""
    if record.replies:
        return "\n".join(json.dumps(reply.value) for reply in record.replies)
    return record.stdout.head(MOST_BYTES * 16).decode("utf-8", "replace")


def _lines(text: str) -> list[str]:
    """Return the lines; spaces at their ends and empty lines don't count."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]
