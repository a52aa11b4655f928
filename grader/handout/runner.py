"""The program inside the students' kit: checks a solution on the packed cases.

    python3 check.pyz [FILE OR FOLDER] [--only GLOB]

It runs the same sandbox (at its portable level), the same scan and the same judges as the course does. What the kit
withholds isn't inside: where an explanation needs it, only the difference is told.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import importlib.abc
import importlib.machinery
import json
import logging
import sys
from contextlib import closing
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

import grader
from grader.errors import GraderError, UsageError
from grader.intake.collect import collect_one
from grader.judge.endings import judge_ending
from grader.judge.registry import expect_struct, find
from grader.model.assignment import Assignment, Case, PolicyCost
from grader.model.judgement import Trial
from grader.model.kit import Explaining, WithheldError
from grader.model.result import Mismatch
from grader.model.run import Calls, File, How, Reply, RunRecord, Stream
from grader.model.verdict import Ending, Level, Verdict
from grader.pipeline.grade_case import grade_case, read_alone
from grader.pipeline.prepare import Prepared, fits, request_for
from grader.pipeline.sheet import forbids_running, settle_unrun
from grader.policy.scan import scan
from grader.policy.shipped import watcher_source
from grader.readers.job import run
from grader.sandbox.open import open_sandbox

if TYPE_CHECKING:
    import types
    from collections.abc import Iterator, Sequence

    from grader.model.assignment import Kind
    from grader.model.kit import Divergence
    from grader.model.result import CaseResult
    from grader.model.seams import Sandbox
    from grader.model.submission import Submission

DATA = "kit.json"
STAND_INS = frozenset({"msgspec", "hypothesis"})
"""Installed packages that a kit may import though a student has none: one is replaced, one is for hunts alone."""
_NOTE = (
    "Your code ran with your own rights, held only by limits; "
    "the official run has a stronger wall, hidden cases, and the last word."
)


class _Withheld(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for the modules that stay with the course: importing them works, using them doesn't."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = frozenset(names)

    def find_spec(self, name: str, *_: Any) -> importlib.machinery.ModuleSpec | None:
        if not any(name == secret or name.startswith(f"{secret}.") for secret in self._names):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def exec_module(self, module: types.ModuleType) -> None:
        def absent(*_: Any, **__: Any) -> Any:
            raise WithheldError(module.__name__)

        def lookup(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return absent

        module.__getattr__ = lookup  # type: ignore[method-assign]  # a module may have its own


class _Released:
    """A kit of which only the released part is here."""

    def __init__(self, kit: Any) -> None:
        self._kit = kit

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kit, name)

    def check(self, puzzle: Any, claim: Any, expect: Any) -> Mismatch | None:
        try:
            mismatch: Mismatch | None = self._kit.check(puzzle, claim, expect)
        except WithheldError:
            return Mismatch(kind="withheld", message=f"{_difference(claim, expect)}; the official run tells why.")
        return mismatch

    def draw(self, *_: Any) -> None:
        return None


class _Explaining(_Released):
    """A released kit that explains, as far as it can without what is withheld."""

    def explain(self, puzzle: Any, divergence: Divergence) -> Mismatch:
        try:
            mismatch: Mismatch = self._kit.explain(puzzle, divergence)
        except Exception:  # noqa: BLE001 - what a withheld module lacks may show in many ways
            return _plain(divergence)
        return mismatch


def _plain(divergence: Divergence) -> Mismatch:
    """Tell a difference without the kit."""
    places = [f"frame {divergence.index}"] if divergence.index is not None else []
    places += ["the returned value" + "".join(f"[{part!r}]" for part in divergence.where)] if not places else []
    return Mismatch(
        kind="difference",
        message=f"{places[0]} differs from what is expected.",
        where=places[0],
        expected=_shown(divergence.expected),
        found=_shown(divergence.found),
        step=divergence.index,
    )


def _shown(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else repr(value)[:200]


def _difference(claim: Any, expect: Any) -> str:
    """Say what can be said without the solver: the first answer that differs."""
    wanted = [value for value in msgspec.to_builtins(expect).values() if isinstance(value, list | tuple)]
    if len(wanted) == 1 and isinstance(claim, list | tuple):
        for number, (want, got) in enumerate(zip(wanted[0], claim, strict=False), start=1):
            if want != got:
                return f"answer {number} is {got!r}, {want!r} was expected"
    return "your answer is not the expected one"


def main(arguments: list[str] | None = None) -> int:
    """Check the solution and say how it went; 0 when everything passed."""
    logging.disable(logging.CRITICAL)
    data = _load(Path(grader.__file__).parents[1])
    sys.meta_path.insert(0, _Withheld((*data["withheld"], "hypothesis")))
    words = _parser(data).parse_args(arguments)
    try:
        assignment = msgspec.convert(data["assignment"], Assignment)
        return _prove(data) if words.prove else _check(data, assignment, Path(words.path), words.only)
    except GraderError as error:
        print(f"check: {error}", file=sys.stderr)
        return error.exit_status


def _parser(data: dict[str, Any]) -> argparse.ArgumentParser:
    title = data["assignment"]["title"]
    parser = argparse.ArgumentParser(prog="check.pyz", description=f"Checks a solution of {title!r}: visible cases.")
    parser.add_argument("path", nargs="?", default=".", help="your file or folder; else this folder")
    parser.add_argument("--only", metavar="GLOB", help="only cases of this id or tag, such as 'seed*'")
    parser.add_argument("--prove", action="store_true", help=argparse.SUPPRESS)
    return parser


def _check(data: dict[str, Any], assignment: Assignment, path: Path, only: str | None) -> int:
    cases = [_prepared(packed) for packed in data["cases"]]
    chosen = [each for each in cases if only is None or fits(each.case, only)]
    if not chosen:
        near = get_close_matches(only or "", [each.case.id for each in cases], n=1)
        hint = f"did you mean {near[0]}?" if near else f"cases: {', '.join(each.case.id for each in cases)}"
        raise UsageError(f"no visible case is called {only}", hint=hint)
    submission = collect_one(path, assignment)
    if submission.problem:
        raise UsageError(submission.problem)
    with closing(open_sandbox(Level.LIMITED, watcher_source=watcher_source())) as sandbox:
        results = list(_results(chosen, assignment, submission, sandbox))
        if data["hidden"] and only is None:
            _check_sealed(data["hidden"], assignment, submission, sandbox)
    passed = sum(result.verdict is Verdict.AC for result in results)
    print(f"\n{passed} of {len(results)} visible cases pass. {_NOTE}")
    return 0 if passed == len(results) else 1


def _prove(data: dict[str, Any]) -> int:
    """Open a sandbox, and judge some answers without running anything: whatever all this needs is here."""
    open_sandbox(Level.LIMITED, watcher_source=watcher_source()).close()
    for prepared in (_prepared(packed) for packed in data["cases"]):
        for text, value in ((b"", None), (b"0\n", 0), (b"a b\n", ["a"])):
            count = len(prepared.how.arguments) if isinstance(prepared.how, Calls) else 1
            replies = tuple(Reply(value=value) for _ in range(count))
            record = RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(text), replies=replies)
            result = run(read_alone(prepared, PolicyCost.WARNING).read(None, prepared, record))
            if result.verdict is Verdict.JE and result.mismatch is not None:
                print(result.mismatch.found.strip(), file=sys.stderr)
                return 70
    return 0


def _results(
    cases: Sequence[Prepared], assignment: Assignment, submission: Submission, sandbox: Sandbox
) -> Iterator[CaseResult]:
    finding = forbids_running(scan(submission.files, assignment.policy, assignment.started), assignment)
    for prepared in cases:
        if finding:
            result = settle_unrun(submission, [prepared.case], finding)[0]
        else:
            result = grade_case(prepared, submission, assignment, sandbox)
        _tell(result)
        yield result


def _check_sealed(
    hidden: list[dict[str, Any]], assignment: Assignment, submission: Submission, sandbox: Sandbox
) -> None:
    """Confirm hidden answers by their digests; neither the answer nor the reason is here to be shown."""
    sealed = [packed for packed in hidden if packed["checkable"]]
    confirmed = 0
    for packed in sealed:
        prepared = _bare(packed)
        record = sandbox.run(request_for(prepared, submission, assignment))
        confirmed += judge_ending(prepared.case, record) is None and _is_confirmed(prepared, record, packed)
    uncheckable = len(hidden) - len(sealed)
    print(f"\nhidden cases: {confirmed} of {len(sealed)} confirmed by digest, {uncheckable} not checkable at home.")


def _is_confirmed(prepared: Prepared, record: RunRecord, packed: dict[str, Any]) -> bool:
    judge = find(prepared.case.kind.judge)
    trial = Trial(case=prepared.case, kit=prepared.kit, puzzle=None, record=record)
    return any(digest_of(answer, packed["key"]) == packed["digest"] for answer in judge.answers(trial))


def digest_of(answer: bytes, key: str) -> str:
    """Digest an answer slowly, under the case's own key: who has the digest can confirm an answer, and read none."""
    folded = hashlib.sha256(answer).digest()
    return hashlib.scrypt(folded, salt=key.encode(), n=1 << 14, r=8, p=1, dklen=32).hex()


