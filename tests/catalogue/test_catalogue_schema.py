"""Schemas and page are those of the structs; every shipped file obeys them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from catalogue_page import catalogue_page
from catalogue_schema import FILES, schema, schema_text, structs

from grader.catalogue.loading.files import AssignmentFile, CaseFile
from grader.judge.registry import JUDGES

ROOT = Path(__file__).parent.parent.parent
SHIPPED = sorted(path for path in (ROOT / "cases").glob("*/*.yaml") if path.name != "mistakes.yaml")
GOOD = sorted((ROOT / "tests" / "data" / "catalogue" / "good").glob("*/*.yaml"))


class PlainLoader(yaml.SafeLoader):
    """Reads dates as the text they are, as editors do."""


PlainLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith("timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read(path: Path) -> Any:
    return yaml.load(path.read_text(), Loader=PlainLoader)


def validator(path: Path) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema("assignment" if path.name == "assignment.yaml" else "case"))


@pytest.mark.parametrize("name", FILES)
def test_the_schema_file_is_current(name: str) -> None:
    """`make reference` writes it."""
    assert (ROOT / "cases" / f"{name}.schema.json").read_text() == schema_text(name)


def test_the_page_of_keys_is_current() -> None:
    """`make reference` writes it."""
    assert (ROOT / "docs" / "catalogue.md").read_text() == catalogue_page()


def test_the_page_names_every_key() -> None:
    """No key is undocumented."""
    page = catalogue_page()
    found = [
        field
        for struct in (
            *structs(AssignmentFile),
            *structs(CaseFile),
            *(each for judge in JUDGES.values() for each in structs(judge.Options)),
        )
        for field in struct.fields
    ]
    assert [field.encode_name for field in found if f"| `{field.encode_name}` |" not in page] == []


@pytest.mark.parametrize("name", FILES)
def test_the_schema_is_a_schema(name: str) -> None:
    """It obeys its own dialect and closes every object of ours."""
    jsonschema.Draft202012Validator.check_schema(schema(name))
    closed = [
        definition["additionalProperties"]
        for definition in schema(name)["$defs"].values()
        if "properties" in definition
    ]
    assert closed
    assert not any(closed)


@pytest.mark.parametrize("path", [*SHIPPED, *GOOD], ids=lambda path: "/".join(path.parts[-2:]))
def test_every_file_obeys_its_schema(path: Path) -> None:
    """What the loader takes, an editor doesn't underline."""
    assert [error.message for error in validator(path).iter_errors(read(path))] == []


@pytest.mark.parametrize("path", [*SHIPPED, *GOOD], ids=lambda path: "/".join(path.parts[-2:]))
def test_every_file_names_its_schema_first(path: Path) -> None:
    """Editors complete and check by the first line."""
    name = "assignment" if path.name == "assignment.yaml" else "case"
    assert path.read_text().splitlines()[0] == f"# yaml-language-server: $schema=../{name}.schema.json"


@pytest.mark.parametrize(
    "case",
    [
        {"id": "a", "title": "A"},
        {"id": "a", "title": "A", "input": "1", "input_file": "x"},
        {"id": "A b", "title": "A", "input": "1"},
        {"id": "a", "title": "A", "input": "1", "points": -1},
        {"id": "a", "title": "A", "input": "1", "visibility": "seen"},
        {"id": "a", "title": "A", "input": "1", "limits": {"cpu_s": 0}},
        {"id": "a", "title": "A", "input": "1", "other": 1},
    ],
)
def test_the_schema_refuses_what_the_loader_refuses(case: dict[str, Any]) -> None:
    """The editor warns before the grader does."""
    checker = jsonschema.Draft202012Validator(schema("case"))
    assert checker.is_valid({"format": 1, "cases": [{"id": "a", "title": "A", "input": "1"}]})
    assert not checker.is_valid({"format": 1, "cases": [case]})


def test_the_worked_example_obeys_the_schema() -> None:
    """What people copy from the page must be right."""
    blocks = re.findall(r"```yaml\n(.*?)```", catalogue_page(), re.DOTALL)
    assignment, cases = (yaml.load(block, Loader=PlainLoader) for block in blocks)
    jsonschema.validate(assignment, schema("assignment"))
    jsonschema.validate(cases, schema("case"))


@pytest.mark.parametrize(
    ("entry", "fits"),
    [("global", True), ("list comprehension", True), ("class Maze", True), ("while True", True), ("gobal", False)],
)
def test_the_schema_knows_the_words_of_a_policy(entry: str, fits: bool) -> None:
    """An editor underlines a misspelt construct, and leaves whole pieces of Python to the loader."""
    spec = schema("assignment")
    policy = {**spec["$defs"]["PolicySpec"], "$defs": spec["$defs"]}
    for key in ("no", "require"):
        assert jsonschema.Draft202012Validator(policy).is_valid({key: [entry]}) is fits
