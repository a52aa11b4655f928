"""Writes docs/policy, one page per rule, from the rules' own words: `python docs/make_policy.py`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from grader.policy.scan import RULES

if TYPE_CHECKING:
    from grader.policy.rule import Rule

FOLDER = Path(__file__).resolve().parent / "policy"


def render(page: Rule) -> str:
    """Return a rule's page in the fixed form."""
    return f"""# {page.name}

## What

{page.what}

## Why

{page.why}

## Example

```python
{page.example}
```

## Instead

{page.instead}

## In the assignment

```yaml
policy:
  {page.written}
```
"""


if __name__ == "__main__":
    for rule in RULES:
        (FOLDER / f"{rule.name}.md").write_text(render(rule), "utf-8")
