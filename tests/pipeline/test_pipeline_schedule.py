"""Promises of the schedule: what runs, how often, and what is skipped; counted on a sandbox without walls."""

from __future__ import annotations

import random
import threading
from typing import TYPE_CHECKING

import pytest
from doubling import case, plan, student
from msgspec.structs import replace

from grader.engines.local import LocalEngine
from grader.engines.worker import BROKEN
from grader.model.result import Isolation
from grader.model.run import Raised, RunRecord, Stream, Usage
from grader.model.verdict import Ending, Verdict, Visibility
from grader.pipeline.grade import grade
from grader.pipeline.prepare import ALL_CASES
from grader.wiring import Settings, open_grading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.result import CaseResult, GradeSheet
    from grader.model.run import RunRequest
    from grader.pipeline.prepare import Plan


FULL_S = case(1).limits.cpu_s
_NEEDED_S = 0.7 * FULL_S
_START_S = 0.08 * FULL_S


class Machine:
    """Sandboxes that do what the source's word for the puzzle says: `2:loop` loops on puzzle 2, `loop` on all."""

    def __init__(self) -> None:
        self.isolation = Isolation(level="none")
        self.lock = threading.Lock()
        self.now = 0
        self.runs: list[tuple[str, int, int]] = []
        """Word, puzzle, and how many others were running."""
        self.shorts: list[bool] = []
        """Whether it had less time than the case allows."""

    def __call__(self, *, packages: tuple[str, ...] = ()) -> Machine:
        return self if not packages else Machine()

    def run(self, request: RunRequest) -> RunRecord:
        puzzle = int(request.inputs[0].content)
        words = dict(part.split(":") for part in request.files[0].content.decode().split() if ":" in part)
        word = words.get(str(puzzle), words.get("all", "ok"))
        with self.lock:
            again = any(known[:2] == (word, puzzle) for known in self.runs)
            self.runs.append((word, puzzle, self.now))
            self.shorts.append(request.limits.cpu_s < FULL_S)
            self.now += 1
        try:
            return self._act(word, puzzle, again=again, cpu_s=request.limits.cpu_s)
        finally:
            with self.lock:
                self.now -= 1

    def _act(self, word: str, puzzle: int, *, again: bool, cpu_s: float) -> RunRecord:
        needed_s = {"needs": _NEEDED_S, "late": _NEEDED_S, "starts": _START_S}.get(word, 0.0)
        if cpu_s < needed_s:
            return RunRecord(ending=Ending.CPU_LIMIT, usage=Usage(cpu_s=cpu_s, wall_s=cpu_s))
        if word in {"needs", "starts"}:
            usage = Usage(cpu_s=needed_s, wall_s=needed_s)
            return RunRecord(
                ending=Ending.EXITED, exit_status=0, usage=usage, stdout=Stream.of(f"{2 * puzzle}".encode())
            )
        if word == "break":
            raised = Raised(type=BROKEN, message="")
            return RunRecord(ending=Ending.EXITED, exit_status=1, raised=raised, was_long=True)
        if word == "sleep":
            return RunRecord(ending=Ending.WALL_LIMIT, waited=True)
        if word == "loop" or (word == "slow" and not again):
            return RunRecord(ending=Ending.CPU_LIMIT, usage=Usage(cpu_s=1, wall_s=4))
        if word == "spin":
            return RunRecord(ending=Ending.CPU_LIMIT, usage=Usage(cpu_s=1, wall_s=1.1))
        if word == "flood":
            return RunRecord(ending=Ending.OUTPUT_LIMIT, stdout=Stream(size=16 << 20, data=b"", cut=True))
        if word == "wrong":
            return RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(b"x"))
        if word in {"late", "late-but-right"}:
            answer = f"{2 * puzzle}" if word == "late-but-right" else "x"
            return RunRecord(ending=Ending.EXITED, exit_status=0, was_long=True, stdout=Stream.of(answer.encode()))
        return RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(f"{2 * puzzle}".encode()))

    def close(self) -> None:
        pass

    def count(self, word: str, *, short: bool = True) -> int:
        """Count a word's runs, also the short ones or not."""
        return sum(known == word and (short or not is_short) for (known, *_), is_short in self._seen())

    def _seen(self) -> Iterator[tuple[tuple[str, int, int], bool]]:
        return zip(self.runs, self.shorts, strict=True)


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture(autouse=True)
def _two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """How much of one submission runs at once depends on the cores; the counts below are those of two."""
    monkeypatch.setattr("grader.pipeline.schedule.cores", lambda: 2)


