"""Row 11: a class as classes are: most are wrong, some never end, and everything is written that can be.

Of 40 submissions 16 are right; 22 are wrong, crash or run out of time in ways of their own, one loops, one prints
without end. The parts are measured in one process, one after the other, on every fourth submission and case; as in
a grade, a submission's second time-out is its last case.
"""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bench.commands import grade_class
from bench.row import Row, plain
from grader.intake.collect import collect_one
from grader.judge.registry import find
from grader.model.judgement import Trial
from grader.model.scene import PackedScene
from grader.model.verdict import TIMED_OUT, Audience, Verdict
from grader.pipeline.find_assignment import choose_assignment
from grader.pipeline.grade_case import assess, draw, python_of
from grader.pipeline.prepare import prepare, request_for
from grader.pipeline.sheet import Outcome, add_up
from grader.policy.shipped import watcher_source
from grader.report.registry import FORMATS, SHEET_FORMATS, reporter
from grader.report.view import view
from grader.report.writer import Style, write_sheet
from grader.sandbox.open import open_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.result import CaseResult
    from grader.model.seams import Sandbox
    from grader.pipeline.prepare import Plan

ROOT = Path(__file__).parents[1]
_NAME, _FILE = "alice-grid", "Alice.py"
_SOLUTIONS = ROOT / "reference" / "solutions" / _NAME
_PRINTER = "while True:\n    print('step ' * 1000)\n"
_LOOP = "while True:\n    pass\n"
_PARTS = ("run", "judge", "explain", "draw", "render", "write")


RUNS = 2
"""It takes longer than most rows."""


def measure(*, quick: bool) -> Iterator[Row]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        people = _hand_in(folder / "class", right=2 if quick else 16, wrong=3 if quick else 22)
        first = grade_class(folder, _NAME, "--format", ",".join(FORMATS)).wall_s
        same = grade_class(folder, _NAME, "--format", ",".join(FORMATS)).wall_s
        parts = _parts(folder, people[3::4])
    command = f"grader grade class -a {_NAME} --format {','.join(FORMATS)}"
    yield Row(
        number="11a",
        what=f"a realistic class, {len(people)} submissions: seconds for each",
        instead=command,
        score=plain(first / len(people)),
        detail=f"{first:.1f} s in all",
    )
    yield Row(
        number="11b",
        what="the same class again, nothing changed",
        instead="the first time",
        score=plain(same / first),
        detail=f"{same:.2f} s ÷ {first:.1f} s",
    )
    for place, part in enumerate(_PARTS):
        yield Row(
            number=f"11{chr(ord('c') + place)}",
            what=f"… of which {part}: ms of processor time for a submission",
            instead=command,
            score=plain(parts[part] * 1000),
        )


def _hand_in(folder: Path, *, right: int, wrong: int) -> list[Path]:
    solved = sorted(_SOLUTIONS.glob("AC/*"))
    failed = sorted(path for path in _SOLUTIONS.glob("*/*") if path.parent.name != "AC")
    chosen = {f"right{number:02}": solved[number % len(solved)] for number in range(right)}
    chosen |= {f"wrong{number:02}": failed[number * len(failed) // wrong] for number in range(wrong)}
    people = [shutil.copytree(path, folder / name) for name, path in chosen.items()]
    for name, source in (("loops", _LOOP), ("prints", _PRINTER)):
        (folder / name).mkdir()
        (folder / name / _FILE).write_text(source)
        people.append(folder / name)
    return people


def _parts(folder: Path, people: list[Path]) -> dict[str, float]:
    """Return the seconds of processor time that each part takes for a submission."""
    plan = prepare(choose_assignment(_NAME, people))
    spent = dict.fromkeys(_PARTS, 0.0)
    style = Style(out=folder / "parts", formats=FORMATS)
    with closing(open_sandbox(packages=plan.assignment.packages, watcher_source=watcher_source())) as sandbox:
        _add_parts(dict.fromkeys(_PARTS, 0.0), plan, people[0], sandbox, style)  # templates are compiled once
        for path in people:
            _add_parts(spent, plan, path, sandbox, style)
    return {part: spent[part] / len(people) for part in _PARTS}


def _add_parts(spent: dict[str, float], plan: Plan, path: Path, sandbox: Sandbox, style: Style) -> None:
    submission, cost = collect_one(path, plan.assignment), plan.assignment.policy.cost
    results: list[CaseResult] = []
    time_outs = 0
    for prepared in plan.cases[::4]:
        if time_outs == plan.timeouts:
            break
        record = sandbox.run(request_for(prepared, submission, plan.assignment))
        time_outs += record.ending in TIMED_OUT
        times = 1 if record.ending in TIMED_OUT else 4
        spent["run"] += times * record.usage.cpu_s
        files, case = python_of(submission), prepared.case
        trial = Trial(case=case, kit=prepared.kit, puzzle=prepared.puzzle, record=record, files=files)
        began = process_time()
        find(case.kind.judge).judge(trial)
        judged = process_time()
        result = assess(prepared, record, cost, files)
        explained = process_time()
        scene = draw(prepared, record) if result.verdict is not Verdict.AC else None
        packed = PackedScene.of(scene) if scene else None
        spent["judge"] += times * (judged - began)
        spent["explain"] += times * max(0.0, (explained - judged) - (judged - began))
        spent["draw"] += times * (process_time() - explained)
        results.append(replace(result, evidence=replace(result.evidence, scene=packed)))
    outcome = Outcome(tuple(results * 4)[: len(plan.cases)], ())
    sheet = add_up(submission, plan.assignment, outcome=outcome, isolation=sandbox.isolation)
    began = process_time()
    shown = view(sheet, Audience.STAFF)
    for form in SHEET_FORMATS:
        reporter(form)(shown)
    rendered = process_time()
    write_sheet(sheet, style)
    spent["render"] += rendered - began
    spent["write"] += max(0.0, (process_time() - rendered) - (rendered - began))
