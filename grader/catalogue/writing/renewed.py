"""Writes an assignment with its hidden cases exchanged for fresh ones, answer keys recorded."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.atomic_write import replacing
from grader.catalogue.load import load_assignment
from grader.catalogue.loading.build import Builder
from grader.catalogue.placed_yaml.source import Faults
from grader.catalogue.writing.new_case import block, is_inline
from grader.catalogue.writing.record import flow, plan
from grader.errors import UsageError
from grader.model.assignment import Case
from grader.model.verdict import Visibility

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.assignment import Assignment

FILE = "90-renewed.yaml"
_TOLD = ("title", "tags", "hint", "points", "visibility")


class Renewed(msgspec.Struct, frozen=True, kw_only=True):
    """A fresh case and what its file says above it."""

    case: Case
    remark: str


def write_renewed(assignment: Assignment, fresh: Iterable[Renewed], target: Path) -> Path:
    """Write the assignment below `target`, a catalogue of its own; what is visible stays as it is."""
    assert assignment.folder is not None
    source = Path(assignment.folder)
    folder = target / source.name
    if folder.exists():
        raise UsageError(f"{folder} exists", hint="name another folder: --to DIR")
    target.mkdir(parents=True, exist_ok=True)
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for each in source.parent.iterdir():
        if each.is_file() and not (target / each.name).exists():
            shutil.copyfile(each, target / each.name)
    _drop_hidden(folder)
    _write_cases(folder, fresh)
    for change in plan(folder):
        change.write()
    _drop_unused(folder)
    load_assignment(target, source.name)
    return folder


def _drop_hidden(folder: Path) -> None:
    """Take the hidden cases out of every file, line by line; a file without cases goes."""
    faults = Faults()
    builder = Builder(folder, faults, check_inputs=False)
    assignment = builder.assignment()
    faults.raise_any()
    assert assignment is not None
    hidden = [builder.entries[case.id][1] for case in assignment.cases if case.facts.visibility is Visibility.HIDDEN]
    for document in builder.documents:
        entries = document.value.cases if document.value else ()
        starts = [document.node(entry).start.line - 1 for entry in entries]
        lines = document.source.text.splitlines(keepends=True)
        ends = [*starts[1:], len(lines)]
        kept = [
            lines[first:last]
            for entry, first, last in zip(entries, starts, ends, strict=True)
            if not any(entry is each for each in hidden)
        ]
        if kept:
            text = "".join([*lines[: starts[0]], *(line for part in kept for line in part)])
            document.source.path.write_text(text.rstrip("\n") + "\n", "utf-8", newline="")
        else:
            document.source.path.unlink()


def _write_cases(folder: Path, fresh: Iterable[Renewed]) -> None:
    lines = ["# yaml-language-server: $schema=../case.schema.json", "format: 1", "cases:"]
    for each in fresh:
        lines += [f"  # {each.remark}", *_entry(folder, each.case), ""]
    with replacing(folder / FILE) as out:
        out.write("\n".join(lines).encode())


def _entry(folder: Path, case: Case) -> Iterator[str]:
    yield f"  - id: {flow(case.id)}"
    told = {"kind": case.kind.name, **{name: getattr(case.facts, name) for name in _TOLD}}
    told |= {"limits": _own_limits(folder, case), "partial": case.partial}
    yield from (
        f"    {key}: {flow(msgspec.to_builtins(value))}" for key, value in told.items() if value not in ("", {}, ())
    )
    if is_inline(case.raw):
        yield from block(case.input)
        return
    file = folder / "inputs" / f"{case.id}.txt"
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(case.raw)
    yield f"    input_file: inputs/{case.id}.txt"


def _own_limits(folder: Path, case: Case) -> dict[str, float]:
    """Return the limits in which the case differs from its assignment."""
    general = load_assignment(folder.parent, folder.name).limits
    pairs = zip(msgspec.to_builtins(general).items(), msgspec.to_builtins(case.limits).values(), strict=True)
    return {key: own for (key, shared), own in pairs if own != shared}


def _drop_unused(folder: Path) -> None:
    """Remove inputs and transcripts that no file names any more."""
    texts = "".join(path.read_text("utf-8") for path in folder.iterdir() if path.suffix in {".yaml", ".yml", ".md"})
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.parent != folder and path.relative_to(folder).as_posix() not in texts:
            path.unlink()
