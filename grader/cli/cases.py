"""The catalogue's commands: list, show, new, record, verify, schema; others have a file of their own."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click
import msgspec
from tabulate import tabulate

from grader.bundled import bundled
from grader.catalogue.load import assignment_names, find_catalogue, load
from grader.catalogue.placed_yaml.messages import did_you_mean
from grader.catalogue.writing.new_case import Draft, new_case
from grader.catalogue.writing.record import plan
from grader.catalogue.writing.verify import verify as verify_assignment
from grader.cli.mistakes import mistakes
from grader.cli.mutate import mutate
from grader.cli.options import as_value, folder_option, isolation_option, only_option, required
from grader.cli.progress import progress
from grader.cli.renew import renew, shapes
from grader.errors import CatalogueError, Fault, UsageError
from grader.model.verdict import Visibility
from grader.pipeline.prepare import ALL_CASES, prepare
from grader.prove.headroom import MARGIN, headroom
from grader.prove.matrix import grade_solutions, matrix_of, solutions_below
from grader.prove.programs import known_programs
from grader.report.html import matrixpage
from grader.wiring import Settings, open_grading

if TYPE_CHECKING:
    from grader.model.assignment import Assignment, Case
    from grader.model.matrix import KillMatrix
    from grader.model.result import GradeSheet


@click.group()
def cases() -> None:
    """Look at the catalogue, add to it, prove it."""


cases.add_command(mistakes)
cases.add_command(mutate)
cases.add_command(renew)
cases.add_command(shapes)


@cases.command("list")
@folder_option
@only_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object per case.")
def list_cases(folder: Path | None, name: str | None, *, as_json: bool) -> None:
    """List the cases with their points and visibility."""
    assignments = _load(folder, name)
    if as_json:
        rows = [_summary(assignment, case) for assignment in assignments for case in assignment.cases]
        click.echo(msgspec.json.format(msgspec.json.encode(rows), indent=2))
        return
    for assignment in assignments:
        click.echo(
            f"{assignment.name}: {assignment.title}, {len(assignment.cases)} cases, "
            f"{assignment.max_points:g} points\n"
        )
        rows = [_summary(assignment, case) for case in assignment.cases]
        table = [
            (row["id"], row["title"], row["kind"], row["points"], row["visibility"], ", ".join(row["tags"]))
            for row in rows
        ]
        click.echo(tabulate(table, headers=("id", "title", "kind", "points", "visibility", "tags")) + "\n")


def _summary(assignment: Assignment, case: Case) -> dict[str, Any]:
    return {
        "assignment": assignment.name,
        "id": case.id,
        "title": case.facts.title,
        "kind": case.kind.name,
        "points": case.facts.points,
        "visibility": case.facts.visibility,
        "tags": case.facts.tags,
        "place": f"{case.path}:{case.line}",
    }


@cases.command("show")
@click.argument("case_id", metavar="ID")
@folder_option
@only_option
@click.option("--json", "as_json", is_flag=True, help="Print the whole case as JSON.")
def show_case(case_id: str, folder: Path | None, name: str | None, *, as_json: bool) -> None:
    """Show one case with its input and its answer key."""
    assignment, case = _find(_load(folder, name), case_id)
    if as_json:
        told = msgspec.to_builtins(case)
        click.echo(msgspec.json.format(msgspec.json.encode(told.pop("facts") | told), indent=2))
        return
    facts = {
        "case": f"{assignment.name}/{case.id}",
        "title": case.facts.title,
        "stands at": f"{case.path}:{case.line}",
        "kind": f"{case.kind.name} (kit {case.kind.kit}, judge {case.kind.judge})",
        "points": f"{case.facts.points:g}, {case.facts.visibility}",
        "tags": ", ".join(case.facts.tags),
        "hint": case.facts.hint,
        "limits": ", ".join(
            f"{key} {value}" for key, value in msgspec.to_builtins(case.limits).items() if value is not None
        ),
        "options": _line(case.options),
        "partial": _line(case.partial),
        "expects": _line(msgspec.to_builtins(case.expect)) or "nothing stored; the judge asks the kit",
    }
    click.echo(tabulate([row for row in facts.items() if row[1]], tablefmt="plain", disable_numparse=True))
    click.echo(f"\n{case.input}", nl=not case.input.endswith("\n"))


def _line(data: Any) -> str:
    return msgspec.json.encode(data).decode() if data else ""


def _find(assignments: tuple[Assignment, ...], case_id: str) -> tuple[Assignment, Case]:
    wanted, _, bare = case_id.rpartition("/")
    found = [
        (assignment, case)
        for assignment in assignments
        for case in assignment.cases
        if case.id == bare and wanted in {"", assignment.name}
    ]
    if not found:
        known = [case.id for assignment in assignments for case in assignment.cases]
        raise UsageError(f"there is no case {case_id}", hint=did_you_mean(bare, known))
    if len(found) > 1:
        names = " or ".join(f"-a {assignment.name}" for assignment, _ in found)
        raise UsageError(f"several assignments have a case {case_id}", hint=f"say which: {names}")
    return found[0]


class _NewCase(NamedTuple):
    """What the command line says of a new case."""

    case_id: str
    given: IO[bytes] | None
    title: str
    kind: str
    points: float | None
    visibility: str | None
    tags: tuple[str, ...]

    def draft(self) -> Draft:
        told = {"points": self.points, "visibility": self.visibility, "tags": list(self.tags)}
        fields = {key: value for key, value in told.items() if value not in (None, [])}
        raw = self.given.read() if self.given else None
        origin = getattr(self.given, "name", "the input")  # standard input may have none
        return Draft(id=self.case_id, title=self.title, kind=self.kind, input=raw, origin=origin, fields=fields)


@cases.command("new")
@click.argument("case_id", metavar="ID")
@folder_option
@click.option("-a", "--assignment", "name", metavar="NAME", required=True, help="The assignment to add to.")
@click.option(
    "--input",
    "given",
    type=click.File("rb"),
    help="The input, - for standard input; else the kit's simplest.",
)
@click.option("--title", default="", help="A few words about the case.")
@click.option("--kind", default="", help="The kind of case; else the assignment's first.")
@click.option("--points", type=click.FloatRange(min=0), help="What it is worth; else the assignment's default.")
@click.option("--visibility", type=click.Choice([*Visibility]), help="Who may see it; else the assignment's default.")
@click.option("--tag", "tags", multiple=True, help="A word to group cases by; may be given again.")
@as_value(_NewCase, "said")
def new(folder: Path | None, name: str, said: _NewCase) -> None:
    """Write a new case that loads at once, with the reference's answer key."""
    path = new_case(find_catalogue(folder), name, said.draft())
    click.echo(f"wrote {path}\n\n{path.read_text()}")


