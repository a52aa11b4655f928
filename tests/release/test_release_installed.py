"""The installed wheel does what the repository does, from a folder that has nothing in it."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from followed_pages import DOCS, follow_page
from own_course import RIGHT, SECRET, WRONG, make_course
from released import run

ASSIGNMENTS = ("alice-263", "alice-csv", "alice-grid", "lefthand", "runner")

pytest_plugins = ["release_fixtures"]


def grader(python: Path, *arguments: str | Path, cwd: Path, status: int = 0) -> str:
    return run(python, "-m", "grader", *arguments, cwd=cwd, status=status)


@pytest.fixture
def solutions(python: Path) -> Path:
    packages = next((python.parents[1] / "lib").glob("python*/site-packages"))
    return packages / "reference" / "solutions"


def verdicts(python: Path, submission: Path, name: str, folder: Path) -> dict[str, str]:
    """Grade with the wheel; title of each visible case → its verdict."""
    out = folder / f"graded-{submission.parent.name}-{submission.name}"
    grader(python, "grade", submission, "-a", name, "-o", out, "--format", "json", cwd=folder)
    cases = json.loads((out / "results.json").read_text())["submissions"][0]["cases"]
    return {case["title"]: case["verdict"] for case in cases if case["visibility"] == "visible"}


def verdicts_at_home(kit: Path, submission: Path, folder: Path) -> dict[str, str]:
    """Check with the packed kit, in another folder, by a bare Python."""
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(kit) as archive:
        archive.extract("check.pyz", folder)
    command = [sys.executable, "-I", "-S", "check.pyz", "--json", str(submission)]
    shown = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert shown.returncode in {0, 1}, shown.stderr
    return {case["title"]: case["verdict"] for case in json.loads(shown.stdout)["cases"]}


def test_it_is_not_the_repository_that_runs(python: Path, tmp_path: Path) -> None:
    where = run(python, "-c", "import grader, reference; print(grader.__file__, reference.__file__)", cwd=tmp_path)
    assert all(Path(path).is_relative_to(python.parents[1]) for path in where.split())


def test_the_demo_grades_a_class_in_every_assignment(python: Path, tmp_path: Path) -> None:
    """The first command that a newcomer types: one page over five reports, and a next step that works as printed."""
    shown = grader(python, "demo", cwd=tmp_path)
    index = (tmp_path / "grader-out" / "demo" / "index.html").read_text("utf-8")
    for name in ASSIGNMENTS:
        assert f'href="{name}/index.html"' in index
        page = (tmp_path / "grader-out" / "demo" / name / "index.html").read_text("utf-8")
        assert "one explanation helps them all" in page  # some fail alike
    step = next(line.strip() for line in shown.splitlines() if " check " in line)
    assert "left-hand rule" in run("sh", "-c", step.partition("  ")[0], cwd=tmp_path, status=1)


def write_mistake(python: Path, name: str, assignment: str, folder: Path) -> None:
    folder.mkdir(exist_ok=True, parents=True)
    cwd = folder.parent
    grader(python, "cases", "mistakes", "show", name, "-a", assignment, "-o", folder, cwd=cwd)


def test_a_student_checks_and_an_instructor_grades(python: Path, solutions: Path, tmp_path: Path) -> None:
    """`check` tells by its status whether all passed; `grade` writes the class page."""
    shutil.copytree(solutions / "lefthand" / "AC" / "classes", tmp_path / "class" / "classes")
    write_mistake(python, "right_hand", "lefthand", tmp_path / "class" / "right_hand")
    grader(python, "check", "class/classes", "-a", "lefthand", cwd=tmp_path)
    grader(python, "check", "class/right_hand", "-a", "lefthand", cwd=tmp_path, status=1)
    assert "right_hand" in grader(python, "grade", "class", "-a", "lefthand", "--only", "seed*", cwd=tmp_path)
    assert (tmp_path / "grader-out" / "index.html").is_file()


def test_a_new_assignment_is_proved_and_handed_out(python: Path, tmp_path: Path) -> None:
    """What `new` makes is verified, and its kit gives at home what the course gives."""
    course = tmp_path / "course"
    course.mkdir()
    grader(python, "new", "gaps", cwd=course)
    assert "match the reference" in grader(python, "cases", "verify", "-a", "gaps", cwd=course)
    grader(python, "kit", "-a", "gaps", cwd=course)
    write_mistake(python, "unsorted", "gaps", course / "unsorted")
    for place in (course / "solutions" / "gaps" / "AC" / "right", course / "unsorted"):
        official = verdicts(python, place, "gaps", course)
        at_home = verdicts_at_home(course / "gaps-kit.zip", place, tmp_path / "home")
        assert at_home == official != {}


def test_assignments_of_other_fields_are_built_as_the_page_says(python: Path, tmp_path: Path) -> None:
    """A sorting task, a statistics task, a word puzzle: proof, hunt, upload, and kits that judge alike at home."""
    follow_page(DOCS / "fields.md", tmp_path, python=python)
    for name, wrong in (("sorts", "longest"), ("middle", "whole"), ("letters", "again")):
        for solution in ("AC/right", f"WA/{wrong}"):
            place = tmp_path / "solutions" / name / solution
            official = verdicts(python, place, name, tmp_path)
            at_home = verdicts_at_home(tmp_path / f"{name}-kit.zip", place, tmp_path / "home")
            assert at_home == official != {}
            assert set(official.values()) - {"AC"} == (set() if solution == "AC/right" else {"WA"})


@pytest.mark.parametrize("own_judge", [False, True])
def test_a_kit_of_ones_own_gives_the_official_verdicts(own_judge: bool, python: Path, tmp_path: Path) -> None:
    """With helpers, data and a judge of its own; nothing secret is in the zip."""
    course = make_course(tmp_path / "course", own_judge=own_judge)
    grader(python, "kit", "-a", "sums", cwd=course)
    with (
        zipfile.ZipFile(course / "sums-kit.zip") as outer,
        outer.open("check.pyz") as file,
        zipfile.ZipFile(file) as inner,
    ):
        assert not [name for name in inner.namelist() if SECRET.encode() in inner.read(name)]
    for name, source in (("right", RIGHT), ("wrong", WRONG.replace("abs", "2 * int"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "sums.py").write_text(source)
        official = verdicts(python, tmp_path / name, "sums", course)
        assert verdicts_at_home(course / "sums-kit.zip", tmp_path / name, tmp_path / "home") == official != {}


def test_the_upload_grades_at_its_place(python: Path, tmp_path: Path) -> None:
    """Packed by the wheel, run where Gradescope runs it; kit and judge are the course's own."""
    course = make_course(tmp_path / "course")
    grader(python, "gradescope", "-a", "sums", cwd=course)
    root = tmp_path / "autograder"
    with zipfile.ZipFile(course / "autograder.zip") as archive:
        archive.extractall(root / "source")
    shutil.rmtree(course)
    (root / "source" / "venv" / "bin").mkdir(parents=True)
    (root / "source" / "venv" / "bin" / "python").symlink_to(python)
    (root / "submission").mkdir()
    (root / "submission" / "sums.py").write_text(WRONG)
    shutil.copytree(python.parents[1] / "lib", root / "source" / "venv" / "lib", symlinks=True)
    shutil.copy(python.parents[1] / "pyvenv.cfg", root / "source" / "venv")
    shutil.rmtree(next((root / "source" / "venv" / "lib").glob("python*/site-packages/grader")))
    script = root / "source" / "run_autograder"
    environment = {"PATH": os.environ["PATH"], "GRADER_AUTOGRADER_ROOT": str(root)}
    subprocess.run(["bash", str(script)], env=environment, cwd="/", check=True, timeout=300)
    assert json.loads((root / "results" / "results.json").read_text())["score"] == 1.5


