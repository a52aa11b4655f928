"""A bad assignment.yaml is refused with place, reason and advice."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from grader.catalogue import kits
from grader.catalogue.kits import build_kit, kit_of
from grader.catalogue.load import load
from grader.errors import CatalogueError
from grader.model.assignment import Kind, RunAs, RunSpec

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = Path(__file__).parent.parent / "data" / "catalogue"
CHANGES = {
    ("kit: sums_kit", "kit: sums_kitt"): "10:10: there is no kit sums_kitt",
    (
        "kit: sums_kit",
        "kit: reference.lefthnd",
    ): "there is no kit reference.lefthnd\n  did you mean reference.lefthand?",
    ("kit: sums_kit", "kit: ''"): "10:10: kinds.add.kit is empty\n  write some text",
    ("kit: sums_kit", "kit: json"): "10:10: the kit json has no function kit",
    ("kit: sums_kit", "kit: broken_kit"): "10:10: the kit broken_kit can't be imported: SyntaxError",
    ("kit: sums_kit", "kit: partial_kit"): "10:10: the kit partial_kit lacks read, check",
    ("kit: sums_kit", "kit: .."): "10:10: the kit .. can't be imported",
    ("rules: {factor: 1}", "rules: {factr: 1}"): "11:12: the kit sums_kit refuses its rules: kit() got an unexpected",
    ("rules: {factor: 1}", "rules: {factor: x}"): "11:12: the kit sums_kit refuses its rules: factor must be a whole",
    ("judge: claim", "judge: clam"): "12:12: there is no judge clam\n  did you mean claim?",
    ("judge: claim", "judge: path"): "12:12: the judge path has another name now\n  write `judge: claim`",
    ("judge: claim", "judge: own.judge"): "12:12: there is no judge own.judge",
    ("judge: claim", "judge: json.decoder"): "12:12: the judge json.decoder has no function judge",
    ("as: program, module: sums.py, argv", "as: programme, module: sums.py, argv"): "did you mean program?",
    ("  - {name: sums.py, about: adds}", "  []"): "6:3: files is empty; it needs at least 1",
    ("name: sums.py,", "name: ../sums.py,"): "6:12: '../sums.py' is no name of a file that students hand in",
    ("visibility: hidden", "starter: starter/sums.py"): "there is no file 'starter/sums.py'",
    ("23:59:59+08:00", "23:59:59"): "28:20: regulations: due has no time zone",
    ("2019-04-04T23:59:59+08:00", "tomorrow"): "28:20: regulations.due must be a date with a time",
    ("attempts: 30", "attempts: -3"): "28:57: regulations: attempts must lie between 1 and 1000000",
    ("attempts: 30", "window: {attempts: 1}"): "window lacks hours",
    ("title: Sums", "titel: Sums"): "3:1: unknown key titel",
    ("  grid:", "  Grid!:"): "the key 'Grid!' can't be 'Grid!'",
    ("policy: {ban: [itertools]}", "policy: {ban: [{nam: x}]}"): "did you mean name?",
    ("policy: {ban: [itertools]}", "policy: {no: [lambda, gobal]}"): (
        "24:23: policy.no: 'gobal' names no syntax that the scan looks for\n  did you mean global?"
    ),
    ("policy: {ban: [itertools]}", "policy: {require: [{name: clas Maze}]}"): (
        "24:27: policy.require: 'clas Maze' names no syntax that the scan looks for\n  did you mean class Maze?"
    ),
    ("policy: {ban: [itertools]}", "policy: {require: [def solve(maze)]}"): "'def solve(maze)' names no syntax",
    ("policy: {ban: [itertools]}", "policy: {no: [while Ture]}"): "did you mean while True?",
    ("policy: {ban: [itertools]}", "policy: {ban: [cpoy]}"): (
        "24:16: policy.ban: 'cpoy' is no module of Python's, package or builtin\n  did you mean copy?"
    ),
    ("policy: {ban: [itertools]}", "policy: {ban: [functools.redcue]}"): "did you mean functools.reduce?",
    ("policy: {ban: [itertools]}", "policy: {ban: [srted]}"): "did you mean sorted?",
    ("policy: {ban: [itertools]}", "policy: {ban: [import heapq]}"): "write the bare name",
    ("policy: {ban: [itertools]}", "policy: {ban: ['math.*']}"): "write the bare name",
    ("policy: {ban: [itertools]}", "policy: {ban: [print()]}"): "write the bare name",
    ("policy: {ban: [itertools]}", "policy: {ban: [for]}"): "policy.ban: 'for' is no module",
    ("policy: {ban: [itertools]}", "policy: {only: [maths, random]}"): "did you mean math?",
    ("policy: {ban: [itertools]}", "policy: {messages: {recurson: x}}"): "did you mean recursion?",
    ("policy: {ban: [itertools]}", "policy: {points: 2}"): "add `cost: points`, or take it out",
    ("as: program, module: sums.py, argv", "as: program, module: sum.py, argv"): (
        "9:32: 'sum.py' isn't among the files that students hand in\n  did you mean sums.py?"
    ),
    ("file: digits.txt", "file: sums.py"): "9:65: the input 'sums.py' would take the place of a file that students",
    ("file: digits.txt", "file: Sums.PY"): "9:65: the input 'Sums.PY' would take the place of a file",
    ("file: digits.txt", "file: sums.py/in"): "9:65: the input 'sums.py/in' would take the place of a file",
    ("file: digits.txt", "file: ../maze.txt"): "9:65: '../maze.txt' is no name for an input beside the program",
    ("file: digits.txt", "file: /tmp/maze.txt"): "9:65: '/tmp/maze.txt' is no name for an input beside the program",
    ("file: digits.txt", "file: a/./b"): "9:65: 'a/./b' is no name for an input",
    ("file: digits.txt", "file: 'a\\b'"): "is no name for an input beside the program: it has a backslash",
    ("file: digits.txt", "file: sitecustomize.py"): "no name for an input beside the program: Python would run it",
    ("file: digits.txt", f"file: {'x' * 300}"): "a name too long for a file system",
    ("file: digits.txt", "file: ''"): "9:65: {file} is used here, but there is no input file",
    (", function: load", ""): "20:10: run as function, it needs the name of the student's function, found nothing",
    ("function: load", "function: load()"): "needs the name of the student's function, found 'load()'",
    (', args: ["{file}"]', ""): "20:15: the kit sums_kit has no calls, which `as: function` needs",
    ("as: function, module", "as: agent, module"): "20:15: the kit sums_kit has no world, which `as: agent` needs",
    ("argv: [", "exit_status: [0, 300], argv: ["): "exit_status needs one or more numbers between 0 and 255",
    ("argv: [", "exit_status: [], argv: ["): "exit_status needs one or more numbers between 0 and 255",
    ('["{file}"]', '["{flie}"]'): "9:10: {flie} stands for nothing\n  did you mean {file}?",
    ("cpu_s: 3", "cpu_s: 0.001"): "25:17: with limits.cpu_s below 0.1 no program can begin",
    ("cpu_s: 3", "cpu_s: 1:30"): "YAML reads a:b as a number to base 60",
    ("cpu_s: 3", "files: 3"): "25:17: with limits.files below 8 no program can begin",
    ("{name: sums.py, about: adds}", "{name: sums.py}\n  - {name: Sums.py}"): "the file sums.py stands here twice",
    ("name: sums.py,", "name: src/sums.py,"): "'src/sums.py' is no name of a file that students hand in: it lies in",
    ("name: sums.py,", "name: .sums.py,"): "'.sums.py' is no name of a file that students hand in: hidden file",
    ("name: sums.py,", "name: sums.c,"): "9:32: 'sums.py' isn't among the files",
    ("name: sums.py,", "name: sums.pyc,"): "is no name of a file that students hand in: compiled",
    (
        "points: 2",
        "packages: [pyyaml, nosuchpkg]",
    ): "26:20: the package 'nosuchpkg' isn't installed here\n  pip install",
    ("points: 2", "packages: ['']"): "packages[0] is empty",
    ("points: 2", "points: 1e300"): "points must be at most 1000000",
    ("cpu_s: 3", "cpu_s: 1e300"): "limits.cpu_s must be at most 86400",
    ("memory_mib: 128", "memory_mib: 999999999999999999"): "limits.memory_mib must be at most 1048576",
    ("memory_mib: 128", "threads: 99999999999999999999"): "limits.threads has too many digits",
    ("attempts: 30", "attempts: 999999999999"): "28:57: regulations: attempts must lie between 1 and 1000000",
    ("attempts: 30", "late: {until: 2019-04-03T00:00:00+08:00}"): (
        "28:61: regulations: late.until must not lie before due"
    ),
    ("attempts: 30", "late: {days: 99999999}"): "28:60: regulations.late: late.days must lie between 0 and 3653",
    (
        "2019-04-04T23:59:59+08:00",
        "9999-12-31T23:59:59+08:00",
    ): "28:20: regulations: due must lie in the years 1970 to",
    (
        "2019-04-04T23:59:59+08:00",
        "0001-01-01T00:00:00+08:00",
    ): "28:20: regulations: due must lie in the years 1970 to",
    (
        "points: 2",
        "points: 2\npoints: 3",
    ): "27:1: the key points stands here a second time\n  it stands first on line 26",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_wrong_assignment_is_told_with_its_place(catalogue: Path, change: tuple[str, str]) -> None:
    """Kits, judges, rules and dates are checked before anything is graded."""
    path = catalogue / "sums" / "assignment.yaml"
    path.write_text(path.read_text().replace(*change, 1))
    with pytest.raises(CatalogueError) as caught:
        load(catalogue)
    assert CHANGES[change] in str(caught.value)
    assert "basic.yaml" not in str(caught.value)


def test_faults_of_cases_are_told_even_when_the_assignment_is_bad(catalogue: Path) -> None:
    """One bad file doesn't hide the next."""
    (catalogue / "sums" / "assignment.yaml").write_text("nonsense\n")
    (catalogue / "sums" / "basic.yaml").write_text("format: 1\ncases: 3\n")
    with pytest.raises(CatalogueError, match=r"(?s)assignment\.yaml:1:1.*basic\.yaml:2:8"):
        load(catalogue)