def graded(machine: Machine, work: Plan, **sources: str) -> dict[str, GradeSheet]:
    engine = LocalEngine(machine, workers=2)
    students = [student(name, source) for name, source in sources.items()]
    with open_grading(Settings(workers=1), work, engine=engine) as grading:
        sheets = {sheet.submission: sheet for sheet in grade(grading, students)}
    engine.close()
    return sheets


def verdicts(sheet: GradeSheet) -> str:
    return " ".join(result.verdict for result in sheet.cases)


WORK = plan(*(case(number) for number in range(1, 11)))


@pytest.mark.parametrize(
    ("word", "full", "verdict"),
    [("sleep", 1, "TLE"), ("spin", 1, "TLE"), ("loop", 2, "TLE"), ("flood", 1, "OLE"), ("break", 1, "RTE")],
)
def test_a_program_that_never_ends_costs_one_full_run(machine: Machine, word: str, full: int, verdict: str) -> None:
    """With a confirmation where the machine might be to blame; short runs show that no case is otherwise."""
    sheets = graded(machine, WORK, bad=f"all:{word}", good="all:ok", best="all:ok", fine="all:ok")
    assert (machine.count(word), machine.count(word, short=False)) == (14 + full, full)
    assert verdicts(sheets["bad"]) == verdict + " SK" * 9
    assert "since another case ran on to the limit" in sheets["bad"].cases[9].message
    assert verdicts(sheets["good"]) == "AC" + " AC" * 9


@pytest.mark.parametrize("word", ["sleep", "loop", "flood", "late"])
def test_a_fault_costs_its_own_cases_alone(machine: Machine, word: str) -> None:
    """Wherever they stand: after two full runs in vain the rest have a short one, and what ends there counts."""
    bad = (1, 2, 3, 9)
    sheets = graded(machine, WORK, bad=" ".join(f"{number}:{word}" for number in bad))
    assert sheets["bad"].points == 6
    assert verdicts(sheets["bad"]).split().count("SK") == 2
    assert "since 2 other cases ran on to the limit" in sheets["bad"].cases[8].message


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("right", ["ok", "starts"])
def test_marks_do_not_depend_on_the_order_of_cases(machine: Machine, seed: int, right: str) -> None:
    """They are those of a run of all cases, also of a program that needs its time before it begins to answer."""
    order = random.Random(seed).sample(range(1, 11), 10)
    bad = {"ann": (1, 2, 4), "bob": (1, 5, 6, 7, 9), "cat": (3,)}
    sources = {
        name: " ".join(f"{number}:{'spin' if number in wrong else right}" for number in order)
        for name, wrong in bad.items()
    }
    sheets = graded(machine, plan(*(case(number) for number in order)), **sources)
    assert {name: sheet.points for name, sheet in sheets.items()} == {n: 10 - len(w) for n, w in bad.items()}


def test_what_needs_more_time_gets_it(machine: Machine) -> None:
    """A right answer that is slower than all others is no time-out: it runs again with all of its time."""
    sheets = graded(machine, WORK, ann="7:needs")
    assert verdicts(sheets["ann"]) == "AC" + " AC" * 9
    assert (machine.count("needs"), machine.count("needs", short=False)) == (2, 1)


def test_slow_answers_have_as_much_time_as_they_show_to_need(machine: Machine) -> None:
    """Once one has ended after most of its limit, the others aren't stopped short of that."""
    assert verdicts(graded(machine, WORK, ann="all:needs")["ann"]) == "AC" + " AC" * 9


def test_a_confirmation_runs_alone_and_after_the_others(machine: Machine) -> None:
    """A hostile submission keeps no neighbour waiting, and no neighbour slows its confirmation."""
    graded(machine, WORK, bad="all:loop", good="all:ok", best="all:ok")
    assert machine.runs[-1] == ("loop", 1, 0)
    assert machine.count("loop", short=False) == 2


def test_a_time_out_that_was_load_does_not_count(machine: Machine) -> None:
    """What is right when it runs alone is right; and the submission's other cases run."""
    sheets = graded(machine, WORK, ann="2:slow 3:slow")
    assert verdicts(sheets["ann"]) == "AC" + " AC" * 9
    assert machine.count("slow") == 4


