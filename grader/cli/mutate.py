"""Proves the catalogue with mutants of the reference's solvers."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec
from rich.console import Console
from rich.progress import Progress

from grader.bundled import beside
from grader.catalogue.load import find_catalogue, load
from grader.cli.options import folder_option, only_option
from grader.errors import CatalogueError, Fault
from grader.prove.run_mutants import Mutation, read_marks, run_mutants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MARKS = "equivalent-mutants"


@click.command()
@folder_option
@only_option
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write every mutant's fate as JSON.")
def mutate(folder: Path | None, name: str | None, json_file: Path | None) -> None:
    """Prove every case against small faults put into the reference's own solvers."""
    catalogue = find_catalogue(folder)
    proofs = []
    for assignment in load(catalogue, names=(name,) if name else None):
        marks = read_marks(_mark_files(catalogue, assignment.name))
        with _meter(assignment.name) as seen:
            proofs.append(run_mutants(assignment, marks, seen=seen))
        click.echo(_text(proofs[-1]))
    if json_file:
        json_file.write_bytes(msgspec.json.format(msgspec.json.encode(proofs), indent=2))
    if faults := [fault for proof in proofs for fault in _faults(proof)]:
        raise CatalogueError(faults)


def _mark_files(catalogue: Path, name: str) -> Iterator[Path]:
    folder = beside(catalogue, _MARKS)
    yield from (folder / f"{name}.yaml",) if folder else ()


@contextmanager
def _meter(name: str) -> Iterator[Callable[[int, int], None]]:
    """Show how many mutants are done; quiet where nobody watches."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"mutants of {name}", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _text(proof: Mutation) -> str:
    counts = f"{len(proof.killed)} killed, {len(proof.equivalent)} equivalent, {len(proof.survivors)} survive"
    lines = [f"{proof.assignment}: {proof.mutants} mutants, {counts}"]
    for survivor in proof.survivors:
        lines += ["", f"  {survivor.id}", f"    {survivor.source}", f"    {survivor.about}"]
    return "\n".join(lines)


def _faults(proof: Mutation) -> Iterator[Fault]:
    if proof.survivors:
        yield Fault(
            path=proof.assignment,
            message=f"{len(proof.survivors)} mutants survive every case",
            hint=f"add a case that fails them, or mark them in {_MARKS}/{proof.assignment}.yaml with a reason",
        )
    for mark in proof.stale:
        yield Fault(path=proof.assignment, message=f"no surviving mutant fits the mark {mark}", hint="take it out")
