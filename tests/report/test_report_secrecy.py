"""What a hidden case did tells nothing to students: real programs, real grades, every format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import course
import gitrepo
import pytest

from grader.report.registry import FORMATS

if TYPE_CHECKING:
    from pathlib import Path

CANARY = "canary7f3a"
KIT = '''"""Reads any text."""

from grader.model.scene import Scene


class Kit:
    def parse(self, text):
        return text

    def draw(self, puzzle, claim):
        return Scene(rows=1, columns=1, squares=(), title=puzzle)

    write = solve = expect = read = check = puzzles = lambda *_: None


def kit():
    return Kit()
'''
ASSIGNMENT = """\
format: 1
title: Hello
files: [{name: hello.py}]
kinds:
  say:
    run: {as: program, module: hello.py, file: maze.txt}
    kit: secrecy_kit
    judge: stdout
  call:
    run: {as: function, module: hello.py, function: answer, args: ["{file}"], file: maze.txt}
    kit: secrecy_kit
    judge: value
policy: {ban: [itertools], run_time: true, cost: points, points: 0.5}
limits: {cpu_s: 1, wall_s: 4, memory_mib: 128}
hidden_outcomes: OUTCOMES
regulations: {attempts: 3}
"""
CASES = f"""\
format: 1
cases:
  - {{id: {CANARY}-a, title: First, visibility: hidden, hint: {CANARY}, tags: [{CANARY}], input: SECRET, expect: KEY}}
  - {{id: open, title: Second, input: "open\\n", expect: {{stdout: "ok\\n"}}}}
  - {{id: {CANARY}-b, title: Third, visibility: after_due_date, input: SECRET, expect: KEY}}
  - id: {CANARY}-c
    title: Fourth
    kind: call
    visibility: after_published
    input: SECRET
    expect: {{value: "{CANARY} expected"}}
  - {{id: wrong, title: Fifth, input: "odd\\n", expect: {{stdout: "even\\n"}}, points: 2}}
""".replace("SECRET", f'"hidden itertools {CANARY}\\n"').replace("KEY", f'{{stdout: "{CANARY} expected\\n"}}')
BROKEN_JUDGE = """\
from grader.judge.value import judge as compare


def judge(trial):
    if trial.record.replies[0].value is not None:
        raise RuntimeError("ours")
    return compare(trial)
"""
PROGRAM = """\
MODE = "{mode}"

import os, signal, sys


