"""Scans source for what the assignment forbids."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from grader.cli.options import assignment_option, cases_option
from grader.errors import CatalogueError, UsageError
from grader.model.assignment import PolicySpec
from grader.model.result import Finding, Severity
from grader.model.run import File
from grader.policy.scan import RULES
from grader.policy.scan import scan as scan_files
from grader.report import findings as write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FORMATS: dict[str, Callable[[tuple[Finding, ...]], str]] = {
    "text": write.text,
    "json": write.as_json,
    "sarif": partial(write.sarif, rules=RULES),
    "gitlab": write.gitlab,
}
_DEFAULT = ("itertools", "copy")
_ASIDE = frozenset({".git", ".venv", "venv", "node_modules", ".mypy_cache", ".pytest_cache", ".hypothesis"})
_MOST_FILES = 5_000
_MOST_BYTES = 16 << 20


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@assignment_option
@cases_option
@click.option("--ban", "bans", multiple=True, metavar="NAME", help="Ban a module, a name or a builtin (repeatable).")
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMATS]),
    default="text",
    show_default=True,
    help="How to print the findings.",
)
@click.pass_context
def scan(context: click.Context, /, paths: tuple[Path, ...], form: str, **options: object) -> None:
    """Scan files, folders or zips for what the assignment's rules forbid.

    Exit status: 0 nothing certain, 1 findings, 2 usage. Without -a and --ban the file names choose the assignment;
    if they don't, itertools and copy are banned.
    """
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise UsageError(f"there is no {missing[0]}")
    policy, started = _policy(paths, options)
    findings = tuple(finding for path in paths for finding in _scan_path(path, policy, started))
    click.echo(FORMATS[form](findings), nl=False)
    context.exit(1 if any(finding.severity is Severity.CERTAIN for finding in findings) else 0)


def _policy(paths: tuple[Path, ...], options: dict[str, object]) -> tuple[PolicySpec, tuple[str, ...]]:
    """Return the rules, and the files that the assignment starts."""
    from grader.pipeline.find_assignment import (  # noqa: PLC0415  # a plain --ban needs no catalogue
        choose_assignment,
        marked_in,
    )

    bans, name, cases = options["bans"], options["name"], options["cases"]
    assert isinstance(bans, tuple)
    if bans and name is None:
        return PolicySpec(ban=bans), ()
    assert isinstance(name, str | None)
    assert isinstance(cases, Path | None)
    try:
        assignment = choose_assignment(name or marked_in(paths[0]), paths, cases=cases)
    except (UsageError, CatalogueError):
        if name is not None:
            raise
        return PolicySpec(ban=_DEFAULT), ()
    policy = assignment.policy
    return msgspec.structs.replace(policy, ban=(*policy.ban, *bans)), assignment.started


def _scan_path(path: Path, policy: PolicySpec, started: tuple[str, ...]) -> Iterator[Finding]:
    """Scan one path; a single file is read beside the names of its neighbours, and only it is scanned."""
    is_folder = path.is_dir()
    folder = path if is_folder else path.parent
    files = _in_folder(path) if is_folder else _with_neighbours(path)
    for finding in scan_files(tuple(files), policy, started if is_folder else (path.name,)):
        if is_folder or finding.path.split("/")[0] == path.name:
            yield msgspec.structs.replace(finding, path=(folder / finding.path).as_posix())


def _in_folder(folder: Path) -> Iterator[File]:
    found = (item for item in sorted(folder.rglob("*")) if _ASIDE.isdisjoint(item.relative_to(folder).parts))
    kept = [item for item in found if item.is_file() and not item.is_symlink()]
    if len(kept) > _MOST_FILES:
        click.echo(f"scan: {folder} has {len(kept)} files; the first {_MOST_FILES} are scanned", err=True)
    for item in kept[:_MOST_FILES]:
        yield _read(item, item.relative_to(folder).as_posix())


def _with_neighbours(path: Path) -> Iterator[File]:
    yield _read(path, path.name)
    for item in sorted(path.parent.glob("*.py"))[:_MOST_FILES]:
        if item.name != path.name and item.is_file():
            yield File(path=item.name, content=b"")  # that it is there decides what an import finds


def _read(path: Path, name: str) -> File:
    try:
        with path.open("rb") as file:
            return File(path=name, content=file.read(_MOST_BYTES))
    except OSError as problem:
        raise UsageError(f"can't read {path}: {problem.strerror or problem}") from problem
