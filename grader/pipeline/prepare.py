"""Makes a case ready to be put to any submission: puzzle read, request planned."""

from __future__ import annotations

import difflib
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import msgspec

from grader.catalogue.kits import kit_of, read_puzzle
from grader.errors import UsageError
from grader.model.assignment import Assignment, Case, CaseFacts, RuleCase, RunAs
from grader.model.kit import Kit, Puzzle
from grader.model.run import Agent, Calls, File, How, Program, RunRequest
from grader.pipeline.speed import stretched

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.model.submission import Submission


ALL_CASES = 1 << 30
"""As `timeouts`: every case has all of its time."""


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """A case with its puzzle, and the request it makes of every submission."""

    case: Case
    kit: Kit
    puzzle: Puzzle
    how: How
    inputs: tuple[File, ...]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What every submission of a batch goes through."""

    assignment: Assignment
    cases: tuple[Prepared, ...]
    rules: tuple[RuleCase, ...] = ()
    """What is asked of the source alone."""
    repeat: int = 1
    timeouts: int = 2
    """As the assignment's: cases that run to a limit of time or output in vain."""
    stops: bool = False
    """The first case that fails ends a submission: the others are skipped."""


def prepare(
    assignment: Assignment,
    only: Callable[[Case | RuleCase], bool] = lambda _: True,
    *,
    repeat: int = 1,
    timeouts: int | None = None,
    stops: bool = False,
) -> Plan:
    """Prepare the cases for which `only` holds, in the catalogue's order; stop at the assignment's `timeouts`."""
    kits = {name: kit_of(kind) for name, kind in assignment.kinds.items()}
    chosen = (case for case in assignment.cases if only(case))
    cases = tuple(prepare_case(case, kits[case.kind.name]) for case in chosen)
    rules = tuple(rule for rule in assignment.rules if only(rule))
    most = timeouts or assignment.timeouts
    return Plan(assignment=assignment, cases=cases, rules=rules, repeat=repeat, timeouts=most, stops=stops)


def chosen_by(glob: str, assignment: Assignment) -> Callable[[Case | RuleCase], bool]:
    """Return the test whether a case fits the glob; UsageError when none does."""
    if not assignment.facts:
        raise UsageError(f"{assignment.name} has no cases yet", hint=f"grader cases new -a {assignment.name} ID")
    if not any(fits(facts, glob) for facts in assignment.facts):
        known = sorted({word for facts in assignment.facts for word in (facts.id, *facts.tags)})
        near = difflib.get_close_matches(glob, known, n=3, cutoff=0.4)
        hint = f"did you mean {' or '.join(near)}?" if near else f"cases and tags: {', '.join(known[:10])} …"
        raise UsageError(f"no case of {assignment.name} fits --only {glob}", hint=hint)
    return lambda case: fits(case.facts, glob)


def fits(facts: CaseFacts, glob: str) -> bool:
    """Tell whether a case's id or one of its tags fits the glob."""
    return fnmatchcase(facts.id, glob) or any(fnmatchcase(tag, glob) for tag in facts.tags)


def prepare_case(case: Case, kit: Kit) -> Prepared:
    puzzle = read_puzzle(kit, case.input)
    return Prepared(case=case, kit=kit, puzzle=puzzle, how=how_to_run(case, kit, puzzle), inputs=inputs_of(case))


def inputs_of(case: Case) -> tuple[File, ...]:
    """Return the files that the program finds besides its own."""
    name = case.kind.run.file
    return (*((File(path=name, content=case.raw),) if name else ()), *case.beside)


def for_this_machine(prepared: Prepared) -> Prepared:
    """Return the case with the time limits that hold on this machine."""
    limits = stretched(prepared.case.limits)
    return msgspec.structs.replace(prepared, case=msgspec.structs.replace(prepared.case, limits=limits))


def request_for(prepared: Prepared, submission: Submission, assignment: Assignment) -> RunRequest:
    """Plan one run: source, input and limits, and not a word of the expectation."""
    taken = {file.path for file in prepared.inputs}
    return RunRequest(
        how=prepared.how,
        files=tuple(file for file in submission.files if file.path not in taken),
        inputs=prepared.inputs,
        limits=prepared.case.limits,
        packages=assignment.packages,
        watch=assignment.policy.watched,
    )


def how_to_run(case: Case, kit: Any, puzzle: Puzzle) -> How:
    """Say how the case is put to a program; the puzzle counts only where the kit makes the calls or the world."""
    run = case.kind.run
    match run.run_as:
        case RunAs.PROGRAM:
            argv = tuple(_filled(word, case) for word in run.argv)
            stdin = case.raw if run.stdin == "{input}" else _filled(run.stdin, case).encode()
            return Program(main=run.module, argv=argv, stdin=stdin)
        case RunAs.FUNCTION:
            given = run.args  # without them the kit has `calls`: the loader has looked
            arguments = kit.calls(puzzle) if given is None else (_arguments(given, case),)
            return Calls(module=run.module, function=run.function, arguments=arguments)
        case RunAs.AGENT:
            world, setup = kit.world(puzzle)
            return Agent(module=run.module, function=run.function, world=world, setup=setup)


def _arguments(given: tuple[Any, ...], case: Case) -> tuple[Any, ...]:
    return tuple(_filled(word, case) if isinstance(word, str) else word for word in given)


def _filled(word: str, case: Case) -> str:
    """Put the input file's name and the input's text into a word; what the text says is no place for more."""
    parts = word.replace("{file}", case.kind.run.file).split("{input}")
    return case.input.join(parts)