def test_wrong_answers_that_take_us_long_to_read_are_bounded(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After ten seconds of reading the other cases are skipped; `--all-cases` reads them all."""
    monkeypatch.setattr("grader.pipeline.open_submission._MOST_READ_S", -1.0)
    sheet = graded(machine, WORK, bad="all:wrong")["bad"]
    assert verdicts(sheet).split().count("SK") >= 7
    assert "take too long to read" in sheet.cases[9].message
    assert verdicts(graded(machine, replace(WORK, timeouts=ALL_CASES), bad="all:wrong")["bad"]) == "WA" + " WA" * 9


def test_right_answers_may_take_their_time(machine: Machine) -> None:
    """Within the limits, nothing is skipped for being slow."""
    assert verdicts(graded(machine, WORK, ann="all:late-but-right")["ann"]) == "AC" + " AC" * 9


@pytest.mark.parametrize("cores", [1, 2, 8])
def test_verdicts_do_not_depend_on_the_number_of_cores(
    machine: Machine, cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which cases run to their limits is decided by the catalogue, and not by what ran at the same time."""
    monkeypatch.setattr("grader.pipeline.schedule.cores", lambda: cores)
    sheets = graded(machine, WORK, ann="2:loop 5:sleep 7:loop")
    assert verdicts(sheets["ann"]) == "AC TLE AC AC TLE AC SK AC AC AC"


def test_all_cases_can_be_asked_for(machine: Machine) -> None:
    """Staff get every verdict; a second time-out of one program still isn't confirmed."""
    sheets = graded(machine, replace(WORK, timeouts=ALL_CASES), ann="all:loop")
    assert verdicts(sheets["ann"]) == "TLE" + " TLE" * 9
    assert machine.count("loop") <= 12


def test_a_plan_can_allow_one_alone(machine: Machine) -> None:
    sheets = graded(machine, replace(WORK, timeouts=1), ann="3:sleep 4:sleep")
    assert verdicts(sheets["ann"]) == "AC AC TLE SK AC AC AC AC AC AC"


def test_no_hidden_case_decides_whether_a_visible_one_runs(machine: Machine) -> None:
    """Visible cases run first, wherever they stand: two programs that differ on hidden ones look alike."""
    cases = [
        case(number, visibility=Visibility.VISIBLE if number > 6 else Visibility.HIDDEN) for number in range(1, 11)
    ]
    shown = {
        name: verdicts(sheet).split()[6:]
        for name, sheet in graded(machine, plan(*cases), ann="", bob="1:sleep 2:loop 3:loop").items()
    }
    assert shown == {"ann": ["AC"] * 4, "bob": ["AC"] * 4}


def test_every_submission_of_a_large_class_times_out(machine: Machine) -> None:
    """More than a window of them: each gets its sheet, after one time-out and its confirmation."""
    sheets = graded(machine, WORK, **{f"s{number}": "all:loop" for number in range(70)})
    assert len(sheets) == 70
    assert machine.count("loop", short=False) == 70 * 2


def test_every_case_is_seen_once(machine: Machine) -> None:
    """Skipped ones too, so that a progress bar gets to its end."""
    seen: list[CaseResult] = []
    engine = LocalEngine(machine, workers=2)
    with open_grading(Settings(workers=1), WORK, engine=engine) as grading:
        sheets = list(grade(grading, [student("ann", "all:sleep"), student("bob", "")], seen=seen.append))
    engine.close()
    assert len(seen) == 20
    assert len(sheets) == 2


def test_repetitions_of_a_time_out_count_as_one_case(machine: Machine) -> None:
    sheets = graded(machine, replace(WORK, repeat=3), ann="1:sleep")
    assert verdicts(sheets["ann"]) == "TLE" + " AC" * 9


def _students(number: int) -> Iterator[str]:
    yield from (f"s{index}" for index in range(number))


def test_sheets_come_while_later_submissions_are_not_drawn(machine: Machine) -> None:
    """Memory stays flat: only a window of submissions is open."""
    drawn = 0

    def endless() -> Iterator[object]:
        nonlocal drawn
        for name in _students(10**9):
            drawn += 1
            yield student(name, "")

    engine = LocalEngine(machine, workers=2)
    with open_grading(Settings(workers=1), plan(case(1)), engine=engine) as grading:
        sheets = grade(grading, endless())  # type: ignore[arg-type] # they are submissions
        for given in range(1, 101):
            assert next(sheets).cases[0].verdict is Verdict.AC
            assert drawn < given + 60
    engine.close()
