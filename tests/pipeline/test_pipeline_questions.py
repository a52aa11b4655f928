"""Cases that say what they need: input of their own, groups, order, rules, bonus, feedback."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

ASSIGNMENT = """
format: 1
title: Count words
files: [{name: words.py}]
kinds:
  count:
    run: {as: program, module: words.py, stdin: "{input}", file: ""}
    judge: stdout
    options: {compare: words}
groups:
  files: {score: all}
  ladder: {stop: true}
  pair: {score: min}
limits: {cpu_s: 2, wall_s: 10}
"""
CASES = """
format: 1
cases:
  - {id: plain, title: Two words, input: "a b", expect: {stdout: "2"}}
  - id: option
    title: An option of its own
    run: {argv: [-u]}
    input: "a b a"
    expect: {stdout: "2"}
  - id: other-file
    title: Words from another file
    group: files
    points: 2
    run: {argv: [-f, more.txt]}
    beside: {more.txt: "x y z", deep/list.txt: {path: data/list.txt}}
    input: ""
    expect: {stdout: "3"}
  - id: deep-file
    title: A file below a folder
    group: files
    points: 2
    run: {argv: [-f, deep/list.txt]}
    beside: {deep/list.txt: {path: data/list.txt}}
    input: ""
    expect: {stdout: "1"}
  - {id: step-1, title: First step, group: ladder, input: "one", expect: {stdout: "1"}}
  - {id: step-2, title: Second step, group: ladder, input: "", expect: {stdout: "0"}}
  - {id: step-3, title: Third step, group: ladder, input: "a a a", expect: {stdout: "3"}}
  - {id: waits, title: Waits for the second step, after: [step-2], input: "a", expect: {stdout: "1"}}
  - {id: halves, title: Half is enough, group: pair, input: "h", expect: {stdout: "1"}}
  - {id: extra, title: For those who want more, bonus: true, points: 3, input: "a\\tb", expect: {stdout: "2"}}
  - {id: no-split, title: Without re, points: 2, hint: Use split., policy: {ban: [re]}}
"""
RIGHT = """
import sys
words = sys.stdin.read() if "-f" not in sys.argv else open(sys.argv[-1]).read()
words = words.split()
print(len(set(words) if "-u" in sys.argv else words))
"""
USES_RE = "import re\n" + RIGHT
FAILS_ON_NOTHING = RIGHT.replace("words = words.split()", "words = words.split()\nassert words\n")
NO_FOLDERS = RIGHT.replace("open(sys.argv[-1])", "open(sys.argv[-1].replace('/', '-'))")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Grade four programs by the command; each one's cases and sums."""
    course = tmp_path_factory.mktemp("course")
    write(course / "cases" / "words" / "assignment.yaml", ASSIGNMENT)
    write(course / "cases" / "words" / "10-all.yaml", CASES)
    write(course / "cases" / "words" / "data" / "list.txt", "single")
    programs = {"right": RIGHT, "uses_re": USES_RE, "empty": FAILS_ON_NOTHING, "folders": NO_FOLDERS}
    for name, text in programs.items():
        write(course / "class" / name / "words.py", text)
    done = subprocess.run(
        [sys.executable, "-m", "grader", "grade", "class", "-a", "words", "--format", "json", "--fresh"],
        cwd=course,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    sheets = json.loads((course / "grader-out" / "results.json").read_text())["submissions"]
    return {sheet["id"]: sheet for sheet in sheets}


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def verdicts(sheet: dict[str, Any]) -> dict[str, str]:
    return {case["id"]: case["verdict"] for case in sheet["cases"]}


def case_of(sheet: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(case for case in sheet["cases"] if case["id"] == name)
    return found


def test_every_case_gets_the_input_that_it_names(results: dict[str, dict[str, Any]]) -> None:
    """Standard input, arguments and files of a case's own reach the program; a rule is a case like the others."""
    assert set(verdicts(results["right"]).values()) == {"AC"}


def test_a_bonus_comes_on_top(results: dict[str, dict[str, Any]]) -> None:
    """The most that can be reached leaves the bonus out, the points don't."""
    assert (results["right"]["points"], results["right"]["max_points"]) == (16, 13)


def test_a_rule_is_a_case_with_points(results: dict[str, dict[str, Any]]) -> None:
    """Breaking it costs its own points alone, and says where."""
    broken = case_of(results["uses_re"], "no-split")
    assert (broken["verdict"], broken["points"]) == ("PV", 0)
    assert broken["message"].startswith("words.py:1:8: ")
    assert results["uses_re"]["points"] == 14


def test_a_group_that_stops_skips_what_comes_later(results: dict[str, dict[str, Any]]) -> None:
    """The first failure ends it; a case that waits for a failed one is skipped too, with the reason."""
    found = verdicts(results["empty"])
    assert [found[name] for name in ("step-1", "step-2", "step-3", "waits")] == ["AC", "RTE", "SK", "SK"]
    assert "Second step" in case_of(results["empty"], "waits")["message"]


def test_all_or_nothing_takes_the_points_of_the_right_ones(results: dict[str, dict[str, Any]]) -> None:
    """One wrong case of such a group costs the whole group, and the right one says why."""
    right, wrong = case_of(results["folders"], "other-file"), case_of(results["folders"], "deep-file")
    assert (right["verdict"], right["points"], wrong["points"]) == ("AC", 0, 0)
    assert "files" in right["message"]
