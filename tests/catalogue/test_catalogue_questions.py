"""What cases ask for besides an input is refused before the first student where it can't work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from grader.catalogue.load import load_assignment
from grader.errors import CatalogueError

if TYPE_CHECKING:
    from pathlib import Path

ASSIGNMENT = """format: 1
title: Echo
files: [{name: echo.py}]
kinds:
  echo:
    run: {as: program, module: echo.py, stdin: "{input}", file: ""}
    judge: stdout
  call:
    run: {as: function, module: echo.py, function: echo, args: ["{input}"], file: ""}
    judge: value
groups:
  two: {score: all}
"""
CASES = """format: 1
cases:
  - {id: first, title: First, group: two, input: a, expect: {stdout: a}}
  - {id: second, title: Second, after: [first], input: b, expect: {stdout: b}}
  - {id: third, title: Third, kind: call, input: c, expect: {value: c}}
  - {id: rule, title: Rule, policy: {ban: [copy]}}
"""
IN_CASES = {
    ("group: two", "group: tow"): "3:38: there is no group tow\n  did you mean two?",
    ("after: [first]", "after: [frist]"): "4:41: there is no case frist to wait for\n  did you mean first?",
    ("after: [first]", "after: [rule]"): "4:41: there is no case rule to wait for",
    ("after: [first]", "after: [second]"): "4:41: second waits for itself",
    ("group: two,", "group: two, after: [second],"): "wait for each other",
    ("group: two,", "group: two, visibility: hidden,"): "second is visible and waits for first, which is not",
    (
        "group: two, input: a, expect: {stdout: a}}\n  - {id: second,",
        "visibility: hidden, input: a, expect: {stdout: a}}\n  - {id: second, visibility: after_due_date,",
    ): "second is seen after due date and waits for first, which is not",
    ("expect: {stdout: a}", "expect: {}"): "3:5: the case first has no answer: the kit text has no `solve` to ask",
    (
        ", expect: {value: c}",
        "",
    ): "5:5: the case third has no answer: the kit text has no `solve` to ask\n  write `exp",
    ("input: a,", "input: a, run: {args: [1]},"): "run.args means nothing for a kind that is run as program",
    ("input: c,", "input: c, run: {argv: [x]},"): "run.argv means nothing for a kind that is run as function",
    ("input: a,", "input: a, run: {exit_status: [900]},"): "exit_status needs one or more numbers between 0 and 255",
    ("input: a,", "input: a, run: {argv: ['{file}']},"): "{file} is used here, but there is no input file",
    ("input: a,", "input: a, run: {file: echo.py},"): "the input 'echo.py' would take the place of a file",
    ("input: a,", "input: a, beside: {../x: y},"): "'../x' is no name for an input beside the program",
    ("input: a,", "input: a, beside: {Echo.py: y},"): "the input 'Echo.py' would take the place of a file",
    ("input: a,", "input: a, beside: {x: {path: nowhere}},"): "there is no file 'nowhere'",
    ("input: a,", "input: a, beside: {x: {paht: y}},"): "did you mean path?",
    ("input: a,", "input: a, options: {tolerance: 0.1, order: any},"): "tolerance needs the order kept",
    ("input: a,", "input: a, options: {repeats: ignore},"): "repeats are ignored only with `order: any`",
    ("input: a,", "input: a, options: {order: some},"): "options.order must be one of kept, any",
    ("ban: [copy]", "ban: [cpoy]"): "6:44: policy.ban: 'cpoy' is no module of Python's",
    ("title: Rule,", "title: Rule, input: x,"): "a case with a policy looks at the source alone: input means nothing",
}
IN_ASSIGNMENT = {
    ("score: all", "score: most"): "groups.two.score must be one of sum, min, all, found",
    ("  two: {score: all}", "  two: {score: all}\n  lonely: {}"): "no case is in the group lonely",
    ("groups:", "packages: [pyyaml>=99]\ngroups:"): "the package 'pyyaml>=99' is here as version",
    ("groups:", "packages: [pyyaml>>9]\ngroups:"): "the package 'pyyaml>>9' can't be read",
    ("groups:", "feedback: {dif: never}\ngroups:"): "did you mean diff?",
    ("groups:", "feedback: {diff: later}\ngroups:"): "feedback.diff must be one of shown, after_due, never",
    ("judge: stdout", "judge: stdout\n    kit: json"): "the kit json has no function kit",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "cases" / "echo"
    place.mkdir(parents=True)
    (place / "assignment.yaml").write_text(ASSIGNMENT)
    (place / "all.yaml").write_text(CASES)
    return place


def faults_after(folder: Path, name: str, change: tuple[str, str]) -> str:
    path = folder / name
    text = path.read_text()
    assert change[0] in text
    path.write_text(text.replace(*change, 1))
    with pytest.raises(CatalogueError) as caught:
        load_assignment(folder.parent, "echo")
    return str(caught.value)


@pytest.mark.parametrize("change", IN_CASES)
def test_a_case_that_cannot_work_is_refused(folder: Path, change: tuple[str, str]) -> None:
    """The fault names the place and, where one is near, what was meant."""
    assert IN_CASES[change] in faults_after(folder, "all.yaml", change)


@pytest.mark.parametrize("change", IN_ASSIGNMENT)
def test_an_assignment_that_cannot_work_is_refused(folder: Path, change: tuple[str, str]) -> None:
    """The fault names the place and, where one is near, what was meant."""
    assert IN_ASSIGNMENT[change] in faults_after(folder, "assignment.yaml", change)


def test_an_assignment_needs_no_kit(folder: Path) -> None:
    """Texts with their answers are enough; packages may name versions."""
    path = folder / "assignment.yaml"
    path.write_text(path.read_text() + "packages: [pyyaml>=6]\n")
    found = load_assignment(folder.parent, "echo")
    assert [facts.id for facts in found.facts] == ["first", "second", "third", "rule"]
    assert found.packages == ("pyyaml",)