def test_pytest_finds_the_plugin_of_the_wheel(python: Path, solutions: Path, tmp_path: Path) -> None:
    """Cases as items and both fixtures work for whoever installs it."""
    write_mistake(python, "right_hand", "lefthand", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\ngrader_assignment = lefthand\n")
    (tmp_path / "test_mine.py").write_text(
        "def test_solved(assert_solves):\n    assert_solves('S#E\\n')\n"
        "def test_missing(solution):\n    solution.nothing()\n"
    )
    shown = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "missing", cwd=tmp_path, status=1)
    assert "nothing raised" in shown
    run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "solved", cwd=tmp_path)
    cases = solutions.parents[1] / "grader" / "bundled" / "cases" / "lefthand"
    words = ("--grader-submission", ".", "-k", "seed", "-q", "-p", "no:cacheprovider", cases)
    assert "WA (wrong answer)" in run(python, "-m", "pytest", *words, cwd=tmp_path, status=1)


def test_what_a_hunt_finds_becomes_a_case(python: Path, tmp_path: Path) -> None:
    """`hunt --save` writes a case file that the catalogue takes and proves."""
    grader(python, "new", "gaps", cwd=tmp_path)
    place = Path("cases/gaps/found.yaml")
    write_mistake(python, "unsorted", "gaps", tmp_path / "unsorted")
    grader(python, "hunt", "unsorted", "-a", "gaps", "--save", place, cwd=tmp_path, status=1)
    assert "4 expected answers match" in grader(python, "cases", "verify", "-a", "gaps", "--keys-only", cwd=tmp_path)


def test_a_tagged_push_gets_into_the_export(python: Path, solutions: Path, tmp_path: Path) -> None:
    """`submit` and `book export` as commands: the mark of a push is in the spreadsheet."""
    grader(python, "book", "init", cwd=tmp_path)
    student = tmp_path / "ann"
    shutil.copytree(solutions / "lefthand" / "AC" / "classes", student)
    author = ("-c", "user.name=ann", "-c", "user.email=ann@example.org")
    run("git", "init", "-q", cwd=student)
    run("git", "add", ".", cwd=student)
    run("git", *author, "commit", "-qm", "one", cwd=student)
    run("git", "tag", "t1", cwd=student)
    grader(python, "submit", "--tag", "t1", "--repo", "ann", "--private", "-a", "lefthand", cwd=tmp_path)
    (row,) = csv.DictReader(grader(python, "book", "export", "-a", "lefthand", cwd=tmp_path).splitlines())
    assert (row["student"], row["points"]) == ("ann", row["max_points"])