def test_a_kit_is_built_with_its_rules() -> None:
    """The rules of the assignment reach the factory."""
    kit = build_kit("sums_kit", {"factor": 3})
    assert kit.solve(kit.parse("12\n")) == 9


@pytest.mark.parametrize("target", ["sums_kit", "sums_kit:kit"])
def test_a_kit_is_found_by_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    """An installed package may offer kits under names of its own."""
    info = tmp_path / "toy-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[maze_grader.kits]\nadding = {target}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    kits._entries.cache_clear()
    try:
        kit = build_kit("adding", {})
        assert kit.solve(kit.parse("12\n")) == 3
    finally:
        kits._entries.cache_clear()


def test_a_kind_whose_kit_is_gone_is_the_catalogues_fault() -> None:
    """Whoever builds a kit later gets the same clear error."""
    run = RunSpec(run_as=RunAs.PROGRAM, module="a.py")
    with pytest.raises(CatalogueError, match="there is no kit nowhere"):
        kit_of(Kind(name="a", run=run, kit="nowhere", judge="claim"))


@pytest.mark.parametrize("name", ["assignment.yaml", "basic.yaml"])
@pytest.mark.parametrize("what", ["folder", "loop", "pipe", "dangling", "huge", "bomb", "deep", "binary"])
def test_whatever_stands_in_a_files_place_is_one_line(catalogue: Path, name: str, what: str) -> None:
    """Staff get the file's name and the reason, never a traceback, and it takes no more than a moment."""
    path = catalogue / "sums" / name
    path.unlink()
    reason = _PLACES[what](path)
    with pytest.raises(CatalogueError) as caught:
        load(catalogue)
    (line,) = [fault for fault in caught.value.faults if fault.path.endswith(name)]
    assert reason in line.message


