"""Proves every stored answer key against the reference solvers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from grader.catalogue.kits import has_answers, kit_of
from grader.catalogue.placed_yaml.source import shown
from grader.catalogue.writing.transcripts import (
    Answer,
    FailedReferenceError,
    answer,
    first_difference,
    plain,
    stored_lines,
)
from grader.errors import Fault
from grader.judge.lines import Tolerance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import Assignment, Case
    from grader.model.kit import Kit


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """What verifying one assignment showed."""

    assignment: str
    proven: int = 0
    """Cases whose stored key is the reference's."""
    unstored: tuple[str, ...] = ()
    """Ids of the cases that store no key: their judge asks the kit."""
    unproven: int = 0
    """Cases whose kit has no solver: their keys are the author's word."""
    differences: tuple[Fault, ...] = ()


def verify(assignment: Assignment) -> Proof:
    """Compare each case's stored key with the kit's answer."""
    kits = {name: kit_of(kind) for name, kind in assignment.kinds.items()}
    asked = [case for case in assignment.cases if has_answers(kits[case.kind.name])]
    found = {case.id: tuple(differences(case, kits[case.kind.name])) for case in asked}
    unstored = tuple(case.id for case in assignment.cases if not plain(case.expect))
    return Proof(
        assignment=assignment.name,
        proven=sum(not faults for faults in found.values())
        - sum(not found.get(name, ()) for name in unstored if name in found),
        unstored=unstored,
        unproven=len(assignment.cases) - len(asked),
        differences=tuple(fault for faults in found.values() for fault in faults),
    )


def differences(case: Case, kit: Kit) -> Iterator[Fault]:
    """Yield each way in which a case's stored key isn't the kit's answer."""
    try:
        computed = answer(kit, case)
        yield from _differences(case, computed)
    except FailedReferenceError as error:
        yield _fault(case, str(error))
    except (OSError, EOFError, UnicodeDecodeError) as error:
        yield _fault(case, f"the transcript {case.expect.transcript} can't be read: {error}")
    except Exception as error:  # noqa: BLE001 - a kit is other people's code
        yield _fault(case, f"the reference fails: {type(error).__name__}: {error}")


def _differences(case: Case, computed: Answer) -> Iterator[Fault]:
    for key, value in plain(case.expect).items():
        if key == "transcript":
            yield from _transcript(case, computed)
        elif key not in computed.expect:
            yield _fault(case, f"expect.{key} is stored, but the kit gives no such answer")
        elif computed.expect[key] != value:
            yield _fault(case, f"expect.{key} is {_short(value)}, the reference says {_short(computed.expect[key])}")


def _transcript(case: Case, computed: Answer) -> Iterator[Fault]:
    path = Path(case.expect.transcript or "")
    if computed.transcript is None:
        yield _fault(case, "a transcript is stored, but the kit tells none")
        return
    options = Tolerance.of(case.options)
    found = first_difference(stored_lines(path), computed.lines(), options=options)
    if found:
        message = (
            f"the case {case.id}: this line is {_line(found.stored)}, the reference says {_line(found.computed)}"
        )
        yield Fault(message=message, path=shown(path), line=found.line, hint=_hint(case))


def _fault(case: Case, message: str) -> Fault:
    return Fault(message=f"the case {case.id}: {message}", path=case.path, line=case.line, hint=_hint(case))


def _hint(case: Case) -> str:
    return f"`grader cases record {case.id}` puts the reference's answer there"


def _line(text: str | None) -> str:
    return "missing" if text is None else repr(text[:80])


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 80 else text[:80] + "…"
