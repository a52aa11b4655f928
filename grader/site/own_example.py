"""An example of the student's own: a puzzle they wrote, and the answer that they expect, if they know it.

Where the course releases its solver, the answer is judged. Elsewhere nobody here can say whether it is right: the
program is run, its walk is drawn, and what it printed is compared with what the student expects.
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
from grader.model.assignment import CaseFacts, PolicyCost
from grader.model.judgement import Judgement
from grader.model.kit import PuzzleError, WithheldError, expectation
from grader.model.result import CaseResult, Mismatch
from grader.model.verdict import Verdict
from grader.pipeline.grade_case import draw, evidence_of, read_alone
from grader.pipeline.prepare import Prepared, prepare_case
from grader.readers.job import run

if TYPE_CHECKING:
    from grader.model.kit import Kit
    from grader.model.run import File, RunRecord
    from grader.model.scene import Scene

MOST_BYTES = 64 << 10
"""As for the examples that students hand in (prove/examples.py)."""
_UNJUDGED = "Your program ran to its end. Nobody judged this: look whether it did what you wanted."
_AS_EXPECTED = "Your program did what you expect."
_RIGHT = "Right: the course's solver says the same."
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
        if (kit := _kit(like)) is None:
            raise UsageError("examples of this kind need the course's own kit")
        raw = given.input.encode("utf-8", "replace")
        if len(raw) > MOST_BYTES:
            raise UsageError(f"it is larger than {MOST_BYTES >> 10} KiB", hint="a good example is small")
        facts = CaseFacts(id="own", title="Your own example", points=0.0)
        case = replace(like.case, facts=facts, input=raw.decode(), raw=raw, expect=None, options={})
        try:
            return cls(prepare_case(case, kit), given.expected)
        except PuzzleError as error:
            raise UsageError(f"line {error.line}: {error.message}", hint=error.hint) from error
        except WithheldError as error:
            raise UsageError("examples of this kind need the course's own solver") from error

    def judge(self, record: RunRecord, files: tuple[File, ...]) -> CaseResult:
        """Say how it ended and, where the student expects something, whether it came."""
        if not self._expected.strip() and _is_solved(self.prepared):
            result = run(read_alone(self.prepared, PolicyCost.CASE).read(None, self.prepared, record, files=files))
            self.summary = result.message or _RIGHT
            return result
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
            evidence=replace(evidence_of(case, record), scene=_drawn(self.prepared, record)),
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


def _kit(prepared: Prepared) -> Kit | None:
    return prepared.kit  # the students' kit has none where the judge can do without it


def _is_solved(prepared: Prepared) -> bool:
    """Tell whether the course's solver is here, and knows this puzzle."""
    try:
        expectation(prepared.kit, prepared.puzzle)
    except WithheldError:
        return False
    return True


def _drawn(prepared: Prepared, record: RunRecord) -> Scene | None:
    try:
        return draw(prepared, record)
    except WithheldError:
        return None  # this drawing shows the right answer, too


def _answer(record: RunRecord) -> str:
    """Return what it printed; of a function what each call returned, a line each."""
    if record.replies:
        return "\n".join(json.dumps(reply.value) for reply in record.replies)
    return record.stdout.head(MOST_BYTES * 16).decode("utf-8", "replace")


def _lines(text: str) -> list[str]:
    """Return the lines; spaces at their ends and empty lines don't count."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]
