"""Judges examples that students wrote: whether they are right, and which wrong programs they catch.

    examples/
    ├── corridor.in           an input of the assignment's first kind
    ├── corridor.out          what a right program prints for it; of a function: what each call returns, a line each
    └── loader/tiny.in, .out  of the kind `loader`

An example is judged as if a program had given its answer. The right ones are then put to the wrong solutions that the
course keeps (`reference/solutions`): those that fail one are caught.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec

from grader.catalogue.kits import kit_of
from grader.errors import UsageError
from grader.judge.decide import decide
from grader.model.assignment import Assignment, Case, CaseFacts, RunAs
from grader.model.judgement import Trial
from grader.model.kit import PuzzleError
from grader.model.run import Reply, RunRecord, Stream
from grader.model.verdict import Ending, Verdict
from grader.pipeline.prepare import prepare_case
from grader.readers.job import Failed, Job, ask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from grader.model.assignment import Kind
    from grader.model.matrix import KillMatrix, Solution
    from grader.readers.pool import Readers

MOST_EXAMPLES = 100
MOST_BYTES = 64 << 10
"""Of one file: the largest input of the bundled catalogue has a third of it."""


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """What a student wrote: an input and the answer to it."""

    name: str
    kind: str
    input: str
    answer: str


class Fate(msgspec.Struct, frozen=True, kw_only=True):
    """What was found out about one example."""

    name: str
    kind: str
    is_right: bool
    message: str = ""
    """Why its answer is wrong, or why it is no example at all."""
    catches: tuple[str, ...] = ()
    """Wrong solutions that fail it."""


class ExamplesProof(msgspec.Struct, frozen=True, kw_only=True):
    """All examples of one student."""

    student: str
    assignment: str
    problem: str = ""
    """Why there is nothing to judge."""
    examples: tuple[Fate, ...] = ()
    wrong_solutions: int = 0
    caught: int = 0
    missed: tuple[str, ...] = ()
    """The faults of the wrong solutions that no example catches."""

    @property
    def share(self) -> float:
        """The share of wrong programs that are caught: what the examples are worth."""
        return self.caught / self.wrong_solutions if self.wrong_solutions else 0.0


def students_in(paths: Iterable[Path], assignment: Assignment) -> Iterator[tuple[str, Path]]:
    """Return each student's name and folder of examples: each path is a student's, or else a class of theirs."""
    for path in paths:
        if (own := _examples_of(path, assignment)) is not None:
            yield path.resolve().name, own
        else:
            folders = sorted(folder for folder in path.iterdir() if folder.is_dir())
            yield from ((folder.name, _examples_of(folder, assignment) or folder) for folder in folders)


def _examples_of(path: Path, assignment: Assignment) -> Path | None:
    """Return where a student's examples are: in the folder `examples`, else here; None when there are none."""
    if (path / "examples").is_dir():
        return path / "examples"
    return (
        path
        if any(any(path.glob(f"{kind}*.in")) for kind in ("", *(f"{name}/" for name in assignment.kinds)))
        else None
    )


def read_examples(folder: Path, assignment: Assignment) -> tuple[Example, ...]:
    """Read the pairs of a folder, those of a kind of its own in a folder of that name."""
    first = next(iter(assignment.kinds))
    inputs = [(first, path) for path in sorted(folder.glob("*.in"))]
    inputs += [(kind, path) for kind in assignment.kinds for path in sorted((folder / kind).glob("*.in"))]
    if not inputs:
        raise UsageError(
            f"{folder} has no example", hint="write the input into NAME.in and the right answer into NAME.out"
        )
    if len(inputs) > MOST_EXAMPLES:
        raise UsageError(f"{len(inputs)} examples are too many", hint=f"choose at most {MOST_EXAMPLES}")
    return tuple(
        Example(name=path.stem, kind=kind, input=_text(path), answer=_text(path.with_suffix(".out")))
        for kind, path in inputs
    )