@cases.command("record")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@folder_option
@only_option
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option("--check", is_flag=True, help="Write nothing; exit with 3 if anything would change.")
def record(ids: tuple[str, ...], folder: Path | None, name: str | None, *, yes: bool, check: bool) -> None:
    """Fill and refresh the answer keys from the reference solvers."""
    catalogue = find_catalogue(folder)
    chosen = _load_names(catalogue, name, ids)
    changes = [change for each in chosen for change in plan(catalogue / each, ids)]
    for change in changes:
        click.echo(change.diff())
    if not changes:
        click.echo("every answer key is the reference's already")
    elif check:
        raise CatalogueError([Fault(message=f"{len(changes)} files would change", hint="run it without --check")])
    elif yes or click.confirm(f"write {len(changes)} files?"):
        for change in changes:
            change.write()
        click.echo(f"wrote {len(changes)} files")


def _load_names(catalogue: Path, name: str | None, ids: tuple[str, ...]) -> list[str]:
    """Name the assignments to record: the one asked for, the one that has the ids, or all."""
    if name or not ids:
        return [name] if name else [*assignment_names(catalogue)]
    loaded = load(catalogue, check_inputs=False)
    return sorted({_find(loaded, each)[0].name for each in ids})


class _Proof(NamedTuple):
    """What is proven, and where the kill matrix is written."""

    keys_only: bool
    solutions: Path | None
    json_file: Path | None
    html_file: Path | None
    require_isolation: str | None