def _bare(packed: dict[str, Any]) -> Prepared:
    """Read a packed case, but not its input."""
    case = msgspec.convert(packed["case"], Case)
    kit = _kit(case.kind)
    if case.expect is not None:
        expect = msgspec.convert(case.expect, expect_struct(find(case.kind.judge), kit))
        case = msgspec.structs.replace(case, expect=expect)
    return Prepared(
        case=case,
        kit=kit,
        puzzle=None,
        how=msgspec.convert(packed["how"], How),
        inputs=tuple(msgspec.convert(packed["inputs"], tuple[File, ...])),
    )


def _kit(kind: Kind) -> Any:
    """Build the released part of a kit; None when nothing of it is here."""
    if not kind.kit:
        return None
    module, _, factory = kind.kit.partition(":")
    kit = getattr(importlib.import_module(module), factory)(**kind.rules)
    return _Explaining(kit) if isinstance(kit, Explaining) else _Released(kit)


def _prepared(packed: dict[str, Any]) -> Prepared:
    prepared = _bare(packed)
    puzzle = prepared.kit.parse(prepared.case.input) if prepared.kit is not None else None
    return msgspec.structs.replace(prepared, puzzle=puzzle)


def _tell(result: CaseResult) -> None:
    mark = "ok  " if result.verdict is Verdict.AC else result.verdict.value.ljust(4)
    print(f"{mark} {result.facts.title}")
    if result.verdict is Verdict.AC:
        return
    print(f"     {result.message}")
    if result.mismatch is not None:
        for title, text in (("expected", result.mismatch.expected), ("found", result.mismatch.found)):
            shown = "\n".join(f"       {line}" for line in text.splitlines()[:30])
            print(f"     {title}:\n{shown}" if shown else "", end="\n" if shown else "")
    if result.facts.hint:
        print(f"     hint: {result.facts.hint}")


def _load(folder: Path) -> dict[str, Any]:
    """Read the packed cases; the files that their expectations name lie beside."""
    data: dict[str, Any] = json.loads((folder / DATA).read_text("utf-8"))
    for packed in data["cases"]:
        for key, name in packed["files"].items():
            packed["case"]["expect"][key] = str(folder / name)
    return data
