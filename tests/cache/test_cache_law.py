"""The law: after any change to anything that a result hangs on, a grade gives what `--fresh` gives."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import time
from typing import TYPE_CHECKING

import pytest
from law_course import BOOM, LOOP, PATIENCE_S, RIGHT, ROOT, Course

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_FORMATS = "html,json,csv,junit,gradescope,md"


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """Return a course that has been graded; what later tests of this process grade is known as well."""
    course = Course(tmp_path_factory.mktemp("law"))
    course.grade("--format", _FORMATS)
    return course


@pytest.fixture(scope="module")
def whole(graded: Course) -> dict[str, bytes]:
    """Return what a fresh grade of the course writes while nobody has changed anything."""
    graded.begin()
    return graded.fresh("--format", _FORMATS)


@pytest.fixture
def course(graded: Course) -> Course:
    """Return the course as it was at first; `out` is what the test before left."""
    graded.begin()
    return graded


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def _cases(old: str, new: str) -> Callable[[Course], None]:
    return lambda course: edit(course.cases / "cases.yaml", old, new)


def _assignment(old: str, new: str) -> Callable[[Course], None]:
    return lambda course: edit(course.cases / "assignment.yaml", old, new)


_NEW = "  - {id: new, title: New, input: '5', expect: {value: 2}}"
EDITS: dict[str, Callable[[Course], object]] = {
    "a solution": lambda course: course.hand_in("ben", "print(4)\n"),
    "a helper file": lambda course: course.hand_in("ann", RIGHT, "def twice(number):\n    return 7\n"),
    "a helper file gone": lambda course: (course.folder / "class" / "ann" / "helper.py").unlink(),
    "a new student": lambda course: course.hand_in("cem", "print(8)\n"),
    "a student gone": lambda course: shutil.rmtree(course.folder / "class" / "ben"),
    "an input": _cases('"1\\n"', '"9\\n"'),
    "an input file": lambda course: (course.cases / "mazes" / "two.txt").write_text("1\n"),
    "an expectation": _cases("value: 2", "value: 3"),
    "an expected output": _cases('"6 \\n"', '"2\\n"'),
    "the assignment's limits": _assignment("cpu_s: 1,", "memory_mib: 8, cpu_s: 1,"),
    "a case's limits": _cases("cpu_s: 2}", "memory_mib: 8}"),
    "points": _cases("points: 2", "points: 5"),
    "a hint": _cases("Twice one.", "Once two."),
    "a title": _cases("title: Two", "title: Deux"),
    "a tag": _cases("title: Two,", "title: Two, tags: [even],"),
    "visibility": _cases("title: Two,", "title: Two, visibility: hidden,"),
    "a case gone": _cases("  - {id: own, kind: own", "#"),
    "a case's new kind": _cases("id: own, kind: own", "id: own, kind: double"),
    "a case before others": _cases("  - {id: two", f"{_NEW}\n  - {{id: two"),
    "the kit's module": lambda course: edit(course.kit / "kit.py", "{SORRY} {claim}", "{claim}: {SORRY}"),
    "the kit's sub-package": lambda course: (course.kit / "parts" / "words.py").write_text('SORRY = "alas"\n'),
    "the kit's data file": lambda course: (course.kit / "data.txt").write_text("forget\n"),
    "the world's module": lambda course: edit(course.world / "game.py", "setup + STEP", "setup - STEP"),
    "the world's sub-package": lambda course: (course.world / "parts" / "rules.py").write_text("STEP = 7\n"),
    "the world's data file": lambda course: (course.world / "data.txt").write_text("9\n"),
    "a helper of the world elsewhere": lambda course: edit(course.elsewhere.parent / "helper_of_world.py", "1", "3"),
    "a helper elsewhere": lambda course: course.elsewhere.write_text('WORD = "the wall"\n'),
    "a file elsewhere that the kit reads": lambda course: (course.elsewhere.parent / "note.txt").write_text("?"),
    "a variable that the kit reads": lambda course: course.variables.update(LAW_ENDING="!"),
    "the judge's options": _assignment("trailing_blanks: ignore", "trailing_blanks: keep"),
    "the own judge": lambda course: edit(course.judge, "says no", "says never"),
    "another judge": _assignment("judge: claim", "judge: law_judge.judge"),
    "the policy": _assignment("itertools", "sys"),
    "the policy's cost": _assignment("ban: [itertools]", "ban: [sys], cost: points, points: 1"),
    "the policy's messages": _assignment("ban: [itertools]", "ban: [{name: sys, message: Not here.}]"),
    "arguments": _assignment('argv: ["{file}"]', 'argv: ["{file}", "x"]'),
    "the title of all": _assignment("title: Doubling", "title: Twice"),
    "an inherited limit": lambda course: setattr(course, "limits", "ulimit -f 900000;"),
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_after_any_edit_a_grade_gives_what_a_fresh_one_gives(course: Course, name: str) -> None:
    """Byte for byte but for times, in all formats."""
    EDITS[name](course)
    course.settle()
    course.grade("--format", _FORMATS)
    assert course.is_like(course.fresh("--format", _FORMATS))


def test_what_did_not_change_is_not_run_again(course: Course) -> None:
    """The second grade has the very times of the first; one changed expectation runs one case of each."""
    course.grade()
    before = course.measures()
    course.grade()
    assert course.measures() == before
    EDITS["an expectation"](course)
    course.grade()
    after = course.measures()
    assert [key for key in after if key[1] != "one"] == [key for key in before if key[1] != "one"]
    assert after != before
    course.grade("--fresh")
    assert all(old != new for old, new in zip(before, course.measures(), strict=True))


def _spoil(path: Path) -> None:
    """Change a file and set its times back."""
    status = path.stat()
    path.write_bytes(path.read_bytes().replace(b"ben", b"eve"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


PAGES: dict[str, Callable[[Course], object]] = {
    "a page changed": lambda course: _spoil(course.out / "ben" / "report.html"),
    "a page deleted": lambda course: (course.out / "ben" / "report.html").unlink(),
    "a page of another": lambda course: shutil.copy(course.out / "ann" / "report.html", course.out / "ben"),
    "the class page changed": lambda course: _spoil(course.out / "index.html"),
    "results changed": lambda course: _spoil(course.out / "results.json"),
    "junit changed": lambda course: _spoil(course.out / "ben" / "junit.xml"),
    "sheets deleted": lambda course: shutil.rmtree(course.out / "sheets"),
    "a sheet changed": lambda course: _spoil(course.out / "sheets" / "ben.msgpack"),
    "the folder moved": lambda course: course.out.rename(course.folder / "moved"),
    "the folder moved and back, half of it": lambda course: shutil.rmtree(course.out / "ann"),
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_spoilt_pages_are_written_again(course: Course, whole: dict[str, bytes], name: str) -> None:
    """Whoever changes a page, with its time or without, gets it back."""
    if not course.is_like(whole):
        course.grade("--format", _FORMATS)
    PAGES[name](course)
    course.grade("--format", _FORMATS)
    assert course.is_like(whole)


def test_a_format_dropped_and_asked_for_again_is_up_to_date(course: Course) -> None:
    """Pages of a format that a grade in between left out tell what the last grade found."""
    course.hand_in("ben", "print(4)\n")
    course.grade("--format", "html")
    course.grade("--format", _FORMATS)
    assert course.is_like(course.fresh("--format", _FORMATS))


@pytest.mark.parametrize("audience", ["student", "student_after_due"])
def test_another_audience_gets_its_own_pages(course: Course, audience: str) -> None:
    """What staff may read isn't left where a student's page belongs, nor the other way round."""
    edit(course.cases / "cases.yaml", "title: Two,", "title: Two, visibility: hidden,")
    course.grade()
    shutil.rmtree(course.out / "sheets")
    for name in ("index.html", "canvas.csv", "moodle.csv"):
        (course.out / name).unlink(missing_ok=True)
    course.grade("--audience", audience, "--format", _FORMATS)
    assert course.is_like(course.fresh("--audience", audience, "--format", _FORMATS))
    course.grade("--format", _FORMATS)
    assert course.is_like(course.fresh("--format", _FORMATS))


def test_some_cases_only_are_known_from_all(course: Course) -> None:
    """What was asked of all cases answers for some, and some for all."""
    course.grade()
    before = course.measures()
    course.grade("--only", "t*")  # also without the kind that plays in a world
    assert course.measures() == [key for key in before if key[1] == "two"]
    course.grade("--format", _FORMATS)
    assert course.measures() == before


def test_time_outs_stop_a_submission_whether_known_or_not(course: Course) -> None:
    """What `--all-cases` found out is no answer for those who stop early, nor the other way round."""
    course.hand_in("ben", LOOP)
    for options in ((), ("--all-cases",), (), ("--only", "[os]*")):
        course.grade("--format", _FORMATS, *options)
        assert course.is_like(course.fresh("--format", _FORMATS, *options))


def test_our_own_fault_is_tried_again(course: Course) -> None:
    """JE is never known."""
    course.hand_in("ben", BOOM)
    assert "JE 2" in course.grade(status=70)
    edit(course.kit / "kit.py", 'raise RuntimeError("a fault of the kit")', "return None")
    course.settle()
    course.grade("--format", _FORMATS)
    assert course.is_like(course.fresh("--format", _FORMATS))


READS: dict[str, str] = {
    "a file": "open({path!r}).read()",
    "a folder": "str(__import__('os').listdir({folder!r}))",
    "a variable": "__import__('os').environ.get('LAW_LATE', '')",
    "all variables": "str(dict(__import__('os').environ).get('LAW_LATE'))",
    "a process": "__import__('subprocess').run(['cat', {path!r}], capture_output=True, text=True).stdout",
    "a module loaded late": "__import__('late').WORD",
}  # fmt: skip


@pytest.mark.parametrize("name", READS)
def test_what_a_kit_reads_only_while_it_judges_is_not_known(course: Course, name: str) -> None:
    """Nobody can vouch for what is read outside the kit's package: such results are judged each time."""
    late = course.elsewhere.parent / "late.py"
    late.write_text("WORD = 'first'\n")
    words = READS[name].format(path=str(late), folder=str(late.parent))
    edit(course.kit / "kit.py", 'f"{SORRY} ', f'{words} + f"{{SORRY}} ')
    course.settle()
    course.grade()
    late.write_text("WORD = 'second'\n")
    (late.parent / "one more.txt").write_text("")
    course.variables["LAW_LATE"] = "!"
    course.settle()
    course.grade("--format", _FORMATS)
    assert course.is_like(course.fresh("--format", _FORMATS))