@cases.command("verify")
@folder_option
@only_option
@click.option("--keys-only", is_flag=True, help="Prove the answer keys, run no solution.")
@click.option("--solutions", type=click.Path(path_type=Path, file_okay=False), help="Another folder of programs.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the kill matrix as JSON.")
@click.option("--html", "html_file", type=click.Path(path_type=Path), help="Write the kill matrix as a page.")
@isolation_option
@as_value(_Proof, "wanted")
def verify(folder: Path | None, name: str | None, wanted: _Proof) -> None:
    """Prove every stored answer key against the reference, and every case against wrong solutions."""
    assignments = _load(folder, name)
    faults = _prove_keys(assignments)
    if not wanted.keys_only and not faults:
        faults = _prove_strength(assignments, wanted)
    if faults:
        raise CatalogueError(faults)


def _prove_keys(assignments: tuple[Assignment, ...]) -> list[Fault]:
    proofs = [verify_assignment(assignment) for assignment in assignments]
    for proof in proofs:
        kept = f"; {len(proof.unstored)} more have none recorded" if proof.unstored else ""
        kept += f"; {proof.unproven} have no solver to match" if proof.unproven else ""
        wrong = f", {len(proof.differences)} differences" if proof.differences else ""
        click.echo(f"{proof.assignment}: {proof.proven} expected answers match the reference{kept}{wrong}")
    return [fault for proof in proofs for fault in proof.differences]


def _prove_strength(assignments: tuple[Assignment, ...], wanted: _Proof) -> list[Fault]:
    """Run every known program on every case and show which case fails which."""
    matrices = []
    settings = Settings(require=required(wanted.require_isolation))
    for assignment in assignments:
        plan = prepare(assignment, timeouts=ALL_CASES)
        with known_programs(assignment, wanted.solutions) as programs:
            total = len(plan.cases) * len(solutions_below(programs))
            with open_grading(settings, plan) as grading, progress("auto", total=total) as seen:
                sheets = grade_solutions(grading, programs, seen=seen)
            matrices.append(matrix_of(plan, programs, sheets))
        click.echo(f"\n{assignment.name}\n{matrixpage.text(matrices[-1])}\n{_limits(assignment, sheets)}")
    _write_matrices(matrices, wanted)
    return [
        Fault(path=matrix.assignment, message=weakness)
        for matrix in matrices
        if not matrix.is_sound
        for weakness in matrixpage.weaknesses(matrix)
        if not weakness.startswith("redundant")
    ]


def _limits(assignment: Assignment, sheets: tuple[GradeSheet, ...]) -> str:
    """Show each limit beside the slowest right solution, and warn of those that leave too little."""
    found = tuple(headroom(assignment.cases, sheets))
    rows = [
        (each.case, f"{each.limit_s:g}", f"{each.slowest_s:.2f}", f"{each.ratio:.1f}", each.solution)
        for each in found
    ]
    heads = ("case", "limit in s", "slowest right", "ratio", "solution")
    warnings = [
        f"warning: the limit of {each.case} is {each.ratio:.1f} times what {each.solution} needs; make it {MARGIN}"
        for each in found
        if each.is_thin
    ]
    return "\n".join(["", tabulate(rows, headers=heads, disable_numparse=True), *warnings])


def _write_matrices(matrices: list[KillMatrix], wanted: _Proof) -> None:
    if wanted.json_file:
        wanted.json_file.write_bytes(msgspec.json.format(msgspec.json.encode(matrices), indent=2))
    if wanted.html_file:
        _write_pages(matrices, wanted.html_file)


def _write_pages(matrices: list[KillMatrix], name: Path) -> None:
    """Write one page, or one for each assignment with links to the others."""
    pages = {each.assignment: name.with_name(f"{name.stem}-{each.assignment}{name.suffix}") for each in matrices}
    if len(matrices) == 1:
        pages = {matrices[0].assignment: name}
    for matrix in matrices:
        page = pages[matrix.assignment]
        page.write_text(
            matrixpage.render(matrix, [(other, path.name) for other, path in pages.items() if path != page])
        )
        click.echo(f"wrote {page}")


@cases.command("schema")
@click.argument("which", type=click.Choice(["assignment", "case", "mistakes"]), default="case")
def schema(which: str) -> None:
    """Print the JSON Schema of assignment, case or mistakes files."""
    click.echo(bundled("cases", f"{which}.schema.json").read_text("utf-8"), nl=False)


def _load(folder: Path | None, name: str | None) -> tuple[Assignment, ...]:
    return load(find_catalogue(folder), names=(name,) if name else None)