def _written(path: Path, content: bytes, reason: str) -> str:
    path.write_bytes(content)
    return reason


def _linked(path: Path, target: Path | str, reason: str) -> str:
    path.symlink_to(target)
    return reason


def _made(path: Path, make: Callable[[Path], object], reason: str) -> str:
    make(path)
    return reason


_BOMB = b"a0: &a0 [x]\n" + b"".join(
    b"a%d: &a%d [%s]\n" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 10)) for n in range(1, 9)
)
_PLACES: dict[str, Callable[[Path], str]] = {
    "folder": lambda path: _made(path, os.mkdir, "is a folder, not a file"),
    "pipe": lambda path: _made(path, os.mkfifo, "is no plain file"),
    "loop": lambda path: _linked(path, path.name, "can't be read: Too many levels of symbolic links"),
    "dangling": lambda path: _linked(path, "nowhere", "there is no such file"),
    "huge": lambda path: _written(path, b"#" * (9 << 20), "is larger than 8 MiB"),
    "bomb": lambda path: _written(path, _BOMB, "when its aliases are written out"),
    "deep": lambda path: _written(path, b"a: " + b"[" * 100_000, "is nested more than 60 levels deep"),
    "binary": lambda path: _written(path, bytes(range(256)), "isn't UTF-8"),
}


def test_a_catalogue_that_may_not_be_read_is_told(catalogue: Path, open_path: Path) -> None:
    """One unreadable folder or file is named; it neither hides the others nor ends in a traceback."""
    shutil.copytree(catalogue / "sums", catalogue / "more")
    (catalogue / "more" / "basic.yaml").chmod(0)
    (catalogue / "shut").mkdir()
    (catalogue / "shut").chmod(0)
    code = (
        "import os; from pathlib import Path; from grader.catalogue.load import load\n"
        "import sums_kit, sys, msgspec.inspect\n"
        "if os.getuid() == 0: os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "try: load(Path(sys.argv[1]))\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    catalogue = Path(shutil.move(catalogue, open_path / "cases"))
    where = {"PYTHONPATH": f"{Path(kits.__file__).parents[2]}:{DATA / 'kits'}"}
    ran = subprocess.run(
        [sys.executable, "-c", code, catalogue], env=where, text=True, capture_output=True, check=False
    )
    assert "more/basic.yaml: can't be read: Permission denied" in ran.stdout, ran.stderr
    assert "shut/assignment.yaml: can't be read: Permission denied" in ran.stdout
