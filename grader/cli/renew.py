"""`grader cases renew`: a fresh hidden set, proved as strong as the shipped one."""

from __future__ import annotations

import functools
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
from tabulate import tabulate

from grader.catalogue.kits import kit_of
from grader.catalogue.load import find_catalogue, load_assignment
from grader.catalogue.writing.renewed import Renewed, write_renewed
from grader.cli.options import as_value, folder_option, isolation_option, required
from grader.errors import UsageError
from grader.model.kit import Generating
from grader.prove.programs import known_programs
from grader.prove.renew import Renewer
from grader.wiring import Settings, open_grading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import Kind
    from grader.prove.renew import Fresh, Renewal


_SEED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


class _Wish(NamedTuple):
    """What the command line asks for."""

    seed: str
    student: str
    target: Path | None
    solutions: Path | None
    require_isolation: str | None

    def refuse_odd(self) -> None:
        for word in filter(None, (self.seed, self.student)):
            if not _SEED.fullmatch(word):
                raise UsageError(f"{word!r} can't be a seed", hint="use letters, digits, - _ .")

    @property
    def term(self) -> str:
        return f"{self.seed}-{self.student}" if self.student else self.seed

    @property
    def place(self) -> Path:
        return self.target or Path(f"cases-{self.term}")


@click.command()
@folder_option
@click.option("-a", "--assignment", "name", metavar="NAME", required=True, help="The assignment to renew.")
@click.option("--seed", required=True, metavar="TERM", help="The same seed gives the same cases everywhere.")
@click.option("--student", default="", metavar="ID", help="Make a set of this student's own.")
@click.option("--to", "target", type=click.Path(path_type=Path, file_okay=False), help="Where; else cases-TERM.")
@click.option("--solutions", type=click.Path(path_type=Path, file_okay=False), help="The tree of solutions.")
@isolation_option
@as_value(_Wish, "wish")
def renew(folder: Path | None, name: str, wish: _Wish) -> None:
    """Write the assignment with fresh hidden cases that fail whatever the present ones fail."""
    wish.refuse_odd()
    if (wish.place / name).exists():
        raise UsageError(f"{wish.place / name} exists", hint="name another folder: --to DIR")
    catalogue = find_catalogue(folder)
    assignment = load_assignment(catalogue, name)
    began = time.monotonic()
    settings = Settings(require=required(wish.require_isolation), remember=False)
    opener = functools.partial(open_grading, settings)
    with known_programs(assignment, wish.solutions) as tree:
        renewal = Renewer(assignment, tree, wish.term, opener).renew(tell=click.echo)
    fresh = [Renewed(case=each.case, remark=_remark(each)) for each in renewal.cases]
    written = write_renewed(assignment, fresh, wish.place)
    click.echo(f"\n{_text(renewal)}\n\nwrote {written} in {time.monotonic() - began:.0f} s")
    click.echo(f"grade with it: grader grade … --cases {wish.place}")


def _remark(fresh: Fresh) -> str:
    return "; ".join(filter(None, (_difficulty(fresh), f"catches {fresh.catches} more")))


def _difficulty(fresh: Fresh) -> str:
    return ", ".join(f"{key} {value:g}" for key, value in fresh.difficulty.items())


def _text(renewal: Renewal) -> str:
    rows = [
        (each.case.id, each.case.kind.name, each.case.facts.title, each.catches, _difficulty(each))
        for each in renewal.cases
    ]
    wrong = [solution for solution in renewal.matrix.solutions if not solution.is_right]
    caught = len(wrong) - len(renewal.matrix.survivors)
    proof = (
        f"{caught} of {len(wrong)} wrong solutions fail, {renewal.mutants} mutants fail, "
        f"all {len(renewal.matrix.solutions) - len(wrong)} right solutions pass"
    )
    table = tabulate(rows, headers=("case", "kind", "for", "catches more", "difficulty"), disable_numparse=True)
    return f"{table}\n\n{proof}"


@click.command()
@folder_option
@click.option("-a", "--assignment", "name", metavar="NAME", required=True, help="The assignment.")
def shapes(folder: Path | None, name: str) -> None:
    """List the sorts of puzzles that `generate` can ask for."""
    kinds = load_assignment(find_catalogue(folder), name, check_inputs=False).kinds
    rows = [row for kind in kinds.values() for row in _rows(kind)]
    click.echo(tabulate(rows, headers=("kind", "shape", "size", "title")))
    click.echo("\nin a case file: generate: {seed: 2027-spring, count: 3, shapes: […], size: …}")


def _rows(kind: Kind) -> Iterator[tuple[str, str, str, str]]:
    kit = kit_of(kind)
    if not isinstance(kit, Generating):
        yield kind.name, "", "", f"the kit {kind.kit} makes none: it has no `vary`"
        return
    for name, shape in kit.shapes().items():
        yield kind.name, name, f"{shape.sizes[0]} to {shape.sizes[1]}" if shape.sizes else "its own", shape.title
