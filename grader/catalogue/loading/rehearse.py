"""Judges an empty answer before the first student does: what fails here would fail for everybody."""

from __future__ import annotations

import importlib
import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

from grader.catalogue.loading.deadline import TooLongError, deadline
from grader.judge import registry
from grader.model import wire
from grader.model.assignment import RunAs
from grader.model.judgement import Judgement, Trial
from grader.model.result import Mismatch
from grader.model.run import Reply, RunRecord
from grader.model.verdict import Ending

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import Case
    from grader.model.kit import Kit


def rehearse(case: Case, kit: Kit, puzzle: Any) -> str:
    """Have kit and judge do what they do for every student; say what fails, empty when nothing does."""
    doing = ""
    try:
        with deadline(), redirect_stdout(sys.stderr):  # what a kit prints is for staff
            for step in _steps(case, kit, puzzle):
                doing = step
    except TooLongError as error:
        return f"{doing} takes more than {error} on the case {case.id}"
    except (Exception, SystemExit) as error:  # noqa: BLE001 - kits and judges are other people's code
        return f"{doing} fails on the case {case.id}: {type(error).__name__}: {error}"
    return ""


def _steps(case: Case, kit: Any, puzzle: Any) -> Iterator[str]:
    """Do one thing after the other; before each, say what it is."""
    judge = registry.find(case.kind.judge)
    calls = 1
    if case.kind.run.run_as is RunAs.FUNCTION and case.kind.run.args is None:
        yield f"`calls` of the kit {case.kind.kit}"
        calls = _counted(kit.calls(puzzle))
    if case.kind.run.run_as is RunAs.AGENT:
        yield f"the world of the kit {case.kind.kit}"
        _one_tick(*kit.world(puzzle))
    if case.expect is None:
        yield f"`solve` of the kit {case.kind.kit}"
        wire.encode(registry.key(judge, kit, puzzle))
    yield f"the judge {case.kind.judge}, given an empty answer,"
    replies = () if case.kind.run.run_as is RunAs.PROGRAM else (Reply(),) * calls
    record = RunRecord(ending=Ending.EXITED, exit_status=0, replies=replies)
    judged = judge.judge(Trial(case=case, kit=kit, puzzle=puzzle, record=record))
    if not isinstance(judged, Judgement) or not isinstance(judged.mismatch, Mismatch | None):
        told = judged.mismatch if isinstance(judged, Judgement) else judged
        raise TypeError(f"it gave {told!r:.80}, not a Judgement with a Mismatch")


def _one_tick(path: str, setup: Any) -> None:
    """Let an agent that answers nothing act once; the setup and the arguments must be plain data."""
    module, _, name = path.partition(":")
    wire.encode(setup)
    world = getattr(importlib.import_module(module), name)(setup)
    arguments = world.observe()
    if arguments is not None:
        wire.encode(tuple(arguments))
        world.act(None)
        world.observe()


def _counted(calls: Any) -> int:
    """Count the calls, each a tuple of plain arguments."""
    if not isinstance(calls, tuple | list) or not calls or not all(isinstance(each, tuple | list) for each in calls):
        raise TypeError(f"it gave {calls!r:.80}, not one tuple of arguments per call, such as ((puzzle,),)")
    wire.encode(calls)
    return len(calls)
