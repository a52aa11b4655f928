"""Students' own examples are judged by the reference, and by what they catch."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from grader.catalogue.load import find_catalogue, load_assignment
from grader.cli.examples import examples
from grader.errors import UsageError
from grader.prove.examples import MOST_BYTES, read_examples

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

RIGHT = "print('(0, 0)->(0, 1)\\n1')\n"
MAZE = "2\n0,0\n0,1\nB,4,G,0\nB,0,B,0\n"
"""One move to the right."""
UNSOLVABLE = "2\n0,0\n1,1\nB,0,B,0\nB,0,G,0\n"
WRONG = {
    "WA/hopeful": f'"""Wrong: never says that there is no way."""\n{RIGHT}',
    "WA/hopeless": '"""Wrong: never finds a way."""\nprint("No solution")\n',
    "AC/both": (
        f"import sys\nlines = open(sys.argv[1]).read().split()\nif lines[2] == '0,1':\n    {RIGHT}else:\n"
        "    print('No solution')\n"
    ),
}


@pytest.fixture
def solutions(tmp_path: Path) -> Path:
    for name, source in WRONG.items():
        folder = tmp_path / "solutions" / "alice-csv" / name
        folder.mkdir(parents=True)
        (folder / "Alice.py").write_text(source)
    return tmp_path / "solutions"


def write(folder: Path, **pairs: tuple[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, (question, answer) in pairs.items():
        (folder / f"{name}.in").write_text(question)
        (folder / f"{name}.out").write_text(answer)
    return folder


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(examples, [*map(str, arguments), "-a", "alice-csv"], catch_exceptions=False)


def test_a_class_is_told_what_is_right_and_what_it_catches(tmp_path: Path, solutions: Path) -> None:
    """A right example catches the programs that fail it; a wrong one says why and catches none."""
    course = tmp_path / "class"
    write(course / "ann" / "examples", way=(MAZE, "(0, 0)->(0, 1)\n1\n"), none=(UNSOLVABLE, "No solution\n"))
    write(course / "bob", way=(MAZE, "(0,0) -> (0,1), 1 move"), wrong=(MAZE, "No solution"), odd=("maze", "1"))
    (course / "carl").mkdir()
    table = tmp_path / "marks.csv"
    shown = run(course, "--solutions", solutions, "--points", "4", "--csv", table, "--json")
    ann, bob, carl = json.loads(shown.output)
    assert [fate["catches"] for fate in ann["examples"]] == [["WA/hopeful"], ["WA/hopeless"]]
    assert (ann["caught"], ann["missed"]) == (2, [])
    fates = {fate["name"]: fate for fate in bob["examples"]}
    assert fates["way"]["is_right"]
    assert "1 move" in fates["wrong"]["message"]
    assert "odd.in, line 1" in fates["odd"]["message"]
    assert bob["missed"] == ["Wrong: never says that there is no way."]
    assert "no example" in carl["problem"]
    assert shown.exit_code == 1
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [(row["student"], row["points"]) for row in rows] == [("ann", "4.0"), ("bob", "2.0"), ("carl", "0.0")]


def test_a_functions_answers_are_values(tmp_path: Path, solutions: Path) -> None:
    """Examples of another kind are in its folder; an answer is what the call returns, as JSON."""
    loaded = [2, 0, 0, [[["B", "4", [], [], []], ["G", "0", [], [], []]], [["B", "0", [], [], []]] * 2], 0, 1]
    write(tmp_path / "examples" / "loader", good=(MAZE, json.dumps(loaded)), bad=(MAZE, "(2, 0"))
    shown = run(tmp_path / "examples", "--solutions", solutions)
    assert "✓ good: right" in shown.output
    assert "line 1 must be what one call returns" in shown.output


def test_what_is_no_example_is_refused_with_its_reason(tmp_path: Path) -> None:
    """A lost answer, a huge file and too many files are named."""
    assignment = load_assignment(find_catalogue(), "alice-csv")
    folder = write(tmp_path, lonely=(MAZE, "1"))
    (folder / "lonely.out").unlink()
    with pytest.raises(UsageError, match=r"lonely\.out is missing"):
        read_examples(folder, assignment)
    write(folder, lonely=("x" * (MOST_BYTES + 1), "1"))
    with pytest.raises(UsageError, match="larger than 64 KiB"):
        read_examples(folder, assignment)
    write(folder, **{f"e{number}": ("x", "1") for number in range(101)})
    with pytest.raises(UsageError, match="too many"):
        read_examples(folder, assignment)