def _text(path: Path) -> str:
    if not path.is_file():
        raise UsageError(f"{path} is missing", hint="each NAME.in has its answer in NAME.out")
    if path.stat().st_size > MOST_BYTES:
        raise UsageError(f"{path} is larger than {MOST_BYTES >> 10} KiB", hint="a good example is small")
    return path.read_text("utf-8", "replace")


class Examiner:
    """Judges examples in readers; made before they are forked."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        self._kits = {name: kit_of(kind) for name, kind in assignment.kinds.items()}
        self._job: Job[Example, str] = Job(self._why_wrong, takes=Example, gives=str)
        self.jobs = (self._job,)

    def judge(self, readers: Readers, examples: Iterable[Example]) -> tuple[Fate, ...]:
        """Tell which examples are right, in their order."""
        found = dict(readers.map((example, ask(self._job, example)) for example in examples))
        return tuple(_fate(example, found[example]) for example in examples)

    def case_of(self, example: Example) -> Case:
        kind = self._assignment.kinds[example.kind]
        facts = CaseFacts(id=f"{example.kind}/{example.name}", title=example.name)
        return Case(
            facts=facts,
            kind=kind,
            input=example.input,
            raw=example.input.encode(),
            limits=self._assignment.limits,
            options=kind.options,
        )

    def _why_wrong(self, example: Example) -> str:
        """Say what is wrong about an example; empty when it is right."""
        case = self.case_of(example)
        try:
            prepared = prepare_case(case, self._kits[example.kind])
            record = _record(example.answer, case.kind)
        except PuzzleError as error:
            return f"{example.name}.in, line {error.line}: {error.message}"
        except ValueError as error:
            return f"{example.name}.out: {error}"
        trial = Trial(case=prepared.case, kit=prepared.kit, puzzle=prepared.puzzle, record=record)
        judgement = decide(trial)
        if judgement.verdict is Verdict.AC:
            return ""
        return judgement.mismatch.message if judgement.mismatch else str(judgement.verdict)


def _record(answer: str, kind: Kind) -> RunRecord:
    """Return what a program leaves behind that answers so."""
    if kind.run.run_as is RunAs.PROGRAM:
        status = 0 if not kind.run.exit_status or 0 in kind.run.exit_status else kind.run.exit_status[0]
        return RunRecord(ending=Ending.EXITED, exit_status=status, stdout=Stream.of(answer.encode()))
    if kind.run.run_as is RunAs.AGENT:
        raise ValueError(f"the kind {kind.name} is a game: it has no answer that could be written down")
    replies = tuple(Reply(value=value) for value in _values(answer))
    return RunRecord(ending=Ending.EXITED, exit_status=0, replies=replies)


def _values(answer: str) -> Iterator[object]:
    for number, line in enumerate(answer.splitlines(), start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError):
                raise ValueError(f"line {number} must be what one call returns, such as 2 or [1, 2]") from None


def _fate(example: Example, why: str | Failed) -> Fate:
    message = "it can't be judged within the bounds of time and memory" if isinstance(why, Failed) else why
    return Fate(name=example.name, kind=example.kind, is_right=not message, message=message)


def prove(student: str, assignment: Assignment, fates: tuple[Fate, ...], matrix: KillMatrix | None) -> ExamplesProof:
    """Join what is right with what it catches."""
    wrong = [solution for solution in matrix.solutions if not solution.is_right] if matrix else []
    fates = tuple(
        msgspec.structs.replace(fate, catches=tuple(_caught_by(fate, wrong))) if fate.is_right else fate
        for fate in fates
    )
    caught = {name for fate in fates for name in fate.catches}
    return ExamplesProof(
        student=student,
        assignment=assignment.name,
        examples=fates,
        wrong_solutions=len(wrong),
        caught=len(caught),
        missed=tuple(solution.about or solution.name for solution in wrong if solution.name not in caught),
    )


def _caught_by(fate: Fate, wrong: Iterable[Solution]) -> Iterator[str]:
    for solution in wrong:
        if solution.verdicts.get(f"{fate.kind}/{fate.name}", Verdict.AC) not in (Verdict.AC, Verdict.SK, Verdict.JE):
            yield solution.name
