"""Promises of the schedule: what runs, how often, and what is skipped; counted on a sandbox without walls."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from doubling import case, plan, student
from msgspec.structs import replace

from grader.engines.local import LocalEngine
from grader.model.result import Isolation
from grader.model.run import RunRecord, Stream, Usage
from grader.model.verdict import Ending, Verdict, Visibility
from grader.pipeline.grade import grade
from grader.pipeline.prepare import ALL_CASES
from grader.wiring import Settings, open_grading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.result import CaseResult, GradeSheet
    from grader.model.run import RunRequest
    from grader.pipeline.prepare import Plan


class Machine:
    """Sandboxes that do what the source's word for the puzzle says: `2:loop` loops on puzzle 2, `loop` on all."""

    def __init__(self) -> None:
        self.isolation = Isolation(level="none")
        self.lock = threading.Lock()
        self.now = 0
        self.runs: list[tuple[str, int, int]] = []
        """Word, puzzle, and how many others were running."""

    def __call__(self, *, packages: tuple[str, ...] = ()) -> Machine:
        return self if not packages else Machine()

    def run(self, request: RunRequest) -> RunRecord:
        puzzle = int(request.inputs[0].content)
        words = dict(part.split(":") for part in request.files[0].content.decode().split() if ":" in part)
        word = words.get(str(puzzle), words.get("all", "ok"))
        with self.lock:
            again = any(known[:2] == (word, puzzle) for known in self.runs)
            self.runs.append((word, puzzle, self.now))
            self.now += 1
        try:
            return self._act(word, puzzle, again=again)
        finally:
            with self.lock:
                self.now -= 1

    def _act(self, word: str, puzzle: int, *, again: bool) -> RunRecord:
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
        if word == "junk":
            return RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(b"x" * (9 << 20)))
        return RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(f"{2 * puzzle}".encode()))

    def close(self) -> None:
        pass

    def count(self, word: str) -> int:
        return sum(known == word for known, _, _ in self.runs)


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
    ("word", "runs", "verdict"),
    [
        ("sleep", 2, "TLE"),
        ("spin", 2, "TLE"),
        ("loop", 3, "TLE"),
        ("flood", 2, "OLE"),
        ("junk", 2, "WA"),
        ("late", 2, "WA"),
    ],
)
def test_a_hostile_submission_costs_few_runs(machine: Machine, word: str, runs: int, verdict: str) -> None:
    """Two time-outs, one confirmation where the machine might be to blame, and eight cases that never run."""
    sheets = graded(machine, WORK, bad=f"all:{word}", good="all:ok", best="all:ok", fine="all:ok")
    assert runs <= machine.count(word) <= runs + 1  # one more may have begun while the last was read
    assert verdicts(sheets["bad"]) == f"{verdict} {verdict}" + " SK" * 8
    assert "since 2 earlier cases took too much time or output" in sheets["bad"].cases[9].message
    assert verdicts(sheets["good"]) == "AC" + " AC" * 9


def test_a_confirmation_runs_alone_and_after_the_others(machine: Machine) -> None:
    """A hostile submission keeps no neighbour waiting, and no neighbour slows its confirmation."""
    graded(machine, WORK, bad="all:loop", good="all:ok", best="all:ok")
    assert machine.runs[-1] == ("loop", 1, 0)
    assert machine.count("loop") == 3


def test_a_time_out_that_was_load_does_not_count(machine: Machine) -> None:
    """What is right when it runs alone is right; and the submission's other cases run."""
    sheets = graded(machine, WORK, ann="2:slow 3:slow")
    assert verdicts(sheets["ann"]) == "AC" + " AC" * 9
    assert machine.count("slow") == 4


def test_wrong_answers_that_take_us_long_to_read_are_bounded(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong answer that is long to read counts like a time-out; one that is quickly read never does."""
    monkeypatch.setattr("grader.pipeline.open_submission._LONG_READ_S", -1.0)
    sheets = graded(machine, WORK, bad="all:wrong", good="all:ok")
    assert (verdicts(sheets["bad"]), verdicts(sheets["good"])) == ("WA WA" + " SK" * 8, "AC" + " AC" * 9)


def test_right_answers_may_take_their_time(machine: Machine) -> None:
    """Within the limits, nothing is skipped for being slow."""
    assert verdicts(graded(machine, WORK, ann="all:late-but-right")["ann"]) == "AC" + " AC" * 9


def test_one_time_out_skips_nothing(machine: Machine) -> None:
    sheets = graded(machine, WORK, ann="4:loop")
    assert verdicts(sheets["ann"]) == "AC AC AC TLE AC AC AC AC AC AC"
    assert machine.count("loop") == 2


@pytest.mark.parametrize("cores", [1, 2, 8])
def test_marks_do_not_depend_on_the_number_of_cores(
    machine: Machine, cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A case after the last time-out allowed is skipped, whether or not it was running already."""
    monkeypatch.setattr("grader.pipeline.schedule.cores", lambda: cores)
    sheets = graded(machine, WORK, ann="2:loop 5:sleep 7:loop")
    assert verdicts(sheets["ann"]) == "AC TLE AC AC TLE SK SK SK SK SK"


def test_all_cases_can_be_asked_for(machine: Machine) -> None:
    """Staff get every verdict; a second time-out of one program still isn't confirmed."""
    sheets = graded(machine, replace(WORK, timeouts=ALL_CASES), ann="all:loop")
    assert verdicts(sheets["ann"]) == "TLE" + " TLE" * 9
    assert machine.count("loop") <= 12


def test_a_plan_can_stop_at_the_first(machine: Machine) -> None:
    sheets = graded(machine, replace(WORK, timeouts=1), ann="3:sleep")
    assert verdicts(sheets["ann"]) == "AC AC TLE SK SK SK SK SK SK SK"


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
    """More than a window of them: each gets its sheet, after two time-outs and one confirmation."""
    sheets = graded(machine, WORK, **{f"s{number}": "all:loop" for number in range(70)})
    assert len(sheets) == 70
    assert machine.count("loop") == 70 * 3


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
