"""Find the commit that a tag names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.errors import UsageError
from grader.forge.git import is_oid

if TYPE_CHECKING:
    from grader.forge.git import Repository

LONGEST_NAME = 200
_SHOWN_TAGS = 5


def commit_of(repository: Repository, tag: str) -> str:
    """Give the commit's id; raise UsageError when there is no such tag or it names no commit."""
    name = checked_name(repository, tag)
    found = repository.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"refs/tags/{name}^{{commit}}")
    if found is not None and is_oid(found):
        return found
    if repository.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"refs/tags/{name}") is not None:
        raise UsageError(
            f"The tag {shown(name)} names no commit.", hint="Tag a commit: git tag NAME && git push origin NAME"
        )
    raise UsageError(f"There is no tag {shown(name)} in {repository.path}.", hint=_hint(repository))


def checked_name(repository: Repository, tag: str) -> str:
    """Give a tag's name without `refs/tags/`; raise UsageError for one that git itself would refuse."""
    name = tag.removeprefix("refs/tags/")
    well_formed = len(name) <= LONGEST_NAME and name.isprintable()
    if not well_formed or repository.ask("check-ref-format", f"refs/tags/{name}") is None:
        raise UsageError(
            f"{shown(name)} is no tag's name.",
            hint=f"Use letters, digits, dots and dashes, at most {LONGEST_NAME}.",
        )
    return name


def tags(repository: Repository, *, most: int) -> list[str]:
    """Give the names of the newest tags."""
    listed = repository.ask(
        "for-each-ref", f"--count={most}", "--sort=-creatordate", "--format=%(refname:strip=2)", "refs/tags"
    )
    return listed.splitlines() if listed else []


def shown(name: str) -> str:
    """Quote a name for people; what can't be printed is escaped, what is long is cut."""
    text = repr(name)
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}…"


def _hint(repository: Repository) -> str:
    there = tags(repository, most=_SHOWN_TAGS)
    push = "Did you push it? git push origin TAG"
    return f"{push} (newest tags here: {', '.join(there)})" if there else f"{push} (there is no tag at all yet)"
