"""Every rule has its page, in the fixed form, from one place."""

from __future__ import annotations

import importlib.util
import pkgutil
from pathlib import Path
from typing import Any

import pytest

from grader.model.assignment import PolicySpec, Recursion, RuleName
from grader.model.run import File
from grader.policy import rules
from grader.policy.rule import Rule
from grader.policy.scan import RULES, scan

DOCS = Path(__file__).parents[2] / "docs" / "policy"


def script() -> Any:
    spec = importlib.util.spec_from_file_location("make_policy", DOCS.parent / "make_policy.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NAMES = [rule.name for rule in RULES]


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_each_rule_has_its_page(rule: Rule) -> None:
    """The page is what the rule says; `python docs/make_policy.py` writes it."""
    assert (DOCS / f"{rule.name}.md").read_text("utf-8") == script().render(rule)
    assert f"({rule.name}.md)" in (DOCS / "README.md").read_text("utf-8")


def test_each_rule_that_is_written_is_in_use() -> None:
    """A rule can't be written and forgotten."""
    modules = [
        importlib.import_module(f"{rules.__name__}.{found.name}") for found in pkgutil.iter_modules(rules.__path__)
    ]
    written = {value.name for module in modules for value in vars(module).values() if isinstance(value, Rule)}
    assert sorted(written) == sorted(NAMES)


@pytest.mark.parametrize("name", ["banned-import", "banned-builtin", "banned-syntax", "recursion", "syntax-error"])
def test_the_example_of_a_page_gives_its_finding(name: str) -> None:
    """The example on the page is no invention: scanning it gives the rule's finding with the page's words."""
    page = next(rule for rule in RULES if name == rule.name)
    policy = PolicySpec(ban=("copy", "eval"), no=("while True",), recursion=Recursion.FORBIDDEN)
    found = [f for f in scan((File(path="main.py", content=page.example.encode()),), policy) if f.rule == name]
    assert found
    assert found[0].why == page.why


def test_a_course_s_own_words_are_for_rules_that_there_are() -> None:
    """A key of `messages` names a rule, and that rule says these words; the others take none."""
    assert set(NAMES) >= {*RuleName}
    worded = {rule.name for rule in RULES if rule.reason(PolicySpec(messages={rule.name: "our words"}))}
    assert worded == {*RuleName}