def _has_entries(course: Course, count: int) -> bool:
    path = course.folder / "cache" / "maze-grader" / "runs.sqlite"
    if not path.exists():
        return False
    database = sqlite3.connect(path, timeout=PATIENCE_S)
    try:
        (found,) = database.execute("select count(*) from entry").fetchone()
    except sqlite3.OperationalError:
        return False
    finally:
        database.close()
    return bool(found >= count)


@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_grade_goes_on_where_it_was(tmp_path: Path, blow: signal.Signals) -> None:
    """What was judged before the blow isn't judged again, and nothing of it is wrong."""
    course = Course(tmp_path)
    course.hand_in("ben", LOOP)
    process = course.start()
    until = time.monotonic() + PATIENCE_S
    while not _has_entries(course, 2):
        assert time.monotonic() < until
        time.sleep(0.01)
    process.send_signal(blow)
    assert process.wait(PATIENCE_S) != 0
    course.grade("--format", _FORMATS)
    assert course.is_like(course.fresh("--format", _FORMATS))


CHANGES = {
    "a solution": ("class/ann/double.py", "print(7)\n"),
    "the kit's module": ("course/law_kit/parts/words.py", 'SORRY = "it was not"\n'),
    "the kit's data": ("course/law_kit/data.txt", "forget\n"),
    "the world's data": ("course/law_world/data.txt", "8\n"),
    "a helper elsewhere": ("elsewhere/helper_elsewhere.py", 'WORD = "the wall"\n'),
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("is_put_back", [True, False])
def test_what_changes_during_a_grade_is_graded_next_time(course: Course, name: str, *, is_put_back: bool) -> None:
    """A file that is written while the grade runs was perhaps read before, perhaps after; it may even be put back."""
    path = course.folder / CHANGES[name][0]
    before = path.read_text()
    course.hand_in("cem", f"import time\ntime.sleep(0.3)\nprint({time.monotonic()})\n")
    process = course.start()
    for _ in range(40):
        path.write_text(CHANGES[name][1])
        time.sleep(0.05)
    assert process.wait(PATIENCE_S) == 0
    if is_put_back:
        path.write_text(before)
    course.settle()
    course.grade("--format", _FORMATS)
    assert course.is_like(course.fresh("--format", _FORMATS))


def test_graders_at_once_do_no_harm(tmp_path: Path) -> None:
    """Each writes whole files; what a later grade says is what a fresh one says."""
    course = Course(tmp_path)
    both = [course.start(), course.start()]
    assert [process.wait(PATIENCE_S) for process in both] == [0, 0]
    course.grade("--format", _FORMATS)
    assert course.is_like(course.fresh("--format", _FORMATS))


@pytest.mark.parametrize("damage", ["flipped", "cut", "garbage", "gone"])
def test_a_damaged_store_is_a_store_of_nothing(course: Course, whole: dict[str, bytes], damage: str) -> None:
    """No damage to the file changes a mark."""
    path = course.folder / "cache" / "maze-grader" / "runs.sqlite"
    content = path.read_bytes()
    flipped = bytes(byte ^ (place > 4096 and place % 97 == 0) for place, byte in enumerate(content))
    path.unlink()
    if damage != "gone":
        path.write_bytes({"flipped": flipped, "cut": content[: len(content) // 2], "garbage": b"x" * 9000}[damage])
    course.grade("--format", _FORMATS)
    assert course.is_like(whole)


def test_the_harness_and_its_templates_count(tmp_path: Path) -> None:
    """Another judge or another template is another grader."""
    tree = tmp_path / "tree"
    for name in ("grader", "reference", "templates"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", "solutions"))
    course = Course(tmp_path, tree=tree)
    course.grade()
    for path, old, new in (
        ("templates/style.css", "{", "{ /* other */"),
        ("grader/pipeline/grade_case.py", 'mismatch.message if mismatch else ""', '"another word"'),
    ):
        edit(tree / path, old, new)
        course.settle()
        course.grade("--format", _FORMATS)
        assert course.is_like(course.fresh("--format", _FORMATS))
    assert "another word" in (course.out / "results.json").read_text()
    assert "/* other */" in (course.out / "ben" / "report.html").read_text()
