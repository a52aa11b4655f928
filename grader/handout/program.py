"""The program inside the students' kit: checks a solution on the packed cases.

    python3 check.pyz [FILE OR FOLDER] [options]

It is `grader check` with the same scan, judges, explanations and pages; only the sandbox is the portable one.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.errors import GraderError
from grader.handout.check import NOTE, Check, Wishes, typed
from grader.handout.contents import Contents, open_kit
from grader.handout.in_process import grading_here
from grader.model.assignment import PolicyCost
from grader.model.run import Calls, Reply, RunRecord, Stream
from grader.model.submission import Submission
from grader.model.verdict import Audience, Ending, Verdict
from grader.pipeline.grade_case import read_alone
from grader.pipeline.prepare import Plan, chosen_by
from grader.pipeline.sheet import Outcome, add_up
from grader.policy.shipped import watcher_source
from grader.readers.job import run
from grader.report.html import page
from grader.report.text.cells import cells
from grader.report.text.checked import Steps, Wanted, checked
from grader.report.text.look import Look, speak_plainly
from grader.report.view import view
from grader.sandbox.portable.sandbox import PortableSandbox

if TYPE_CHECKING:
    from grader.pipeline.prepare import Prepared


def main(scratch: str | None = None) -> int:
    """Check the solution and say how it went; 0 when everything passed.

    What is left in `scratch` when it is stopped, its caller deletes: Ctrl-C may come while a folder is being deleted.
    """
    logging.disable(logging.CRITICAL)
    speak_plainly(sys.stdout, sys.stderr)
    kit = open_kit()
    words = _parser(kit).parse_args()
    try:
        if words.prove:
            return prove(kit)
        chosen = _chosen(kit, words.only)
        return _list(chosen) if words.list else _check(kit, chosen, words, scratch)
    except GraderError as error:
        print(f"check: {error}", file=sys.stderr)
        return error.exit_status


def _parser(kit: Contents) -> argparse.ArgumentParser:
    wanted = ", ".join(file.name for file in kit.assignment.files)
    parser = argparse.ArgumentParser(
        prog=_own_name(),
        description=f"{kit.assignment.title}: checks {wanted} on the visible cases, and explains what fails.",
        epilog=NOTE,
    )
    parser.add_argument("path", nargs="?", default=".", help="your file or folder; else this folder")
    parser.add_argument(
        "--only", metavar="GLOB", default="*", help="only cases whose id or tag fits, such as 'seed*'"
    )
    parser.add_argument("--list", action="store_true", help="list the cases and check nothing")
    parser.add_argument("-x", "--stop", action="store_true", help="stop at the first case that fails")
    parser.add_argument("--open", action="store_true", help="also write a page with a player, and open it")
    parser.add_argument("--watch", action="store_true", help="check again whenever you save; Ctrl-C ends it")
    parser.add_argument("--json", action="store_true", help="print one JSON object, as in results.json")
    parser.add_argument("--prove", action="store_true", help=argparse.SUPPRESS)
    return parser


def _own_name() -> str:
    """Return how this program was started, for commands that can be typed again."""
    python = "py" if sys.platform == "win32" else "python3"
    return f"{python} {typed(sys.argv[0])}"


def _chosen(kit: Contents, only: str) -> tuple[Prepared, ...]:
    every = msgspec.structs.replace(kit.assignment, cases=tuple(each.case for each in kit.cases))
    is_chosen = chosen_by(only, every)
    return tuple(each for each in kit.cases if is_chosen(each.case))


def _list(cases: tuple[Prepared, ...]) -> int:
    widest = max(cells(each.case.id) for each in cases)
    for each in cases:
        tags = f"  [{', '.join(each.case.facts.tags)}]" if each.case.facts.tags else ""
        print(f"{each.case.id:<{widest}}  {each.case.facts.title}{tags}")
    return 0


def _check(kit: Contents, cases: tuple[Prepared, ...], words: argparse.Namespace, scratch: str | None) -> int:
    target = _page() if words.open else None
    given = [] if words.path == "." else [typed(words.path)]
    steps = Steps(check=" ".join([_own_name(), *given]), page=target.as_uri() if target else "")
    wanted = Wanted(Look.of(sys.stdout), steps, kit.hidden, str(target or ""))
    rules = kit.assignment.rules if words.only == "*" else ()
    plan = Plan(
        assignment=kit.assignment, cases=cases, rules=rules, timeouts=kit.assignment.timeouts, stops=words.stop
    )
    grading = grading_here(plan, PortableSandbox(watcher_source=watcher_source(), scratch=scratch))
    wishes = Wishes(Path(words.path), page=target, stops=words.stop, watches=words.watch, as_json=words.json)
    return 0 if Check(grading, wishes, partial(checked, wanted)).run().passed else 1


def _page() -> Path:
    """Return where the page goes: beside the kit, or where that can't be written, among temporary files."""
    beside = Path(sys.argv[0]).absolute().parent
    folder = beside if os.access(beside, os.W_OK) else Path(tempfile.mkdtemp(prefix="grader-page-"))
    return folder / "check.html"


def prove(kit: Contents) -> int:
    """Judge some answers to every case without running anything, wrong as they are; whatever this needs is there.

    Return 70 and say why when something is missing.
    """
    isolation = PortableSandbox(watcher_source=watcher_source()).isolation
    nothing = Submission(id="none", files=())
    page.render(view(add_up(nothing, kit.assignment, outcome=Outcome((), ()), isolation=isolation), Audience.STUDENT))
    for prepared in kit.cases:
        for text, value in ((b"", None), (b"0\n", 0), (b"a b\n", ["a"])):
            count = len(prepared.how.arguments) if isinstance(prepared.how, Calls) else 1
            replies = tuple(Reply(value=value) for _ in range(count))
            record = RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(text), replies=replies)
            result = run(read_alone(prepared, PolicyCost.WARNING).read(None, prepared, record))
            if result.verdict is Verdict.JE and result.mismatch is not None:
                print(result.mismatch.found.strip(), file=sys.stderr)
                return 70
    return 0
