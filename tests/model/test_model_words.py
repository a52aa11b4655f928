"""The harness speaks of no maze: another course could grade anything with it."""

from __future__ import annotations

import re
from pathlib import Path

GRADER = Path(__file__).parents[2] / "grader"
WORDS = re.compile("maze|alice|grid|food|snake", re.IGNORECASE)
ALLOWED = re.compile(
    r"maze[-_]grader|Grade maze homework"  # the product's name
    r"|maze_solver\.py|food_is_no_way|maze\.txt|class Maze|reference\.alice\S*|no maze can tell"  # examples
    r"|Table\.grid"  # rich's word
    r"|\"maze(_file)?\": \"input(_file)?\"",  # former names of keys
)


def test_the_harness_knows_no_maze() -> None:
    """But for its name, examples, and what an input was once called; the policy's pages may use any example."""
    found = [
        f"{path.relative_to(GRADER)}:{number}: {line.strip()}"
        for path in sorted(GRADER.rglob("*.py"))
        if path.relative_to(GRADER).parts[0] not in {"policy", "bundled"}
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if WORDS.search(ALLOWED.sub("", line))
    ]
    assert found == []
