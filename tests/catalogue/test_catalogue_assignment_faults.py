"""A bad assignment.yaml is refused with place, reason and advice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from grader.catalogue import kits
from grader.catalogue.kits import build_kit, kit_of
from grader.catalogue.load import load
from grader.errors import CatalogueError
from grader.model.assignment import Kind, RunAs, RunSpec

if TYPE_CHECKING:
    from pathlib import Path

CHANGES = {
    ("kit: sums_kit", "kit: sums_kitt"): "10:10: there is no kit sums_kitt",
    (
        "kit: sums_kit",
        "kit: reference.lefthnd",
    ): "there is no kit reference.lefthnd\n  did you mean reference.lefthand?",
    ("kit: sums_kit", "kit: ''"): "10:10: kinds.add.kit is empty\n  write some text",
    ("kit: sums_kit", "kit: json"): "10:10: the kit json has no function kit",
    ("kit: sums_kit", "kit: broken_kit"): "10:10: the kit broken_kit can't be imported: SyntaxError",
    ("kit: sums_kit", "kit: partial_kit"): "10:10: the kit partial_kit lacks write, solve",
    ("kit: sums_kit", "kit: .."): "10:10: the kit .. can't be imported",
    ("rules: {factor: 1}", "rules: {factr: 1}"): "11:12: the kit sums_kit refuses its rules: kit() got an unexpected",
    ("rules: {factor: 1}", "rules: {factor: x}"): "11:12: the kit sums_kit refuses its rules: factor must be a whole",
    ("judge: path", "judge: pth"): "12:12: there is no judge pth\n  did you mean path?",
    ("judge: path", "judge: own.judge"): "12:12: there is no judge own.judge",
    ("judge: path", "judge: json.decoder"): "12:12: the judge json.decoder has no function judge",
    ("as: program, module: sums.py, argv", "as: programme, module: sums.py, argv"): "did you mean program?",
    ("  - {name: sums.py, about: adds}", "  []"): "6:3: files is empty; it needs at least 1",
    ("name: sums.py,", "name: ../sums.py,"): "6:12: '../sums.py' is no name of a file that students hand in",
    ("visibility: hidden", "starter: starter/sums.py"): "there is no file 'starter/sums.py'",
    ("23:59:59+08:00", "23:59:59"): "28:20: regulations: due has no time zone",
    ("2019-04-04T23:59:59+08:00", "tomorrow"): "28:20: regulations.due must be a date with a time",
    ("attempts: 30", "attempts: -3"): "28:57: regulations: attempts is at least 1",
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
        kit_of(Kind(name="a", run=run, kit="nowhere", judge="path"))