def answer(name):
    text = open(name).read()
    if not text.startswith("hidden"):
        return "ok"
    if MODE == "right":
        return text.split()[2] + " expected"
    if MODE == "raise":
        raise ValueError(text)
    if MODE == "exit":
        sys.exit(text)
    if MODE == "signal":
        print(text, flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    if MODE == "loop":
        print(text, flush=True)
        while True:
            pass
    if MODE == "flood":
        while True:
            print(text * 1000)
    if MODE == "hungry":
        print(text, flush=True)
        return bytearray(10**9)
    if MODE == "file":
        open(text.strip(), "w").write(text)
        os.mkdir(text.split()[2])
    if MODE == "stderr":
        print(text, file=sys.stderr)
    if MODE == "ban":
        __import__(text.split()[1]).count()
    if MODE == "class":
        raise type(text.split()[2], (Exception,), {{}})(text)
    if MODE == "frame":
        import json
        told = json.dumps({{"module": "x", "what": text, "path": "hello.py", "line": 1}}).encode()
        os.write(3, (len(told) + 1).to_bytes(4, "big") + b"B" + told)
    return text


if __name__ == "__main__":
    print(answer("maze.txt"))
"""
MODES = ("wrong", "raise", "exit", "signal", "loop", "flood", "hungry", "file", "stderr", "ban", "class", "frame")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("course")


def made(folder: Path, outcomes: str) -> Path:
    """Write the catalogue anew for one way to tell hidden outcomes."""
    cases = folder / "cases" / "hello"
    cases.mkdir(parents=True, exist_ok=True)
    (folder / "secrecy_kit.py").write_text(KIT)
    (cases / "assignment.yaml").write_text(ASSIGNMENT.replace("OUTCOMES", outcomes))
    (cases / "cases.yaml").write_text(CASES)
    return folder


def graded(folder: Path, mode: str, audience: str) -> dict[str, bytes | str | int]:
    """Grade one program; return every file for that reader, what the terminal said and the exit status."""
    student = hand_in(folder, "ann", mode)
    out = folder / f"out-{mode}-{audience}"
    return grade(folder, out, audience, student)


def hand_in(folder: Path, name: str, mode: str) -> Path:
    student = folder / "subs" / name
    student.mkdir(parents=True, exist_ok=True)
    (student / "hello.py").write_text(PROGRAM.format(mode=mode))
    return student


def grade(folder: Path, out: Path, audience: str, *students: Path) -> dict[str, bytes | str | int]:
    """Grade them as one class, in every format."""
    formats = ",".join(FORMATS)
    options = ["-a", "hello", "--format", formats, "--audience", audience, "--progress", "none", "-o", str(out)]
    done = course.grader(folder, "grade", *map(str, students), *options)
    assert done.returncode == 0, done.stderr
    files = {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert len(files) >= len(FORMATS) - 1
    return {**files, "stdout": done.stdout.replace(str(out), "OUT"), "status": done.returncode}


def text_of(content: bytes | str | int) -> str:
    return content.decode() if isinstance(content, bytes) else str(content)


@pytest.fixture(scope="module")
def right(folder: Path) -> dict[str, bytes | str | int]:
    """Grade the right program once, where outcomes aren't told."""
    return graded(made(folder, "after_due"), "right", "student")


@pytest.mark.parametrize("mode", MODES)
def test_hidden_outcomes_that_arent_told_change_no_byte(
    folder: Path, right: dict[str, bytes | str | int], mode: str
) -> None:
    """Two programs that differ on hidden cases only get the same files, sizes and order included, in every format."""
    other = graded(made(folder, "after_due"), mode, "student")
    assert sorted(right) == sorted(other)
    assert [name for name in right if right[name] != other[name]] == []


def test_how_hidden_cases_end_decides_no_visible_one(folder: Path) -> None:
    """Whether hidden cases use up a submission's time-outs is in no word on a visible case that never ends."""
    place = made(folder / "endless", "never")
    told = []
    for mode in ("right", "loop"):
        student = hand_in(place, "ann", mode)
        program = student / "hello.py"
        endless = (
            'if text.startswith("odd"):\n        while True:\n            pass\n    if not text.startswith("hidden")'
        )
        program.write_text(program.read_text().replace('if not text.startswith("hidden")', endless))
        told.append(grade(place, place / f"out-{mode}", "student", student))
    assert b"time limit exceeded" in told[0]["ann/report.md"]  # type: ignore[operator]  # these are bytes
    assert [name for name in told[0] if told[0][name] != told[1][name]] == []


def test_nothing_that_a_hidden_case_did_is_told(folder: Path) -> None:
    """Where outcomes are told, what one printed, raised, returned, named or forged is in no student's file."""
    place = made(folder / "told", "shown")
    files = grade(place, place / "out", "student", *(hand_in(place, mode, mode) for mode in MODES))
    assert {f"{mode}/report.html" for mode in MODES} < files.keys()
    for name, content in files.items():
        assert CANARY not in text_of(content) + name, name


def test_the_staffs_files_do_tell(folder: Path) -> None:
    """The tests above can fail: what staff read differs, and holds the canary."""
    made(folder, "after_due")
    right, other = graded(folder, "right", "staff"), graded(folder, "wrong", "staff")
    names = (*(f"ann/{name}" for name in ("report.html", "junit.xml", "report.md")), "results.json")
    assert all(right[name] != other[name] and CANARY in text_of(other[name]) for name in names)


@pytest.mark.parametrize("outcomes", ["shown", "never"])
def test_what_gradescope_shows_students_speaks_of_visible_tests(folder: Path, outcomes: str) -> None:
    """The file for Gradescope holds all tests; the text at the top and the visible tests are the student's alone."""
    made(folder, outcomes)
    told = []
    for mode in ("right", "raise"):
        report = json.loads(text_of(graded(folder, mode, "staff")["ann/gradescope.json"]))
        visible = [test for test in report["tests"] if test["visibility"] == "visible"]
        told.append((report["output"], visible))
    assert CANARY not in repr(told)
    assert (told[0] == told[1]) is (outcomes == "never")
    assert "final" not in told[0][0].replace("Not final", "")


def test_a_push_tells_no_more_than_the_files(folder: Path) -> None:
    """Terminal, exit status and files of a submit are the same bytes; the sum of all cases isn't told."""
    made(folder, "never")
    told = []
    for mode in ("right", "wrong"):
        place = made(folder / f"push-{mode}", "never")
        course.grader(place, "book", "init", "--book", "book.sqlite")
        repository = gitrepo.new_repository(place / "student")
        gitrepo.commit(repository, {"hello.py": PROGRAM.format(mode=mode).encode()}, tag="v1")
        done = course.submit(place, "v1", "--received", "2020-01-01T12:00:00+00:00")
        out = place / "out"
        files = {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}
        told.append((done.returncode, done.stdout.replace(str(place), ""), done.stderr, files))
    assert told[0][3].keys() == told[1][3].keys()
    assert told[0] == told[1]
    assert "points (best" not in told[0][1]


def test_a_judge_that_breaks_says_why_to_staff_alone(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Whoever pushes reads standard error, too: what names a hidden case, or quotes it, goes to the staff's log."""
    place = made(folder / "breaking", "shown")
    (place / "secrecy_judge.py").write_text(BROKEN_JUDGE.replace('"ours"', "trial.case.input"))
    assignment = place / "cases" / "hello" / "assignment.yaml"
    assignment.write_text(assignment.read_text().replace("judge: value", "judge: secrecy_judge"))
    course.grader(place, "book", "init", "--book", "book.sqlite")
    repository = gitrepo.new_repository(place / "student")
    gitrepo.commit(repository, {"hello.py": PROGRAM.format(mode="right").encode()}, tag="v1")
    done = course.submit(place, "v1", "--received", "2020-01-01T12:00:00+00:00")
    assert done.returncode == 70
    assert CANARY not in done.stdout + done.stderr + "".join(capfd.readouterr())
    assert f"{CANARY} expected" not in (log := (place / "out" / "hook.log").read_text())
    assert f"judging {CANARY}-c failed" in log


def test_a_case_that_nobody_could_judge_costs_no_points(folder: Path) -> None:
    """A judge that breaks on real answers: the other cases count alone, exports stay blank, the student is named."""
    place = made(folder / "broken", "shown")
    (place / "secrecy_judge.py").write_text(BROKEN_JUDGE)
    assignment = place / "cases" / "hello" / "assignment.yaml"
    assignment.write_text(assignment.read_text().replace("judge: value", "judge: secrecy_judge"))
    student = place / "subs" / "ann"
    student.mkdir(parents=True)
    (student / "hello.py").write_text(PROGRAM.format(mode="right"))
    done = course.grader(place, "grade", str(student), "-a", "hello", "-o", "out", "--format", ",".join(FORMATS))
    assert done.returncode == 70
    assert "ann: 1 case" in done.stderr
    out = place / "out"
    (ann,) = json.loads((out / "results.json").read_text())["submissions"]
    assert (ann["points"], ann["max_points"], ann["unjudged"]) == (3.0, 5.0, 1)
    assert [line.split(",")[-1] for line in (out / "canvas.csv").read_text().splitlines()[1:]] == ["6", ""]
    assert (out / "moodle.csv").read_text().splitlines()[1].split(",")[3] == ""
    gradescope = json.loads((out / "ann" / "gradescope.json").read_text())
    assert "score" not in gradescope
    assert not any("score" in test for test in gradescope["tests"])
    assert 'errors="1"' in (out / "ann" / "junit.xml").read_text()
    assert "Could not be judged" in (out / "index.html").read_text()
