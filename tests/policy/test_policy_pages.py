"""Every rule has its page, in the fixed form, from one place."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.model.assignment import PolicySpec, Recursion
from grader.model.run import File
from grader.policy import rules
from grader.policy.pages import render
from grader.policy.rules import RULES
from grader.policy.scan import scan

DOCS = Path(__file__).parents[2] / "docs" / "policy"
NAMES = [rule.PAGE.name for rule in RULES]


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_each_rule_has_its_page(rule: object) -> None:
    """The page is what the rule says; `python -m grader.policy.pages docs/policy` writes it."""
    page = rule.PAGE  # type: ignore[attr-defined]  # a module
    assert (DOCS / f"{page.name}.md").read_text("utf-8") == render(page)
    assert f"({page.name}.md)" in (DOCS / "README.md").read_text("utf-8")


def test_each_file_in_rules_is_a_rule_in_use() -> None:
    """A rule can't be written and forgotten."""
    files = {path.stem for path in Path(rules.__file__).parent.glob("*.py")} - {"__init__"}
    assert files == {rule.__name__.rpartition(".")[2] for rule in RULES}
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("name", ["banned-import", "banned-builtin", "banned-syntax", "recursion", "syntax-error"])
def test_the_example_of_a_page_gives_its_finding(name: str) -> None:
    """The example on the page is no invention: scanning it gives the rule's finding with the page's words."""
    page = next(rule.PAGE for rule in RULES if name == rule.PAGE.name)
    policy = PolicySpec(ban=("copy", "eval"), no=("while True",), recursion=Recursion.FORBIDDEN)
    found = [f for f in scan((File(path="main.py", content=page.example.encode()),), policy) if f.rule == name]
    assert found
    assert found[0].why == page.why
