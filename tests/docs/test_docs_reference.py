"""What can be typed, read or written is in the reference."""

from __future__ import annotations

import importlib.util
import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
import pytest
from catalogue_schema import structs

from grader.catalogue.loading.files import AssignmentFile, CaseFile
from grader.cli.main import COMMANDS
from grader.model import judgement, kit
from grader.model.verdict import Verdict
from grader.policy.scan import RULES
from grader.report import results
from grader.report.registry import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

DOCS = Path(__file__).parents[2] / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def script() -> Any:
    spec = importlib.util.spec_from_file_location("make_reference", DOCS / "make_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generated_pages_are_up_to_date() -> None:
    """`make reference` writes them."""
    assert script().stale() == []


def test_a_page_that_differs_is_named(tmp_path: Path) -> None:
    """Staleness is noticed: a page with one more letter, and pages that aren't there."""
    reference = script()
    reference.FOLDER = tmp_path
    (tmp_path / "cli.md").write_text(reference.cli_page() + "x", "utf-8")
    (tmp_path / "verdicts.md").write_text(reference.verdicts_page(), "utf-8")
    assert reference.stale()[:3] == ["cli.md", "results.md", "api.md"]


def commands() -> Iterator[str]:
    for name, (module, _) in COMMANDS.items():
        yield f"grader {name}"
        if importlib.util.find_spec(module) is not None:
            command = getattr(import_module(module), name.replace("-", "_"))
            if isinstance(command, click.Group):
                yield from (f"grader {name} {inner}" for inner in command.commands)


@pytest.mark.parametrize("command", list(commands()))
def test_each_command_is_documented(command: str) -> None:
    """Every command and subcommand has a heading of its own."""
    assert f"\n## {command}\n" in page("reference/cli.md")


def test_each_option_says_what_it_is_for() -> None:
    """No row of the reference's tables of options lacks its meaning."""
    rows = [line for line in page("reference/cli.md").splitlines() if line.startswith(("| `-", "| `--"))]
    assert len(rows) > 50
    assert [row for row in rows if not re.split(r"(?<!\\)\|", row)[2].strip()] == []


@pytest.mark.parametrize("verdict", list(Verdict))
def test_each_verdict_is_documented(verdict: Verdict) -> None:
    """Every verdict has a row that says what it means."""
    assert f"| `{verdict}` | {verdict.meaning} |" in page("reference/verdicts.md")


@pytest.mark.parametrize("rule", [rule.name for rule in RULES])
def test_each_rule_is_documented(rule: str) -> None:
    """Every rule of the scan has a page, and the page is on the site."""
    assert f"policy/{rule}.md" in (DOCS.parent / "mkdocs.yml").read_text("utf-8")
    assert page(f"policy/{rule}.md").startswith(f"# {rule}")


def test_each_yaml_key_is_documented() -> None:
    """Every key that the loader takes is in the catalogue's page."""
    keys = {
        field.encode_name
        for file in (AssignmentFile, CaseFile)
        for struct in structs(file)
        for field in struct.fields
    }
    assert len(keys) > 40
    text = page("catalogue.md")
    assert [key for key in sorted(keys) if f"| `{key}` |" not in text] == []


def test_each_field_of_the_results_is_documented() -> None:
    """Every field that other tools read is in the page, with a meaning."""
    text = page("reference/results.md")
    for struct in (results.ResultFile, results.ResultSubmission, results.ResultCase, results.ResultFinding):
        for field in msgspec.structs.fields(struct):
            row = next(line for line in text.splitlines() if line.startswith(f"| `{field.encode_name}` |"))
            assert row.split("|")[3].strip(), field.name


@pytest.mark.parametrize("form", FORMATS)
def test_each_report_format_is_documented(form: str) -> None:
    """Every `--format` is in the page on reports."""
    assert f"| `{form}` |" in page("reports.md")


@pytest.mark.parametrize("module", [kit, judgement])
def test_the_page_of_the_protocols_leaves_nothing_out(module: ModuleType) -> None:
    """Kits and judges are public API: every class of theirs is on the page, and what a module may say of itself."""
    text = page("reference/api.md")
    for name, each in vars(module).items():
        if isinstance(each, type) and each.__module__ == module.__name__:
            assert f"### {name}\n" in text
    assert all(word in text for word in ("WITHHELD", "SOLVERS", "ASKS", "FILES", "so_far(trial)"))
