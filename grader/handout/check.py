"""The program inside the students' kit: checks a solution on the packed cases.

    python3 check.pyz [FILE OR FOLDER] [options]

It is `grader check` with the same scan, judges, explanations and pages; only the sandbox is the portable one.
"""

from __future__ import annotations

import argparse
import logging
import os
import shlex
import subprocess
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.errors import GraderError, UsageError
from grader.handout.contents import Contents, open_kit
from grader.handout.in_process import grading_here
from grader.handout.prove import prove
from grader.handout.sealed import confirm
from grader.handout.shrink import KEPT, may_hunt, shrink
from grader.intake.collect import collect_one
from grader.intake.entries import single_entry
from grader.intake.watch import stamps, wait_for_change
from grader.model.verdict import Verdict
from grader.pipeline.grade import grade
from grader.pipeline.prepare import Plan, chosen_by
from grader.policy.shipped import watcher_source
from grader.report.text.cells import cells
from grader.report.text.checked import checked
from grader.report.text.look import Look, speak_plainly
from grader.report.text.telling import Checked, Steps, Wanted
from grader.report.text.terminal import case_line
from grader.report.view import outline
from grader.sandbox.portable.sandbox import PortableSandbox

if TYPE_CHECKING:
    from grader.model.result import CaseResult, GradeSheet
    from grader.pipeline.prepare import Prepared

_NOTE = (
    "Checked on your computer, without a sandbox: run only code you trust. Your grade comes from the course's run."
)


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
        if words.hunt and not may_hunt(kit):
            raise UsageError(KEPT, hint="the visible cases are in the folder `cases`; change one a little")
        chosen = _chosen(kit, words.only)
        return _list(chosen) if words.list else _Check(kit, chosen, words, scratch).run()
    except GraderError as error:
        print(f"check: {error}", file=sys.stderr)
        return error.exit_status


def _parser(kit: Contents) -> argparse.ArgumentParser:
    wanted = ", ".join(file.name for file in kit.assignment.files)
    parser = argparse.ArgumentParser(
        prog=_own_name(),
        description=f"{kit.assignment.title}: checks {wanted} on the visible cases, and explains what fails.",
        epilog=_NOTE,
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
    hunts = "if a case fails, look for the smallest input that fails too" if may_hunt(kit) else argparse.SUPPRESS
    parser.add_argument("--hunt", action="store_true", help=hunts)
    parser.add_argument("--prove", action="store_true", help=argparse.SUPPRESS)
    return parser


def _own_name() -> str:
    """Return how this program was started, for commands that can be typed again."""
    python = "py" if sys.platform == "win32" else "python3"
    return f"{python} {typed(sys.argv[0])}"


def typed(word: str, platform: str = sys.platform) -> str:
    """Write a word so that it can be typed again: Windows' shells take double quotes alone."""
    return subprocess.list2cmdline([word]) if platform == "win32" else shlex.quote(word)


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


class _Check:
    """One solution, to be checked once or at every save."""

    def __init__(
        self, kit: Contents, cases: tuple[Prepared, ...], words: argparse.Namespace, scratch: str | None
    ) -> None:
        self._kit = kit
        self._cases = cases
        self._words = words
        self._path = Path(words.path)
        self._look = Look.of(sys.stdout)
        self._ids = max(cells(each.case.id) for each in cases)
        self._sandbox = PortableSandbox(watcher_source=watcher_source(), scratch=scratch)

    def run(self) -> int:
        """Check, and say how it went; a folder without the file is a mistake."""
        if self._words.watch:
            return self._watch()
        done = self._check()
        if done.problem:
            raise UsageError(done.problem, hint="give the folder that has the file, or the file itself")
        return 0 if done.passed else 1

    def _watch(self) -> int:
        while True:
            before = stamps(self._path)
            if sys.stdout.isatty():
                _clear()
            done = self._check()
            if done.problem:
                print(done.problem)
            try:
                print(f"\nWatching {self._path.absolute()}; save a file to check again, Ctrl-C to stop.", flush=True)
                wait_for_change(self._path, before)
            except KeyboardInterrupt:
                print()
                return 0 if done.passed else 1

    def _check(self) -> Checked:
        kit, words = self._kit, self._words
        page = _page() if words.open else None
        rules = kit.assignment.rules if words.only == "*" else ()
        plan = Plan(assignment=kit.assignment, cases=self._cases, rules=rules, timeouts=1, stops=words.stop)
        entry = single_entry(self._path, kit.assignment)
        sheet = next(grade(grading_here(plan, self._sandbox), [entry], seen=self._tell))
        done = checked(Wanted(self._look, self._steps(page), kit.hidden, str(page or "")), sheet)
        if done.problem:
            return done
        for number, result in enumerate(sheet.cases, 1):
            if result.verdict is Verdict.SK:
                self._line(number, result)
        print(done.json if words.json else done.text)
        if words.hunt and not done.passed:
            self._hunt(sheet)
        if kit.sealed and words.only == "*" and not words.json:
            submission = collect_one(self._path, kit.assignment)
            print(f"\n{confirm(kit.sealed, kit.assignment, submission, self._sandbox)}")
        print(_NOTE, file=sys.stderr)
        if page is not None:
            _open(page)
        return done

    def _hunt(self, sheet: GradeSheet) -> None:
        submission = collect_one(self._path, self._kit.assignment)
        found = shrink(self._kit, sheet, submission, self._sandbox)
        if found is None:
            print("\nNo case that fails can be made smaller.")
            return
        tried = f"{found.tried} {'input' if found.tried == 1 else 'inputs'} tried"
        print(f"\nSmallest input that your program gets wrong, made from {found.result.id} ({tried}):\n")
        print(found.text.rstrip("\n"))
        print(f"\n{found.result.message}")

    def _tell(self, result: CaseResult) -> None:
        """Show a result as soon as it is there; what is skipped comes last."""
        if result.verdict is not Verdict.SK:
            self._line(0, result)

    def _line(self, number: int, result: CaseResult) -> None:
        if not self._words.json:
            print(case_line(outline(result, number), self._look, ids=self._ids), flush=True)

    def _steps(self, page: Path | None) -> Steps:
        given = [] if self._words.path == "." else [typed(self._words.path)]
        return Steps(check=" ".join([_own_name(), *given]), page=page.as_uri() if page else "")


def _clear() -> None:
    """Empty the terminal; an old Windows console shows the escape codes for it as letters."""
    if sys.platform == "win32":
        os.system("cls")  # noqa: S605, S607 - a command of the shell itself
    else:
        print("\x1b[2J\x1b[H", end="")


def _page() -> Path:
    """Return where the page goes: beside the kit, or where that can't be written, among temporary files."""
    beside = Path(sys.argv[0]).absolute().parent
    folder = beside if os.access(beside, os.W_OK) else Path(tempfile.mkdtemp(prefix="grader-page-"))
    return folder / "check.html"


def _open(page: Path) -> None:
    """Open the page where there is a desktop; its address is printed anyway."""
    if sys.platform in {"darwin", "win32"} or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
        webbrowser.open(page.as_uri())
