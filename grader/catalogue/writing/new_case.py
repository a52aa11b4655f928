"""Writes a new case that loads at once, its answer key recorded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from grader.atomic_write import replacing
from grader.catalogue.kits import fresh_text, kit_of
from grader.catalogue.load import load_assignment
from grader.catalogue.placed_yaml.messages import did_you_mean
from grader.catalogue.writing.record import flow, plan
from grader.errors import CatalogueError, Fault, UsageError
from grader.model.dice import Dice
from grader.model.kit import Generating, PuzzleError, Shrinking

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model.assignment import Assignment, Kind
    from grader.model.kit import Kit

_LONGEST_INLINE = 4096
_INLINE = re.compile("[\n\x20-\x7e\xa0-\ud7ff]+")
_ID = re.compile("[a-z0-9][a-z0-9._-]{0,79}")


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """What the author says about the new case; the rest is filled in."""

    id: str
    title: str = ""
    kind: str = ""
    input: bytes | None = None
    """None: the simplest puzzle of the kit."""
    origin: str = "the input"
    """Where the input came from, for faults in it."""
    fields: dict[str, Any] = {}
    """Further keys of the case: points, visibility, tags, hint."""


def new_case(catalogue: Path, assignment: str, draft: Draft) -> Path:
    """Write the case into a file of its own, with its answer key; nothing is left behind when that fails."""
    loaded = load_assignment(catalogue, assignment)
    path = catalogue / assignment / f"{draft.id}.yaml"
    _refuse_taken(loaded, path, draft)
    kind = _kind(loaded, draft.kind)
    raw = _raw(kind, draft)
    written = [path]
    try:
        _write(path, draft, kind, raw, written)
        for change in plan(catalogue / assignment, (draft.id,)):
            written.append(change.path)
            change.write()
        load_assignment(catalogue, assignment)
    except Exception:
        for each in written:
            each.unlink(missing_ok=True)
        raise
    return path


def _refuse_taken(loaded: Assignment, path: Path, draft: Draft) -> None:
    if not _ID.fullmatch(draft.id):
        raise UsageError(f"{draft.id!r} can't be an id", hint="use lower-case letters, digits, - _ .")
    taken = next((case for case in loaded.cases if case.id == draft.id), None)
    if taken is not None:
        raise UsageError(f"the id {draft.id} is taken", hint=f"it stands at {taken.path}:{taken.line}")
    if path.exists():
        raise UsageError(f"the file {path} exists", hint="take another id, or add the case to that file by hand")


def _kind(loaded: Assignment, name: str) -> Kind:
    chosen = name or next(iter(loaded.kinds))
    if chosen not in loaded.kinds:
        raise UsageError(f"there is no kind {chosen}", hint=did_you_mean(chosen, loaded.kinds))
    return loaded.kinds[chosen]


def _raw(kind: Kind, draft: Draft) -> bytes:
    """Return the input's bytes, once the kit has read them."""
    kit = kit_of(kind)
    if draft.input is None:
        return _simplest(kit).encode()
    try:
        kit.parse(draft.input.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise CatalogueError([Fault(message="isn't UTF-8", path=draft.origin)]) from error
    except PuzzleError as error:
        place = Fault(message=error.message, path=draft.origin, line=error.line, column=error.column, hint=error.hint)
        raise CatalogueError([place]) from error
    return draft.input


def _simplest(kit: Kit) -> str:
    shapes = kit.shapes() if isinstance(kit, Generating) else {}
    least = {name: shape.hunted[0] for name, shape in shapes.items() if shape.hunted and not shape.is_long}
    if not isinstance(kit, Generating) or not least:
        raise UsageError("this kit makes no puzzles", hint="give the input: --input FILE")
    name, size = next(iter(least.items()))
    text = fresh_text(kit, Dice("simplest"), name, size)
    return _smallest(kit, text) if isinstance(kit, Shrinking) and hasattr(kit, "write") else text


def _smallest(kit: Any, text: str) -> str:
    """Take away from the puzzle whatever can go."""
    puzzle = kit.parse(text)
    while (less := next(iter(kit.smaller(puzzle)), None)) is not None:
        puzzle = less
    return str(kit.write(puzzle))


def _write(path: Path, draft: Draft, kind: Kind, raw: bytes, written: list[Path]) -> None:
    text = raw.decode()
    title = draft.title or draft.id.replace("-", " ").capitalize()
    lines = head({"id": draft.id, "title": title, "kind": kind.name, **draft.fields})
    if is_inline(raw):
        lines += block(text)
    else:
        file = path.parent / "inputs" / f"{draft.id}.txt"
        file.parent.mkdir(exist_ok=True)
        if file.exists():
            raise UsageError(f"the file {file} exists", hint="take another id")
        written.append(file)
        with replacing(file) as out:
            out.write(raw)
        lines.append(f"    input_file: inputs/{draft.id}.txt")
    with replacing(path) as out:
        out.write(("\n".join(lines) + "\n").encode())


def head(fields: dict[str, Any]) -> list[str]:
    """Begin a file with one case that has these fields; its input follows."""
    first, *more = (f"{key}: {flow(value)}" for key, value in fields.items())
    schema = "# yaml-language-server: $schema=../case.schema.json"
    return [schema, "format: 1", "cases:", f"  - {first}", *(f"    {line}" for line in more)]


def is_inline(raw: bytes) -> bool:
    """Tell whether an input can stand in YAML as a block that gives back exactly these bytes."""
    text = raw.decode()
    return len(raw) <= _LONGEST_INLINE and bool(_INLINE.fullmatch(text)) and bool(text.strip())


def block(text: str) -> list[str]:
    """Write the input as a literal block that gives back exactly this text."""
    body = text.removesuffix("\n")
    chomp = "-" if body == text else "+" if body.endswith("\n") else ""
    first = next(line for line in text.split("\n") if line)
    measure = "2" if first.startswith(" ") or text.startswith("\n") else ""
    return [f"    input: |{measure}{chomp}", *(f"      {line}" if line else "" for line in body.split("\n"))]
