"""Regulations in words: seed 004's own, and ours from the data."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import msgspec
import pytest

from grader.catalogue.load import load_assignment
from grader.gradebook.messages import describe
from grader.model.regulations import Counts, Late, Per, Regulations

SEED_TEXT = (Path(__file__).parent / "seed_004_regulations.md").read_text().strip()
DUE = datetime.fromisoformat("2019-04-04T23:59:59+08:00")
SEED = load_assignment(Path(__file__).parents[2] / "cases", "runner").regulations


def test_seed_004_is_reproduced_exactly() -> None:
    """The shipped assignment gives the seed's own words, with the numbers taken from the data that is enforced."""
    assert describe(SEED) == SEED_TEXT
    assert SEED.attempts is not None
    assert not {"30", "10", "24", "2019"} & set(re.findall(r"\d+", SEED.text))


def test_a_changed_rule_changes_the_text() -> None:
    """Text and rule can't drift apart."""
    changed = msgspec.structs.replace(SEED, attempts=12)
    assert "You have 12 chances" in describe(changed)


def test_braces_that_name_nothing_stay() -> None:
    """The seed's own `{tagname}` is no placeholder."""
    assert (
        describe(Regulations(text="git tag {tagname} {late.percent} {due}"))
        == "git tag {tagname} {late.percent} {due}"
    )


def test_plain_words_from_the_data_alone() -> None:
    """Without a text of its own every rule is said in a line."""
    assert (
        describe(msgspec.structs.replace(SEED, text=""))
        == """\
- Due: 23:59:59, April 4, 2019, CST
- No late submission is accepted
- You have 30 attempts; each further one costs 10% more than the one before
- At most 10 attempts in 24 hours
- A repository that is not private is neither graded nor counted
- Your best attempt counts
- An attempt that fails through our fault is given back"""
    )


def test_every_other_rule_has_its_words() -> None:
    """Late days, percentages, caps, last moment and the last attempt are all said."""
    regulations = Regulations(
        due=DUE,
        late=Late(
            percent=5, per=Per.HOUR, cap_percent=50, until=datetime.fromisoformat("2019-04-08T00:00:00Z"), days=2
        ),
        counts=Counts.LAST,
    )
    assert (
        describe(regulations)
        == """\
- Due: 23:59:59, April 4, 2019, UTC+08:00
- You have 2 free late days in all; beyond them each started hour late costs 5%, at most 50%; nothing is accepted \
after 08:00:00, April 8, 2019, UTC+08:00
- Your last attempt counts
- An attempt that fails through our fault is given back"""
    )


def test_no_rules_are_said_too() -> None:
    """Even the absence of rules is told."""
    assert describe(Regulations()) == "- You may submit at any time, as often as you like."


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"due": "2019-04-04T23:59:59"}, "due has no time zone: write 2019-04-04T23:59:59+08:00"),
        ({"due": "yesterday"}, "RFC3339"),
        ({"due": "2019-04-04T23:59:59Z", "late": {"until": "2019-04-05T00:00:00"}}, "late.until has no time zone"),
        (
            {"due": "2019-04-04T23:59:59Z", "late": {"until": "2019-04-03T00:00:00Z"}},
            "late.until must not lie before due",
        ),
        ({"late": {"percent": 10}}, "late needs due"),
        ({"attempts": 0}, "attempts must lie between 1 and"),
        ({"extra_percent": 10}, "extra_percent needs attempts"),
        ({"attempts": 3, "extra_percent": 200}, "between 0 and 100"),
        ({"window": {"attempts": 0, "hours": 1}}, "window.attempts must lie between 1 and"),
    ],
)
def test_nonsense_is_refused_with_its_place(given: dict[str, object], message: str) -> None:
    """A due date without a zone, or a rule that can't hold, never reaches a student."""
    with pytest.raises(msgspec.ValidationError, match=re.escape(message)):
        msgspec.convert(given, Regulations)
