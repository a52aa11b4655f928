"""Promises of a second grade: the same answer at once when nothing changed, the right one when anything did."""

from __future__ import annotations

import shutil
import signal
import time
from typing import TYPE_CHECKING

import pytest
from again_course import BOOM, LOOP, NOTE, PATIENCE_S, RIGHT, ROOT, Course

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(tmp_path)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_nothing_changed_says_the_same_and_runs_nothing(course: Course) -> None:
    """The table is the same, a line says why, and neither click nor a sandbox was loaded for it."""
    first = course.grade()
    assert course.judged() == 4
    written = {path: path.stat().st_mtime_ns for path in course.out.rglob("*")}
    second = course.grade(python=("-X", "importtime"))
    assert second.stdout == f"{first.stdout}{NOTE}\n"
    assert course.judged() == 0
    loaded = {line.rpartition("|")[2].strip() for line in second.stderr.splitlines()}
    assert "grader.again.look" in loaded
    assert not loaded & {"click", "msgspec", "pathlib", "yaml", "grader.sandbox.open"}
    assert written == {path: path.stat().st_mtime_ns for path in course.out.rglob("*")}


def _one_byte(course: Course) -> None:
    edit(course.folder / "class" / "ben" / "double.py", "2", "4")


def _new_file(course: Course) -> None:
    (course.folder / "class" / "ann" / "more.py").write_text("import itertools\n")


def _new_student(course: Course) -> None:
    course.hand_in("cem", RIGHT)


def _gone_student(course: Course) -> None:
    shutil.rmtree(course.folder / "class" / "ben")


def _maze(course: Course) -> None:
    (course.cases / "mazes" / "two.txt").write_text("1\n")


def _expectation(course: Course) -> None:
    edit(course.cases / "cases.yaml", "steps: 2", "steps: 3")


def _points(course: Course) -> None:
    edit(course.cases / "cases.yaml", "id: one,", "id: one, points: 5,")


def _policy(course: Course) -> None:
    edit(course.cases / "assignment.yaml", "itertools", "sys")


def _new_case_file(course: Course) -> None:
    text = (course.cases / "cases.yaml").read_text()
    (course.cases / "more.yaml").write_text(text.replace("id: one", "id: three").replace("id: two", "id: four"))


def _kit(course: Course) -> None:
    edit(course.kit, 'f"it isn\'t {claim}."', '"it is something else."')


INPUTS = (
    _one_byte,
    _new_file,
    _new_student,
    _gone_student,
    _maze,
    _expectation,
    _points,
    _policy,
    _new_case_file,
    _kit,
)


@pytest.mark.parametrize("change", INPUTS, ids=lambda change: change.__name__.strip("_"))
def test_a_changed_input_is_graded(course: Course, change: Callable[[Course], None]) -> None:
    """Whatever goes in, one change of it gives what a grade from the beginning gives."""
    course.grade()
    before = course.results()
    change(course)
    assert NOTE not in course.grade().stdout
    assert course.results() == course.anew()
    assert course.results() != before


def test_one_changed_expectation_judges_one_case_of_each(course: Course) -> None:
    """Results that hang on nothing that changed are remembered; `--fresh` remembers nothing."""
    course.grade()
    course.judged()
    _expectation(course)
    course.grade()
    assert course.judged() == 2
    course.grade("--fresh")
    assert course.judged() == 4


def test_a_corrected_expectation_that_comes_back_is_judged_again(course: Course) -> None:
    """Of two expectations only the last one's results are remembered."""
    course.grade()
    before = course.results()
    _expectation(course)
    course.grade()
    edit(course.cases / "cases.yaml", "steps: 3", "steps: 2")
    assert NOTE not in course.grade().stdout
    assert course.results() == before


def test_another_option_is_another_command(course: Course) -> None:
    """A grade of some cases is no answer to a grade of all, nor the other way round."""
    course.grade()
    assert NOTE not in course.grade("--only", "one").stdout
    assert len(course.results()["submissions"][0]["cases"]) == 1
    assert NOTE not in course.grade().stdout  # its results.json was written over
    assert len(course.results()["submissions"][0]["cases"]) == 2


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("results.json", "edited"),
        ("index.html", "edited"),
        ("ben/report.html", "edited"),
        ("ben/report.html", "deleted"),
        ("sheets/ben.msgpack", "deleted"),
    ],
)
def test_a_spoilt_output_is_written_again(course: Course, name: str, how: str) -> None:
    """Who spoils a report gets it back."""
    course.grade()
    whole = (course.out / name).read_bytes()
    time.sleep(0.02)  # longer than a tick of the file system's clock
    if how == "deleted":
        (course.out / name).unlink()
    else:
        (course.out / name).write_bytes(whole.replace(b"ben", b"ann"))
    assert NOTE not in course.grade().stdout
    assert (course.out / name).read_bytes() == whole
    assert NOTE in course.grade().stdout


