"""Judges students' own examples: right by the reference, and which wrong programs they catch."""

from __future__ import annotations

import csv
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from grader.catalogue.load import find_catalogue, load_assignment
from grader.cli.options import as_value, folder_option, isolation_option, name_option, required
from grader.cli.progress import progress
from grader.errors import UsageError
from grader.pipeline.prepare import ALL_CASES, prepare
from grader.prove.examples import Examiner, ExamplesProof, prove, read_examples, students_in
from grader.prove.matrix import grade_solutions, matrix_of, solutions_below
from grader.prove.programs import known_programs
from grader.readers.pool import Readers
from grader.wiring import Settings, open_grading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import Assignment
    from grader.model.matrix import KillMatrix

_MOST_MISSED = 12


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    folder: Path | None
    solutions: Path | None
    points: float
    csv_file: Path | None
    as_json: bool
    require_isolation: str | None


@click.command()
@click.argument("paths", type=click.Path(path_type=Path, exists=True, file_okay=False), nargs=-1)
@name_option
@folder_option
@click.option("--solutions", type=click.Path(path_type=Path, file_okay=False), help="The tree of wrong solutions.")
@click.option("--points", default=1.0, show_default=True, help="For examples that catch every wrong program.")
@click.option("--csv", "csv_file", type=click.Path(path_type=Path), help="Write student, points and counts there.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@isolation_option
@as_value(_Options, "options")
@click.pass_context
def examples(context: click.Context, /, paths: tuple[Path, ...], options: _Options) -> None:
    """Judge examples (NAME.in and NAME.out), and tell which wrong programs they catch.

    Each of PATHS (./examples by default) is a folder of examples, a submission with a folder `examples`, or a class
    of those. A student gets the share of the points that is the share of wrong programs caught; wrong examples catch
    none.
    """
    catalogue = find_catalogue(options.folder)
    assignment = load_assignment(catalogue, options.name)
    settings = Settings(require=required(options.require_isolation), remember=False)
    students = students_in(paths or (Path("examples"),), assignment)
    with known_programs(assignment, options.solutions) as tree:
        proofs = [_prove(student, folder, assignment, tree, settings) for student, folder in students]
    if options.csv_file:
        _write(options.csv_file, proofs, options.points)
    if options.as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(proofs), indent=2))
    else:
        click.echo("\n\n".join("\n".join(_lines(proof, options.points)) for proof in proofs))
    context.exit(
        0 if all(proof.examples and all(fate.is_right for fate in proof.examples) for proof in proofs) else 1
    )


def _prove(student: str, folder: Path, assignment: Assignment, tree: Path, settings: Settings) -> ExamplesProof:
    try:
        given = read_examples(folder, assignment)
    except UsageError as error:
        return ExamplesProof(student=student, assignment=assignment.name, problem=f"{error}; {error.hint}")
    examiner = Examiner(assignment)
    with closing(Readers(examiner.jobs, count=2)) as readers:
        fates = examiner.judge(readers, given)
    right = tuple(examiner.case_of(one) for one, fate in zip(given, fates, strict=True) if fate.is_right)
    matrix = _matrix(msgspec.structs.replace(assignment, cases=right), tree, settings) if right else None
    return prove(student, assignment, fates, matrix)


def _matrix(assignment: Assignment, tree: Path, settings: Settings) -> KillMatrix:
    plan = prepare(assignment, timeouts=ALL_CASES)
    total = len(solutions_below(tree)) * len(plan.cases)
    with open_grading(settings, plan) as grading, progress("auto", total=total) as seen:
        return matrix_of(plan, tree, grade_solutions(grading, tree, seen=seen))


def _write(path: Path, proofs: list[ExamplesProof], points: float) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["student", "points", "examples", "right", "caught", "wrong programs", "problem"])
        for proof in proofs:
            right = sum(fate.is_right for fate in proof.examples)
            counts = (len(proof.examples), right, proof.caught, proof.wrong_solutions)
            table.writerow([proof.student, round(points * proof.share, 2), *counts, proof.problem])


def _lines(proof: ExamplesProof, points: float) -> Iterator[str]:
    yield f"{proof.student}: {points * proof.share:.3g} / {points:g} points"
    if proof.problem:
        yield proof.problem
        return
    for fate in proof.examples:
        label = fate.name if fate.kind == proof.examples[0].kind else f"{fate.kind}/{fate.name}"
        yield f"✓ {label}: right; catches {len(fate.catches)}" if fate.is_right else f"✗ {label}: {fate.message}"
    right = sum(fate.is_right for fate in proof.examples)
    yield f"{right} of {len(proof.examples)} examples are right."
    if not right:
        return
    yield f"They catch {proof.caught} of {proof.wrong_solutions} wrong programs that the course knows."
    idle = [fate.name for fate in proof.examples if fate.is_right and not fate.catches]
    if idle:
        yield f"These catch none: {', '.join(idle)}."
    if proof.missed:
        yield "Not caught:"
        yield from (f"  - {fault}" for fault in proof.missed[:_MOST_MISSED])
        if len(proof.missed) > _MOST_MISSED:
            yield f"  … and {len(proof.missed) - _MOST_MISSED} more"
