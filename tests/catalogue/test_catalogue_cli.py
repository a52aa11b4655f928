"""The commands of `grader cases`, as an author types them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import jsonschema
import pytest
from click.testing import CliRunner

from grader.catalogue.load import load_assignment
from grader.cli.cases import cases
from grader.errors import CatalogueError, GraderError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result


def run(*arguments: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(cases, list(arguments), input=stdin)


def refused(*arguments: str, stdin: str | bytes = "") -> GraderError:
    """Run a command that must fail, and give its error."""
    error = run(*arguments, stdin=stdin).exception
    assert isinstance(error, GraderError)
    return error


def test_list_tells_every_case(catalogue: Path) -> None:
    """A table for people, JSON for tools."""
    assert "two-rows   Two rows: with a colon  add            2  hidden" in run("list").output
    rows = json.loads(run("list", "-a", "sums", "--json").output)
    assert [row["id"] for row in rows] == ["one", "two-rows", "from-file", "tell-rows", "grid"]
    assert rows[0]["place"] == "cases/sums/basic.yaml:5"


def test_show_tells_one_case(catalogue: Path) -> None:
    """With its maze and its key; a slip gets a suggestion."""
    output = run("show", "two-rows").output
    assert '{"steps":10}' in output
    assert "\n12\n34\n" in output
    assert json.loads(run("show", "sums/grid", "--json").output)["expect"] == {"value": [[1, 2]]}
    assert "did you mean two-rows?" in str(refused("show", "two-row"))


def test_an_id_in_two_assignments_asks_for_one(catalogue: Path) -> None:
    """Nothing is guessed."""
    import shutil

    shutil.copytree(catalogue / "sums", catalogue / "more")
    error = refused("show", "one")
    assert isinstance(error, UsageError)
    assert "-a more or -a sums" in str(error)
    assert run("show", "more/one").exit_code == 0


def test_verify_succeeds_or_exits_with_three(catalogue: Path) -> None:
    """CI can rely on the status."""
    assert run("verify", "--keys-only").output == "sums: 5 expected answers match the reference\n"
    path = catalogue / "sums" / "basic.yaml"
    path.write_text(path.read_text().replace("steps: 5", "steps: 6"))
    error = refused("verify")
    assert isinstance(error, CatalogueError)
    assert error.exit_status == 3
    assert "expect.steps is 6, the reference says 5" in str(error)


def test_record_asks_before_it_writes(catalogue: Path) -> None:
    """No, check, yes."""
    path = catalogue / "sums" / "basic.yaml"
    good = path.read_text()
    bad = good.replace("steps: 5", "steps: 6")
    path.write_text(bad)
    assert "-    expect: {steps: 6}" in run("record", stdin="n\n").output
    assert refused("record", "--check").exit_status == 3
    assert path.read_text() == bad
    assert "wrote 1 files" in run("record", "one", "--yes").output
    assert path.read_text() == good
    assert "already" in run("record", "--check").output


MAZES = ["1", "12\n", "12\n34", "1\n\n", "\n1\n", "1\r\n2\r\n", "1" * 5000, "\ufeff12\n"]


@pytest.mark.parametrize("maze", MAZES)
def test_a_new_case_loads_at_once(catalogue: Path, maze: str) -> None:
    """Its bytes are the very ones that were given, and its key is the reference's."""
    content = maze.encode()
    result = run(
        "new", "-a", "sums", "fresh", "--input", "-", "--title", "A: fresh one", "--points", "3", stdin=content
    )
    assert result.exit_code == 0, result.exception
    (case,) = [case for case in load_assignment(catalogue, "sums").cases if case.id == "fresh"]
    assert (case.raw, case.facts.title, case.facts.points) == (content, "A: fresh one", 3.0)
    assert case.expect.steps == sum(int(digit) for digit in maze if digit.isdigit())


def test_a_new_case_without_maze_gets_the_kits_simplest(catalogue: Path) -> None:
    """Something to begin with."""
    assert (
        "input: |\n      1\n    expect: {transcript: expected/fresh.out}"
        in run("new", "-a", "sums", "fresh", "--kind", "tell").output
    )
    assert (catalogue / "sums" / "expected" / "fresh.out").read_text() == "1\nSum: 1\n"


def test_a_new_case_that_is_refused_leaves_nothing_behind(catalogue: Path) -> None:
    """Ids taken or odd, mazes that are none, kinds unknown."""
    before = sorted(catalogue.rglob("*"))
    assert "is taken" in str(refused("new", "-a", "sums", "one"))
    assert "can't be an id" in str(refused("new", "-a", "sums", "../one"))
    assert "did you mean tell?" in str(refused("new", "-a", "sums", "a", "--kind", "tel"))
    assert "did you mean sums?" in str(refused("new", "-a", "sum", "a"))
    assert ":2:1: 'x' is no digit" in str(refused("new", "-a", "sums", "a", "--input", "-", stdin="1\nx\n"))
    assert "isn't UTF-8" in str(refused("new", "-a", "sums", "a", "--input", "-", stdin=b"\xff"))
    assert "exists" in str(refused("new", "-a", "sums", "basic"))
    assert sorted(catalogue.rglob("*")) == before


@pytest.mark.parametrize("name", ["assignment", "case"])
def test_schema_prints_json_schema(name: str) -> None:
    """For editors and other tools."""
    jsonschema.Draft202012Validator.check_schema(json.loads(run("schema", name).output))


def test_another_folder_can_be_named(catalogue: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From anywhere."""
    monkeypatch.chdir("/")
    assert (
        run("verify", "--keys-only", "--cases", str(tmp_path / "cases")).output
        == "sums: 5 expected answers match the reference\n"
    )
    assert "there is no folder" in str(refused("list", "--cases", "/nowhere"))
