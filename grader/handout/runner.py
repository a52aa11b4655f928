"""The program inside the students' kit: checks a solution on the packed cases.

    python3 check.pyz [FILE OR FOLDER] [--only GLOB]

It runs the same sandbox (at its portable level), the same scan and the same judges as the course does. The reference
solver isn't inside: where an explanation needs it, only the difference is told.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import json
import logging
import sys
import tempfile
import zipfile
from contextlib import closing
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from grader.errors import GraderError
from grader.handout.digests import digest_of, found_answers
from grader.intake.collect import collect_one
from grader.judge.endings import judge_ending
from grader.model.assignment import Assignment, Case
from grader.model.result import Mismatch
from grader.model.run import File, How
from grader.model.verdict import TIMED_OUT, Level, Verdict
from grader.pipeline.assess import assess
from grader.pipeline.prepare import Prepared, request_for
from grader.pipeline.sheet import forbids_running, settle_unrun
from grader.policy.scan import scan
from grader.policy.shipped import watcher_source
from grader.sandbox.open import open_sandbox

if TYPE_CHECKING:
    import types
    from collections.abc import Iterator, Sequence

    from grader.model.result import CaseResult
    from grader.model.seams import Sandbox
    from grader.model.submission import Submission

DATA = "kit.json"
CLAIMED = frozenset({"path", "moves", "play", "claim"})
"""Judges that ask the kit; the others compare with the packed answer alone."""
_NOTE = (
    "Your code ran with your own rights, held only by limits; "
    "the official run has a stronger wall, hidden cases, and the last word."
)


class WithheldError(Exception):
    """This part of the course isn't in the kit."""


