"""A course with a kit and a judge of its own, in odd layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "s3cr3t-c4n4ry"
RIGHT = "import sys\nprint(sum(int(line) for line in open(sys.argv[1])))\n"
WRONG = "import sys\nprint(sum(abs(int(line)) for line in open(sys.argv[1])))\n"

_ASSIGNMENT = """format: 1
title: Sums
files: [{{name: sums.py}}]
kinds:
  sum:
    run: {{as: program, module: sums.py, argv: ["{{file}}"], file: numbers.txt}}
    kit: {kit}
    judge: {judge}
"""
_CASES = f"""format: 1
cases:
  - {{id: three, title: Three numbers, input: "1\\n2\\n3\\n", expect: {{value: 6}}}}
  - {{id: minus, title: A number below 0, input: "1\\n-2\\n", expect: {{value: -1}}, partial: {{number: 0.5}},
     visibility: hidden, hint: {SECRET}, tags: [{SECRET}]}}
"""
_KIT = """
from {solver} import answer
from {words} import sentence
from grader.model.kit import PuzzleError
from grader.model.result import Mismatch

WITHHELD = ("{solver}",)


def kit():
    return Sums()


class Sums:
    def parse(self, text):
        try:
            return [int(line) for line in text.splitlines()]
        except ValueError as error:
            raise PuzzleError("whole numbers belong here") from error

    def solve(self, puzzle):
        return answer(puzzle)

    def read(self, record):
        words = record.stdout.content().split()
        return int(words[-1]) if words and words[-1].lstrip(b"-").isdigit() else None

    def check(self, puzzle, claim, expect):
        if claim == expect.value:
            return None
        return Mismatch(kind="sum", message=sentence(claim), right=("number",) if claim is not None else ())
"""
_SOLVER = f"""
NOTE = "{SECRET}"


def answer(puzzle):
    return sum(puzzle)
"""
_WORDS = """
{imports}


def sentence(claim):
    return {text}.strip().format(claim)
"""
_BY_FILE = ("from pathlib import Path", 'Path(__file__).with_name("sentence.txt").read_text()')
_BY_RESOURCE = (
    "from importlib.resources import files",
    '(files(__package__) / "texts" / "sentence.txt").read_text()',
)
_JUDGE = """
from {helper} import AC, WA
from grader.model.judgement import Judgement


def judge(trial):
    mismatch = trial.kit.check(trial.puzzle, trial.kit.read(trial.record), trial.case.expect)
    return Judgement(verdict=WA if mismatch else AC, mismatch=mismatch)
"""
_HELPER = "from grader.model.verdict import Verdict\n\nAC, WA = Verdict.AC, Verdict.WA\n"
_TEXT = "the sum isn't {}.\n"

LAYOUTS = {
    "folder without __init__": ("kits.sums", "kits.secret", "kits.words", "judges.strict", "judges.outcomes"),
    "modules beside the catalogue": ("sums_kit", "sums_secret", "sums_words", "strict", "outcomes"),
    "package": ("sums.kit", "sums.secret", "sums.words", "sums.strict", "sums.outcomes"),
    "packages in packages": ("a.b.kit", "a.b.hidden.secret", "a.c.words", "a.j.strict", "a.j.deep.outcomes"),
}
_WITH_INIT = frozenset({"package", "packages in packages"})


def make_course(folder: Path, layout: str = "folder without __init__", *, own_judge: bool = True) -> Path:
    """Write the course; its kit needs a helper with a data file, its judge another helper."""
    kit, solver, words, judge, helper = LAYOUTS[layout]
    imports, text = _BY_RESOURCE if layout in _WITH_INIT else _BY_FILE
    sources = {
        kit: _KIT.format(solver=solver, words=words),
        solver: _SOLVER,
        words: _WORDS.format(imports=imports, text=text),
        judge: _JUDGE.format(helper=helper),
        helper: _HELPER,
    }
    for name, source in sources.items():
        path = folder.joinpath(*name.split(".")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        if layout in _WITH_INIT:
            for parent in path.relative_to(folder).parents[:-1]:
                (folder / parent / "__init__.py").touch()
    place = folder.joinpath(*words.split(".")).parent
    target = place / "texts" / "sentence.txt" if layout in _WITH_INIT else place / "sentence.txt"
    target.parent.mkdir(exist_ok=True)
    target.write_text(_TEXT)
    (place / "answers.txt").write_text(SECRET)
    cases = folder / "cases" / "sums"
    cases.mkdir(parents=True)
    (cases / "assignment.yaml").write_text(_ASSIGNMENT.format(kit=kit, judge=judge if own_judge else "claim"))
    (cases / "cases.yaml").write_text(_CASES)
    return folder


def release_solver(course: Path) -> None:
    """Hand the solver out to students; one of the cases has a number below 0 now."""
    path = course / "kits" / "sums.py"
    path.write_text(path.read_text().replace('WITHHELD = ("kits.secret",)', "WITHHELD = ()"))
    cases = course / "cases" / "sums" / "cases.yaml"
    three = '"1\\n2\\n3\\n", expect: {value: 6}'
    assert three in cases.read_text()
    cases.write_text(cases.read_text().replace(three, '"1\\n-2\\n3\\n", expect: {value: 2}'))