@pytest.mark.parametrize(
    "damage", ["flipped", "cut", "empty", "open to others", "folder open to others", "a link", "another's"]
)
def test_a_stamp_that_cant_be_trusted_is_none(course: Course, damage: str) -> None:
    """Half a stamp, or one that others could have written, leads the ordinary way; and the next stamp is good."""
    course.grade()
    [stamp] = course.stamps()
    content = stamp.read_bytes()
    if damage == "flipped":
        stamp.write_bytes(content.replace(b"ann", b"eve"))
    elif damage in {"cut", "empty"}:
        stamp.write_bytes(content[: len(content) // 2 if damage == "cut" else 0])
    elif damage == "open to others":
        stamp.chmod(0o666)
    elif damage == "folder open to others":
        stamp.parent.parent.chmod(0o777)
    elif damage == "another's":
        course.grade("--only", "one", out=course.folder / "elsewhere")
        other = next(path for path in course.stamps() if path != stamp)
        other.replace(stamp)
    else:
        stamp.rename(course.folder / "stamp")
        stamp.symlink_to(course.folder / "stamp")
    assert NOTE not in course.grade().stdout
    assert NOTE in course.grade().stdout


def test_our_own_fault_is_tried_again(course: Course) -> None:
    """JE is no answer: every grade judges it anew."""
    course.hand_in("ben", BOOM)
    for _ in range(2):
        assert "JE 2" in course.grade().stdout
        assert course.judged() >= 2
    assert not course.stamps()


def test_a_time_out_is_an_answer(course: Course) -> None:
    """It was confirmed alone, and the stored record would say the same."""
    course.hand_in("ben", LOOP)
    first = course.grade().stdout
    assert "TLE 2" in first
    assert course.grade().stdout == f"{first}{NOTE}\n"


@pytest.mark.parametrize(
    "option", [("--fresh",), ("--repeat", "2"), ("--progress", "json")], ids=lambda words: words[0]
)
def test_some_commands_are_never_answered_so(course: Course, option: tuple[str, ...]) -> None:
    """Who asks for everything anew, for several runs or for a machine's progress gets it."""
    for _ in range(2):
        assert NOTE not in course.grade(*option).stdout
    assert not course.stamps()


def _runs(course: Course) -> bool:
    return (course.folder / "cache" / "maze-grader" / "runs.sqlite").exists()


def _wait_for_runs(course: Course) -> None:
    until = time.monotonic() + PATIENCE_S
    while not _runs(course):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_an_interrupted_grade_leaves_no_stamp(course: Course) -> None:
    """After Ctrl-C the same command goes on, and only the finished one is an answer."""
    course.hand_in("ben", LOOP)
    process = course.start()
    _wait_for_runs(course)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_S) != 0
    assert not course.stamps()
    assert NOTE not in course.grade().stdout
    assert course.results() == course.anew()


def test_what_changes_during_the_grade_is_graded_next_time(course: Course) -> None:
    """A file that is written while the grade runs was perhaps read before: the grade leaves no stamp."""
    course.hand_in("ben", LOOP)
    process = course.start()
    _wait_for_runs(course)
    course.hand_in("ann", "print(7)\n")
    assert process.wait(PATIENCE_S) == 0
    assert not course.stamps()
    assert NOTE not in course.grade().stdout
    assert course.results() == course.anew()


def test_two_graders_at_once_do_no_harm(course: Course) -> None:
    """Each writes whole files; what a later grade says is what a grade from the beginning says."""
    both = [course.start(), course.start()]
    assert [process.wait(PATIENCE_S) for process in both] == [0, 0]
    course.grade()
    assert course.results() == course.anew()


def test_a_module_that_the_kit_loads_late_is_not_vouched_for(course: Course) -> None:
    """Source beside the kit that only judging loads may change unseen: nothing is remembered, nothing stamped."""
    (course.kit.parent / "late.py").write_text("WORD = 'first'\n")
    edit(course.kit, 'f"it isn\'t {claim}."', "__import__('late').WORD")
    time.sleep(0.1)
    course.grade()
    assert not course.stamps()
    (course.kit.parent / "late.py").write_text("WORD = 'second'\n")
    course.grade()
    assert "second" in (course.out / "results.json").read_text()


def test_the_harness_and_its_templates_count(tmp_path: Path) -> None:
    """Another judge or another template is another grader."""
    tree = tmp_path / "tree"
    for name in ("grader", "reference", "templates"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", "solutions"))
    course = Course(tmp_path, tree=tree)
    course.grade()
    assert NOTE in course.grade().stdout
    edit(tree / "templates" / "style.css", "{", "{ /* other */")
    assert NOTE not in course.grade().stdout
    assert "/* other */" in (course.out / "ben" / "report.html").read_text()
    edit(tree / "grader" / "pipeline" / "assess.py", 'mismatch.message if mismatch else ""', '"another word"')
    assert NOTE not in course.grade().stdout
    assert "another word" in (course.out / "results.json").read_text()