class _Withheld(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for the modules that stay with the course: importing them works, using them doesn't."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = frozenset(names)

    def find_spec(self, name: str, *_: Any) -> importlib.machinery.ModuleSpec | None:
        return importlib.machinery.ModuleSpec(name, self) if name in self._names else None

    def exec_module(self, module: types.ModuleType) -> None:
        def absent(*_: Any, **__: Any) -> Any:
            raise WithheldError(module.__name__)

        module.__getattr__ = lambda _: absent  # type: ignore[method-assign]  # a module may have its own


class _Checker:
    """A kit of which only reading and checking are here."""

    def __init__(self, kit: Any) -> None:
        self._kit = kit

    def read(self, record: Any) -> Any:
        return self._kit.read(record)

    def check(self, puzzle: Any, claim: Any, expect: Any) -> Mismatch | None:
        try:
            mismatch: Mismatch | None = self._kit.check(puzzle, claim, expect)
        except WithheldError:
            return Mismatch(kind="withheld", message=f"{_difference(claim, expect)}; the official run tells why.")
        return mismatch

    def draw(self, *_: Any) -> None:
        return None


def _difference(claim: Any, expect: Any) -> str:
    """Say what can be said without the solver: the first answer that differs."""
    if expect.moves is not None and isinstance(claim, list | tuple):
        for number, (want, got) in enumerate(zip(expect.moves, claim, strict=False), start=1):
            if want != got:
                return f"answer {number} is {got!r}, {want} was expected"
    return "your answer is not the expected one"


def main(arguments: list[str] | None = None) -> int:
    """Check the solution and say how it went; 0 when everything passed."""
    words = sys.argv[1:] if arguments is None else arguments
    logging.disable(logging.CRITICAL)
    only = words[words.index("--only") + 1] if "--only" in words[:-1] else "*"
    paths = [word for word in words if not word.startswith("--") and word != only]
    try:
        return _check(Path(paths[0] if paths else "."), only)
    except GraderError as error:
        print(f"check: {error}", file=sys.stderr)  # noqa: T201 - a program of its own
        return error.exit_status


def _check(path: Path, only: str) -> int:
    with tempfile.TemporaryDirectory(prefix="maze-kit-") as folder:
        data = _load(Path(folder))
        assignment = msgspec.convert(data["assignment"], Assignment)
        submission = collect_one(path, assignment)
        if submission.problem:
            print(f"check: {submission.problem}", file=sys.stderr)  # noqa: T201 - a program of its own
            return 2
        results = list(_results(data, assignment, submission, only))
        if data["hidden"] and only == "*":
            _check_sealed(data, assignment, submission)
    passed = sum(result.verdict is Verdict.AC for result in results)
    print(f"\n{passed} of {len(results)} visible cases pass. {_NOTE}")  # noqa: T201 - a program of its own
    return 0 if passed == len(results) else 1


def _results(data: dict[str, Any], assignment: Assignment, submission: Submission, only: str) -> Iterator[CaseResult]:
    sys.meta_path.insert(0, _Withheld(data["withheld"]))
    finding = forbids_running(scan(submission.files, assignment.policy), assignment)
    with closing(open_sandbox(Level.LIMITED, watcher_source=watcher_source())) as sandbox:
        for packed in data["cases"]:
            case = msgspec.convert(packed["case"], Case)
            if not fnmatchcase(case.id, only):
                continue
            result = (
                settle_unrun(submission, [case], finding)[0]
                if finding
                else _run(_prepared(case, packed), submission, assignment, sandbox)
            )
            _tell(result)
            yield result


def _check_sealed(data: dict[str, Any], assignment: Assignment, submission: Submission) -> None:
    """Confirm hidden answers by their digests; neither the answer nor the reason is here to be shown."""
    sealed = [packed for packed in data["hidden"] if packed["checkable"]]
    confirmed = 0
    with closing(open_sandbox(Level.LIMITED, watcher_source=watcher_source())) as sandbox:
        for packed in sealed:
            case = msgspec.convert(packed["case"], Case)
            inputs = tuple(msgspec.convert(packed["inputs"], tuple[File, ...]))
            how = msgspec.convert(packed["how"], How)
            prepared = Prepared(case=case, kit=None, puzzle=None, how=how, inputs=inputs)
            record = sandbox.run(request_for(prepared, submission, assignment))
            answers = found_answers(case, record) if judge_ending(case, record) is None else ()
            confirmed += any(digest_of(answer, packed["key"]) == packed["digest"] for answer in answers)
    uncheckable = len(data["hidden"]) - len(sealed)
    print(  # noqa: T201 - a program of its own
        f"\nhidden cases: {confirmed} of {len(sealed)} confirmed by digest, {uncheckable} not checkable at home."
    )


def _prepared(case: Case, packed: dict[str, Any]) -> Prepared:
    request = msgspec.convert(packed["how"], How)
    inputs = tuple(msgspec.convert(packed["inputs"], tuple[File, ...]))
    if case.kind.judge not in CLAIMED:
        return Prepared(case=case, kit=None, puzzle=None, how=request, inputs=inputs)
    kit = importlib.import_module(case.kind.kit).kit(**case.kind.rules)
    return Prepared(case=case, kit=_Checker(kit), puzzle=kit.parse(case.maze), how=request, inputs=inputs)


def _run(prepared: Prepared, submission: Submission, assignment: Assignment, sandbox: Sandbox) -> CaseResult:
    request = request_for(prepared, submission, assignment)
    record = sandbox.run(request)
    if record.ending in TIMED_OUT:
        record = sandbox.run(request)
    return assess(prepared, record, assignment.policy.cost)


def _tell(result: CaseResult) -> None:
    mark = "ok  " if result.verdict is Verdict.AC else result.verdict.value.ljust(4)
    print(f"{mark} {result.title}")  # noqa: T201 - a program of its own
    if result.verdict is Verdict.AC:
        return
    print(f"     {result.message}")  # noqa: T201 - a program of its own
    if result.mismatch is not None:
        for title, text in (("expected", result.mismatch.expected), ("found", result.mismatch.found)):
            shown = "\n".join(f"       {line}" for line in text.splitlines()[:30])
            print(f"     {title}:\n{shown}" if shown else "", end="\n" if shown else "")  # noqa: T201 - as above
    if result.hint:
        print(f"     hint: {result.hint}")  # noqa: T201 - a program of its own


def _load(folder: Path) -> dict[str, Any]:
    """Read the packed cases; transcripts become files again, since judges read them as streams."""
    with zipfile.ZipFile(sys.path[0] if zipfile.is_zipfile(sys.path[0]) else sys.argv[0]) as archive:
        data: dict[str, Any] = json.loads(archive.read(DATA))
        for packed in data["cases"]:
            expect = packed["case"]["expect"]
            if expect.get("transcript"):
                name = Path(expect["transcript"]).name
                (folder / name).write_bytes(archive.read(expect["transcript"]))
                expect["transcript"] = str(folder / name)
    return data
