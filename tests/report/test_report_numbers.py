"""Programs that write a hidden input into every number that they can choose tell their student nothing."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import course
import pytest

from grader.report.registry import FORMATS

if TYPE_CHECKING:
    from pathlib import Path

ASSIGNMENT = """\
format: 1
title: Hello
files: [{name: hello.py}]
kinds:
  say:
    run: {as: program, module: hello.py, file: maze.txt}
    kit: reference.lefthand
    judge: stdout
policy: {ban: [itertools, copy], run_time: true, cost: points, points: 0.5}
limits: {cpu_s: 2, wall_s: 8, memory_mib: 128}
feedback: {time: never}
"""
CASES = """\
format: 1
cases:
  - {id: first, title: First, visibility: hidden, input: MAZE, expect: {stdout: never}}
  - {id: open, title: Second, input: "S#E\\n", expect: {stdout: "4\\n"}}
  - {id: third, title: Third, visibility: after_published, input: MAZE, expect: {stdout: never}}
"""
PROGRAM = """\
import os, sys, time


def run(code, line, name="hello.py"):
    exec(compile("\\n" * (line - 1) + code, __file__.replace("hello.py", name), "exec"))


def use(module, line, name="hello.py"):
    run(f"__import__({module!r}).{'count' if module[0] == 'i' else 'copy'}", line, name)


n = len(open("maze.txt").read())
if n > 4:
    MODE
print(n)
"""
MODES = {
    "line": "use('iter' + 'tools', n)",
    "count": "[use('iter' + 'tools', line) for line in range(1, n)]",
    "file": "use('iter' + 'tools', 3, f'part{n}.py')",
    "module": "use(('iter' + 'tools', 'co' + 'py')[n % 2], 9)",
    "order": "[use(name, 9) for name in ('iter' + 'tools', 'co' + 'py')[:: (-1) ** n]]",
    "text": "run(f'raise ValueError({n})', 5, f'part{n}.py')",
    "trace": "run('raise ValueError(n)', n)",
    "size": "print('x' * 1000 * n)",
    "exit": "sys.exit(n)",
    "signal": "os.kill(os.getpid(), n)",
    "name": "raise type('E' * n, (Exception,), {})",
    "cpu": "[None for _ in range(100_000 * n)]",
    "wall": "time.sleep(0.02 * n)",
    "memory": "kept = bytearray(n << 20)",
    "files": "[open(f'made{number}', 'w').close() for number in range(n)]",
}


def told(folder: Path, letters: int) -> dict[str, bytes]:
    """Grade the class with hidden mazes of so many letters; return what its students get."""
    cases = folder / "cases" / "hello"
    cases.mkdir(parents=True)
    (cases / "assignment.yaml").write_text(ASSIGNMENT)
    (cases / "cases.yaml").write_text(CASES.replace("MAZE", f'"S{"#" * (letters - 3)}E\\n"'))
    for mode, code in MODES.items():
        student = folder / "class" / mode
        student.mkdir(parents=True)
        (student / "hello.py").write_text(PROGRAM.replace("MODE", code))
        for number in (8, 11):
            (student / f"part{number}.py").write_text("\n" * 20)
    done = course.grader(folder, "grade", "class", "-a", "hello", "--progress", "none", "-o", "run")
    assert done.returncode == 0, done.stderr
    files: dict[str, bytes] = {}
    for audience in ("student", "student_after_due"):
        done = course.grader(
            folder, "report", "run", "-o", audience, "--audience", audience, "--format", ",".join(FORMATS)
        )
        assert done.returncode == 0, done.stderr
        out = folder / audience
        files |= {str(path.relative_to(folder)): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    return files


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Grade the class with a hidden maze of 8 letters, and with one of 11."""
    places = (tmp_path_factory.mktemp("course") for _ in range(2))
    made = [(place, told(place, size)) for place, size in zip(places, (8, 11), strict=True)]
    for place, _ in made:
        shutil.rmtree(place)
    return made[0][1], made[1][1]


def test_no_number_of_a_hidden_run_reaches_a_student(both: tuple[dict[str, bytes], dict[str, bytes]]) -> None:
    """Lines, counts, files, modules, sizes, exit statuses, signals, names, times, memory: all files are the same."""
    one, other = both
    assert one.keys() == other.keys()
    assert len(one) > 2 * len(MODES)
    assert [name for name in one if one[name] != other[name]] == []


def test_the_one_sentence_is_told(both: tuple[dict[str, bytes], dict[str, bytes]]) -> None:
    """Who used what is banned on hidden cases only reads so once, whatever came of it how often."""
    page = both[0]["student/count/report.md"].decode()
    assert page.count("While it ran a hidden case") == 1
    assert b"While it ran a hidden case" not in both[0]["student/exit/report.md"]
