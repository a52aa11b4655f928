"""Writes the rules' pages: `python -m grader.policy.pages docs/policy`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from grader.policy.rules import RULES

if TYPE_CHECKING:
    from grader.policy.rule import Page


def render(page: Page) -> str:
    """Give a rule's page in the fixed form."""
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


def write(folder: Path) -> None:
    """Write every rule's page into a folder."""
    for rule in RULES:
        (folder / f"{rule.PAGE.name}.md").write_text(render(rule.PAGE), "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
